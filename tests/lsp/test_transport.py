"""How messages get to the server and back: over its streams and over TCP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from tests.lsp.wire import COMMAND, Wire, initialize_params


def test_prints_do_not_reach_the_protocol() -> None:
    code = (
        "import sys; from promptls.lsp import app\n"
        "session = app.Session\n"
        "def noisy(*arguments):\n"
        "    print('noise'); sys.stdout.flush(); return session(*arguments)\n"
        "app.Session = noisy\n"
        "raise SystemExit(app.serve())"
    )
    with Wire([sys.executable, "-c", code]) as wire:
        wire.start()
        assert wire.stop() == 0
        assert "noise" in wire.log


@pytest.mark.parametrize("length", ["9" * 18, "9" * 30, "9" * 5000])
def test_a_length_that_no_memory_holds_ends_the_server(wire: Wire, length: str) -> None:
    wire.start()
    wire.send_bytes(f"Content-Length: {length}\r\n\r\n".encode())
    assert wire.exit_code() == 1


@contextmanager
def listening(*options: str) -> Iterator[subprocess.Popen[str]]:
    """The server, waiting for a client at a port of its own."""
    process = subprocess.Popen(
        [*COMMAND, "--tcp", "--port", "0", *options], stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said(process: subprocess.Popen[str]) -> str:
    """The next line of the log."""
    assert process.stderr
    return process.stderr.readline()


def address(process: subprocess.Popen[str]) -> tuple[str, int]:
    host, port = said(process).split()[-1].rsplit(":", 1)
    return host.strip("[]"), int(port)


def framed(**message: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


INITIALIZE = framed(id=1, method="initialize", params=initialize_params("neovim"))
EXIT = framed(method="exit")


def test_tcp_serves_one_client_on_loopback() -> None:
    with listening() as process:
        host, port = address(process)
        assert host == "127.0.0.1"
        with socket.create_connection((host, port), 300) as connection:
            stream = connection.makefile("rwb")

            def ask(id_: int, request: bytes) -> dict[str, object]:
                stream.write(request)
                stream.flush()
                while True:
                    length = int(stream.readline().split(b":")[1])
                    stream.readline()
                    answer: dict[str, object] = json.loads(stream.read(length))
                    if answer.get("id") == id_ and "method" not in answer:
                        return answer

            assert "capabilities" in str(ask(1, INITIALIZE))
            assert ask(2, framed(id=2, method="shutdown"))["result"] is None
            stream.write(EXIT)
            stream.flush()
        assert process.wait(300) == 0


def exchange(address: tuple[str, int], sent: bytes) -> bytes:
    """All that the server answers until it closes the connection."""
    with socket.create_connection(address, 20) as connection:
        connection.sendall(sent)
        answer = b""
        with suppress(ConnectionResetError):
            while data := connection.recv(4096):
                answer += data
        return answer


@pytest.mark.parametrize(("options", "host"), [((), "127.0.0.1"), (("--host", "::1"), "::1")])
def test_tcp_refuses_a_web_page_and_waits_for_a_client(options: tuple[str, ...], host: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("needs IPv6")
    with listening(*options) as process:
        at = address(process)
        assert at[0] == host
        for page in (b"POST / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n", b"x", b"\r\n", b"contentious:"):
            assert exchange(at, page + INITIALIZE) == b""
            assert "refused a connection" in said(process)
        assert b"capabilities" in exchange(at, b"c" + INITIALIZE[1:] + EXIT)
        assert process.wait(20) == 1


def test_a_level_of_the_log_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTLS_LOG", "non\nsense")
    with listening() as process:
        assert "PROMPTLS_LOG is 'non\\nsense'; use DEBUG" in said(process)
        assert "listening on" in said(process)

"""The life cycle and the errors of the protocol, as the specification has them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lsp.wire import COMMAND, EVERYTHING, Wire, initialize_params, span

SECRET = "Mein geheimes Rezept: 漢字 <|endoftext|> "
URI = "file:///workspace/secret.txt"

CODE_ACTION = {
    "textDocument": {"uri": URI},
    "range": EVERYTHING,
    "context": {"diagnostics": []},
}

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
SERVER_NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        yield wire


@pytest.fixture(scope="module")
def lasting() -> Iterator[Wire]:
    """A server that has been started, and that goes on whatever it is told."""
    with Wire() as wire:
        wire.start()
        wire.open(URI, SECRET)
        yield wire
        assert wire.stop() == 0
        assert "ERROR" not in wire.log
        assert SECRET[:12] not in wire.log


def test_shutdown_then_exit_ends_with_0(wire: Wire) -> None:
    wire.start()
    assert wire.stop() == 0


def test_exit_without_shutdown_ends_with_1(wire: Wire) -> None:
    wire.start()
    wire.notify("exit")
    assert wire.exit_code() == 1


def test_exit_before_initialize_ends_with_1(wire: Wire) -> None:
    wire.notify("exit")
    assert wire.exit_code() == 1


def test_end_of_input_ends_the_server(wire: Wire) -> None:
    wire.start()
    assert wire.process.stdin
    wire.process.stdin.close()
    assert wire.exit_code() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_the_server_ends_with_its_parent() -> None:
    # The parent is the process that the client names; the pipes stay open here.
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Wire() as wire:
        wire.request("initialize", initialize_params("vscode") | {"processId": parent.pid})
        wire.notify("initialized", {})
        parent.send_signal(signal.SIGKILL)
        parent.communicate()
        assert wire.exit_code() == 1


def test_before_initialize_requests_are_refused_and_notifications_dropped(wire: Wire) -> None:
    code, _ = wire.error("textDocument/hover", {"textDocument": {"uri": URI}})
    assert code == SERVER_NOT_INITIALIZED
    wire.open(URI, SECRET)
    wire.start()
    code, message = wire.error("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert (code, message) == (INVALID_PARAMS, "the document is not open")


def test_after_shutdown_requests_are_refused(wire: Wire) -> None:
    wire.start()
    wire.request("shutdown")
    code, _ = wire.error("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert code == INVALID_REQUEST
    code, _ = wire.error("shutdown")
    assert code == INVALID_REQUEST
    wire.notify("exit")
    assert wire.exit_code() == 0


def test_a_second_initialize_is_refused(lasting: Wire) -> None:
    code, _ = lasting.error("initialize", initialize_params("vscode"))
    assert code == INVALID_REQUEST


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/unheardOf", {}, METHOD_NOT_FOUND),
        ("textDocument/unheardOf", None, METHOD_NOT_FOUND),
        ("textDocument/unheardOf", ..., METHOD_NOT_FOUND),
        ("textDocument/didOpen", ..., INVALID_PARAMS),
        ("$/unheardOf", {}, METHOD_NOT_FOUND),
        ("textDocument/hover", {"textDocument": 7, "position": SECRET}, INVALID_PARAMS),
        ("textDocument/hover", None, INVALID_PARAMS),
        ("textDocument/hover", ..., INVALID_PARAMS),
        ("textDocument/hover", [1, 2], INVALID_PARAMS),
        ("textDocument/inlayHint", {"textDocument": {"uri": URI}}, INVALID_PARAMS),
        ("workspace/executeCommand", {"command": "promptls.no", "arguments": []}, INVALID_PARAMS),
        ("workspace/executeCommand", {"command": "promptls.tokens"}, INVALID_PARAMS),
        (
            "workspace/executeCommand",
            {"command": "promptls.tokens", "arguments": [URI, SECRET]},
            INVALID_PARAMS,
        ),
        (
            "workspace/executeCommand",
            {"command": "promptls.setEncoding", "arguments": [URI, "o300k"]},
            INVALID_PARAMS,
        ),
        (
            "workspace/executeCommand",
            {"command": "promptls.setEncoding", "arguments": [URI, 7]},
            INVALID_PARAMS,
        ),
    ],
)
def test_a_request_that_fails_has_one_error(
    lasting: Wire, method: str, params: object, code: int
) -> None:
    id_ = lasting.ask(method, params)
    response = lasting.response(id_)
    assert response["error"]["code"] == code
    assert "data" not in response["error"]
    # The server goes on, and says nothing more to that request.
    assert lasting.command("countTokens", URI)["tokens"] > 0
    assert len(lasting.responses(id_)) == 1
    assert SECRET[:12] not in json.dumps(response) + lasting.log


@pytest.mark.parametrize(
    ("body", "code", "id_"),
    [
        (b"{not json", PARSE_ERROR, None),
        (b"[]", INVALID_REQUEST, None),
        (b'"text"', INVALID_REQUEST, None),
        (b"\xff\xfe", PARSE_ERROR, None),
        (b"[" * 200_000, PARSE_ERROR, None),
        (b'{"id": 5, "method": "shutdown"}', INVALID_REQUEST, 5),
        (b'{"jsonrpc": "2.0", "id": [5], "method": "shutdown"}', INVALID_REQUEST, None),
    ],
)
def test_what_is_not_a_message_is_answered_and_survived(
    lasting: Wire, body: bytes, code: int, id_: object
) -> None:
    before = len(lasting.messages)
    lasting.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    message = lasting.wait_for(lambda m: "error" in m, before)
    assert message["error"]["code"] == code
    assert message["id"] == id_


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "textDocument/unheardOf"},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 7},
        {"jsonrpc": "2.0", "id": 99, "result": None},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": ""}},
        {"id": 99, "result": None},
    ],
)
def test_a_notification_and_a_response_are_never_answered(lasting: Wire, message: object) -> None:
    before = len(lasting.messages)
    lasting.send(message)
    lasting.command("countTokens", URI)
    assert [m for m in lasting.messages[before:] if "error" in m] == []


NASTY_POSITIONS = [
    {"line": 0, "character": 0},
    {"line": 2**31 - 1, "character": 2**31 - 1},
    {"line": -1, "character": 0},
    {"line": 0, "character": -7},
    {"line": 2**70, "character": 2**70},
    {"line": 1.5, "character": 0},
    {"line": True, "character": False},
    {"line": None},
    "0:0",
]
NASTY: list[Any] = [
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x",
    [],
    [[]],
    {},
    {"uri": URI},
    {"uri": [], "line": {}},
]


COMMANDS = ("countTokens", "compareEncodings", "tokens", "setEncoding", "encodings")


def _nasty_requests() -> Iterator[tuple[str, object]]:
    document = {"uri": URI}
    for place in NASTY_POSITIONS:
        span_ = {"start": place, "end": place}
        yield "textDocument/hover", {"textDocument": document, "position": place}
        yield "textDocument/inlayHint", {"textDocument": document, "range": span_}
        yield "textDocument/semanticTokens/range", {"textDocument": document, "range": span_}
        yield "textDocument/selectionRange", {"textDocument": document, "positions": [place, place]}
        yield "textDocument/codeAction", {**CODE_ACTION, "range": span_}
        for command in ("countTokens", "compareEncodings", "tokens"):
            ranges = [span_] if command == "countTokens" else span_
            yield command, [URI, ranges]
    for value in NASTY:
        yield "inlayHint/resolve", {"position": NASTY_POSITIONS[0], "label": "3", "data": value}
        for line in (*NASTY, 5):
            data = {"uri": URI, "line": line}
            yield "inlayHint/resolve", {"position": NASTY_POSITIONS[0], "label": "3", "data": data}
        for command in COMMANDS:
            yield from ((command, each) for each in ([value], [URI, value], [value, value], value))


def test_no_params_are_an_internal_error(lasting: Wire) -> None:
    asked = {}
    for name, params in _nasty_requests():
        if name in COMMANDS:
            params = {"command": f"promptls.{name}", "arguments": params}
            name = "workspace/executeCommand"
        asked[lasting.ask(name, params)] = (name, params)
    for id_, what in asked.items():
        response = lasting.response(id_)
        code = response.get("error", {}).get("code", INVALID_PARAMS)
        assert code == INVALID_PARAMS, (what, response)


def test_a_message_of_no_known_kind_has_null_for_its_id(lasting: Wire) -> None:
    for body in ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, {"jsonrpc": "1.0"}, {}):
        before = len(lasting.messages)
        lasting.send(body)
        message = lasting.wait_for(lambda m: "error" in m, before)
        assert message["id"] is None
        assert message["error"]["code"] == INVALID_REQUEST


def test_headers_may_come_in_any_case_and_order(lasting: Wire) -> None:
    params = {"command": "promptls.encodings"}
    message = {"id": "77", "method": "workspace/executeCommand", "params": params}
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    header = (
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: %d\r\n\r\n"
    )
    lasting.send_bytes(header % len(body) + body)
    assert lasting.response("77")["result"]


def test_a_cancelled_request_has_one_response(lasting: Wire) -> None:
    uri = "file:///workspace/cancelled.txt"
    lasting.open(uri, SECRET * 20_000)
    for _ in range(20):
        id_ = lasting.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        lasting.notify("$/cancelRequest", {"id": id_})
        response = lasting.response(id_)
        assert "result" in response or response["error"]["code"] == REQUEST_CANCELLED
        assert len(lasting.responses(id_)) == 1
    lasting.notify("$/cancelRequest", {"id": 9_999_999})


def test_no_prompt_text_in_log_errors_or_messages(wire: Wire) -> None:
    wire.start()
    wire.open(URI, SECRET)
    bad = {"range": {"start": SECRET, "end": SECRET}, "text": SECRET}
    wire.change(URI, 2, bad)
    wire.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "oops": SECRET})
    wire.notify(f"$/{SECRET}", {"text": SECRET})
    for _ in range(2):
        wire.ask_of(URI, "inlayHint", range=EVERYTHING)
        wire.ask_of(URI, "diagnostic")
    assert wire.stop() == 0
    shown = [m for m in wire.messages if m.get("method", "").startswith("window/")]
    assert SECRET[:12] not in wire.log + json.dumps(shown, ensure_ascii=False)


def test_prints_do_not_reach_the_protocol() -> None:
    code = (
        "import sys; from promptls.lsp import features\n"
        "register = features.register_all\n"
        "def noisy(server):\n"
        "    print('noise'); sys.stdout.flush(); register(server)\n"
        "features.register_all = noisy\n"
        "from promptls.lsp import app; app.register_all = noisy\n"
        "raise SystemExit(app.serve())"
    )
    with Wire([sys.executable, "-c", code]) as wire:
        wire.start()
        assert wire.stop() == 0
        assert "noise" in wire.log


def test_tcp_serves_one_client_on_loopback() -> None:
    process = subprocess.Popen(
        [*COMMAND, "--tcp", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    try:
        line = process.stderr.readline()
        host, port = line.split()[-1].rsplit(":", 1)
        assert host == "127.0.0.1"
        with socket.create_connection((host, int(port)), 300) as connection:
            stream = connection.makefile("rwb")

            def ask(id_: int, method: str, params: object = None) -> dict[str, object]:
                message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
                body = json.dumps(message).encode()
                stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                stream.flush()
                while True:
                    length = int(stream.readline().split(b":")[1])
                    stream.readline()
                    answer: dict[str, object] = json.loads(stream.read(length))
                    if answer.get("id") == id_ and "method" not in answer:
                        return answer

            assert "capabilities" in str(ask(1, "initialize", initialize_params("neovim")))
            assert ask(2, "shutdown")["result"] is None
            body = b'{"jsonrpc":"2.0","method":"exit"}'
            stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            stream.flush()
        assert process.wait(300) == 0
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_the_server_does_not_spin_when_idle(lasting: Wire) -> None:
    lasting.ask_of(URI, "diagnostic")
    if not os.path.exists(f"/proc/{lasting.process.pid}/stat"):  # noqa: PTH110
        pytest.skip("reads the processor time from /proc")

    def ticks() -> int:
        with open(f"/proc/{lasting.process.pid}/stat") as stat:  # noqa: PTH123
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    # What was asked for may take a while; a server that spins never comes to rest.
    for _ in range(200):
        before = ticks()
        time.sleep(0.5)
        if ticks() - before <= 0.05 * os.sysconf("SC_CLK_TCK"):
            return
    raise AssertionError("the server is never idle")


@pytest.mark.parametrize("length", ["9" * 18, "9" * 30, "9" * 5000])
def test_a_length_that_no_memory_holds_ends_the_server(wire: Wire, length: str) -> None:
    wire.start()
    wire.send_bytes(f"Content-Length: {length}\r\n\r\n".encode())
    assert wire.exit_code() == 1


def test_work_that_is_given_up_is_no_error_in_the_log(wire: Wire) -> None:
    wire.start()
    wire.open(URI, SECRET * 20_000)
    for version in range(2, 12):
        id_ = wire.ask("textDocument/codeAction", CODE_ACTION)
        time.sleep(0.02)
        wire.notify("$/cancelRequest", {"id": id_})
        wire.change(URI, version, {"range": span((0, 0), (0, 0)), "text": "x"})
        wire.response(id_)
    assert wire.stop() == 0
    assert wire.log == ""


def listening(*options: str) -> subprocess.Popen[str]:
    """The server, waiting for a client at a port of its own."""
    return subprocess.Popen(
        [*COMMAND, "--tcp", "--port", "0", *options], stderr=subprocess.PIPE, text=True
    )


def exchange(address: tuple[str, int], sent: bytes) -> bytes:
    """All that the server answers until it closes the connection."""
    with socket.create_connection(address, 20) as connection:
        connection.sendall(sent)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while data := connection.recv(4096):
                answer += data
        return answer


@pytest.mark.parametrize(("options", "host"), [((), "127.0.0.1"), (("--host", "::1"), "::1")])
def test_tcp_refuses_a_web_page_and_waits_for_a_client(options: tuple[str, ...], host: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("needs IPv6")
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params("neovim")}
    ).encode()
    message = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    process = listening(*options)
    assert process.stderr
    try:
        told, port = process.stderr.readline().split()[-1].rsplit(":", 1)
        assert told.strip("[]") == host
        address = (host, int(port))
        for page in (b"POST / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n", b"x", b"\r\n", b"contentious:"):
            assert exchange(address, page + message) == b""
            assert "refused a connection" in process.stderr.readline()
        end = b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}'
        assert b"capabilities" in exchange(address, b"c" + message[1:] + end)
        assert process.wait(20) == 1
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_a_level_of_the_log_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTLS_LOG", "non\nsense")
    process = listening()
    assert process.stderr
    try:
        assert "PROMPTLS_LOG is 'non\\nsense'; use DEBUG" in process.stderr.readline()
        assert "listening on" in process.stderr.readline()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()

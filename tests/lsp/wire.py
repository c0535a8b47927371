"""A client that says exactly what a test wants, well formed or not, to a server over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

CLIENTS = Path(__file__).parent / "clients"
COMMAND = [sys.executable, "-m", "promptls", "serve"]
# The position encoding that each recorded client gets; it offers others, too.
POSITION_ENCODINGS = {"vscode": "utf-16", "neovim": "utf-8", "eglot": "utf-16"}

# How long a message may take on a busy machine, in seconds.
PATIENCE = 300

STATUS = "promptls/status"
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 2**31 - 1, "character": 0}}


def command(name: str, *arguments: Any) -> tuple[str, dict[str, Any]]:
    """The method and the params of a request for one of our commands."""
    params = {"command": f"promptls.{name}", "arguments": list(arguments)}
    return "workspace/executeCommand", params


def initialize_params(client: str, **more: Any) -> dict[str, Any]:
    """What a real client says when it starts a server, recorded from it."""
    params: dict[str, Any] = json.loads((CLIENTS / f"{client}.json").read_text(encoding="utf-8"))
    return {**params, "processId": None, **more}


class Wire:
    """One running server and the messages that came from it."""

    def __init__(self, command: list[str] = COMMAND, **options: Any) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )
        self.settings: Callable[[str], object] = lambda uri: None
        """The settings of a document, which the server asks for."""
        self.answers: dict[str, Callable[[Any], Any]] = {
            "workspace/configuration": lambda params: [
                self.settings(item.get("scopeUri", "")) for item in params["items"]
            ]
        }
        """What is answered to requests of the server; others get null."""
        self.messages: list[dict[str, Any]] = []
        """Every message of the server, in the order in which they came."""
        self.log = ""
        self._arrived = threading.Condition()
        self._last_id = 0
        self._threads = [
            threading.Thread(target=target, daemon=True) for target in (self._read, self._read_log)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    # Talking

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        """Send a request; `response` waits for what is answered to the id returned.

        With `...` for them, it has no params.
        """
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        self.send(message if params is ... else {**message, "params": params})
        return self._last_id

    def request(self, method: str, params: object = None) -> Any:
        """The result of a request; fails when there is an error instead."""
        response = self.response(self.ask(method, params))
        assert "error" not in response, response
        return response["result"]

    def error(self, method: str, params: object = None) -> tuple[int, str]:
        """The code and the message of the error that a request is answered with."""
        response = self.response(self.ask(method, params))
        assert "error" in response, response
        return response["error"]["code"], response["error"]["message"]

    # Listening

    def wait_for(self, fits: Callable[[dict[str, Any]], bool], seen: int = 0) -> Any:
        """The first message that fits, which may have come already; not one of the first `seen`."""
        deadline = time.monotonic() + PATIENCE
        with self._arrived:
            while True:
                for message in self.messages[seen:]:
                    if fits(message):
                        return message
                seen = len(self.messages)
                left = deadline - time.monotonic()
                assert left > 0, f"no such message within {PATIENCE} s; log: {self.log}"
                self._arrived.wait(left)

    def response(self, id_: object) -> dict[str, Any]:
        return self.wait_for(lambda m: "method" not in m and m.get("id") == id_)

    def responses(self, id_: object) -> list[dict[str, Any]]:
        """All responses to a request so far: there should be one."""
        return [m for m in self.messages if "method" not in m and m.get("id") == id_]

    def notifications(self, method: str) -> list[Any]:
        return [m["params"] for m in self.messages if m.get("method") == method and "id" not in m]

    def exit_code(self) -> int:
        return self.process.wait(300)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stream.readline()
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:
                answer = self.answers.get(message["method"], lambda _: None)
                result = answer(message.get("params"))
                # A test may have closed the server's input meanwhile.
                with suppress(OSError, ValueError):
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
            with self._arrived:
                self.messages.append(message)
                self._arrived.notify_all()

    def _read_log(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.log += line.decode("utf-8", "replace")

    # Everyday phrases

    def start(self, client: str = "vscode", **more: Any) -> Any:
        result = self.request("initialize", initialize_params(client, **more))
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "plaintext") -> None:
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)}
        )

    def ask_of(self, uri: str, method: str, **params: Any) -> Any:
        """The result of a `textDocument/` request."""
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **params})

    def ask_command(self, name: str, *arguments: Any) -> int:
        return self.ask(*command(name, *arguments))

    def command(self, name: str, *arguments: Any) -> Any:
        """The result of a command."""
        return self.request(*command(name, *arguments))

    def status(self, uri: str, version: int = 1) -> Any:
        """What the client is told of a document when all of that version is counted."""
        wanted = {"uri": uri, "version": version, "state": "done"}
        return self.wait_for(
            lambda m: m.get("method") == STATUS and wanted.items() <= m["params"].items()
        )["params"]

    def stop(self) -> int:
        self.request("shutdown")
        self.notify("exit")
        return self.exit_code()


def span(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """A range of the protocol."""
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }

"""A language client of a few lines: enough to start a server and to talk with it over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any


class Client:
    """A server in a process of its own. Ends it, properly, when its `with` block ends."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._requests = 0
        self.exit_code: int | None = None

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """The server's answer. What it says or asks meanwhile is passed over.

        Raises RuntimeError for an error, and when the server has gone.
        """
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._requests and "method" not in message:
                break
            if "id" in message:
                # The server asks for something, such as our settings: there is nothing.
                self._send({"id": message["id"], "result": None})
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Tell the server something that has no answer."""
        self._send({"method": method, "params": params})

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.request("shutdown")
            self.notify("exit")
            self.exit_code = self._process.wait(10)
        else:
            self._process.kill()
            self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        stream = self._process.stdin
        assert stream
        # JSON-RPC knows no null parameters: without any, the member is left out.
        if message.get("params", ...) is None:
            del message["params"]
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def _receive(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream
        length = 0
        while (line := stream.readline()) != b"\r\n":
            if not line:
                raise RuntimeError(f"the server ended with exit code {self._process.wait(10)}")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(stream.read(length))
        return message


# What an editor of today says that it can do, as far as the demo needs it.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "inlayHint": {},
        "hover": {"contentFormat": ["plaintext"]},
        "diagnostic": {},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
        },
    },
}


def start(folder: Path) -> Client:
    """promptls itself, started by this interpreter; `folder` is the one to work in."""
    client = Client([sys.executable, "-m", "promptls", "serve"])
    client.request(
        "initialize",
        {"processId": None, "rootUri": folder.as_uri(), "capabilities": CAPABILITIES},
    )
    client.notify("initialized", {})
    return client

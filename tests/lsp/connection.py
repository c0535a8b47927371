"""A server on the test's own loop; each message in and out is in the test's hands."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any

from tests.lsp.wire import initialize_params, span

from promptls.lsp.app import Server, _log_exception

URI = "file:///workspace/a.txt"


class Connection:
    """One connection, by default with a client that has little."""

    def __init__(self) -> None:
        # As the server's own loop has it: work that was given up is no failure.
        asyncio.get_running_loop().set_exception_handler(_log_exception)
        self.server = Server()
        self.session = self.server.session
        self.outgoing = io.BytesIO()
        self.server.protocol.outgoing = self.outgoing
        self.server.protocol.finished = asyncio.get_running_loop().create_future()
        self._last_id = self._answered = 0

    def start(self, client: str = "eglot", **more: Any) -> None:
        self.ask("initialize", initialize_params(client, **more))
        self.notify("initialized", {})

    def notify(self, method: str, params: object) -> None:
        self.server.protocol.receive({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self.server.protocol.receive(message)
        return self._last_id

    def ask_command(self, name: str, *arguments: Any) -> int:
        params = {"command": f"promptls.{name}", "arguments": list(arguments)}
        return self.ask("workspace/executeCommand", params)

    def open(self, text: str, uri: str = URI) -> None:
        item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def type(self, text: str, version: int, uri: str = URI) -> None:
        """Put some text at the beginning."""
        document = {"uri": uri, "version": version}
        change = {"range": span((0, 0), (0, 0)), "text": text}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )

    def close(self, uri: str = URI) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    @property
    def messages(self) -> list[dict[str, Any]]:
        parts = self.outgoing.getvalue().split(b"Content-Length: ")[1:]
        return [json.loads(part.partition(b"\r\n\r\n")[2]) for part in parts]

    def requests(self, method: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message.get("method") == method]

    def answer(self, request: dict[str, Any], result: object) -> None:
        self.server.protocol.receive({"jsonrpc": "2.0", "id": request["id"], "result": result})

    async def settings_arrive(self, settings: object = None) -> None:
        """The editor answers what it was asked and has not answered yet."""
        await asyncio.sleep(0.01)
        for request in self.requests("workspace/configuration")[self._answered :]:
            self._answered += 1
            self.answer(request, [settings])

    async def response(self, id_: int) -> dict[str, Any]:
        """The one response to a request."""
        await self.until(lambda: self._responses(id_))
        (response,) = self._responses(id_)
        return response

    async def result(self, method: str, params: object = None) -> Any:
        """The result of a request; fails when there is an error instead."""
        response = await self.response(self.ask(method, params))
        assert "error" not in response, response
        return response["result"]

    async def command(self, name: str, *arguments: Any) -> Any:
        """The result of a command."""
        response = await self.response(self.ask_command(name, *arguments))
        assert "error" not in response, response
        return response["result"]

    def _responses(self, id_: int) -> list[dict[str, Any]]:
        return [m for m in self.messages if m.get("id") == id_ and "method" not in m]

    def last(self, method: str, **params: object) -> Any:
        """The params of the last message of a method that has these params; None before it came."""
        found = [m["params"] for m in self.requests(method)]
        fitting = [p for p in found if all(p.get(k) == v for k, v in params.items())]
        return fitting[-1] if fitting else None

    async def until(self, holds: Callable[[], object]) -> Any:
        """What `holds` returns as soon as that is true; minutes, where the machine is busy."""
        for _ in range(30_000):
            if result := holds():
                return result
            await asyncio.sleep(0.01)
        raise AssertionError(f"it never came; what did: {self.messages[-5:]}")

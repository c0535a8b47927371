"""The editor on the other side: what it can do, what it is told, and what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from lsprotocol import types

from .client import Client


class Connection(Protocol):
    """What carries messages to the editor: pygls's protocol, or a test's list."""

    def notify(self, method: str, params: Any) -> None: ...

    def send_request(self, method: str, params: Any) -> Future[Any]: ...


class Editor:
    """The editor of one connection. Used on the loop's thread alone."""

    def __init__(self, connection: Connection) -> None:
        self.client = Client()
        self._connection = connection
        self._said: set[str] = set()

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._connection.notify(method, params)

    async def ask(self, method: str, params: object) -> Any:
        """The answer to a request. Raises `JsonRpcException` when the editor refuses it."""
        # The answer to a question that was given up still comes, and needs its place.
        return await asyncio.shield(
            asyncio.wrap_future(self._connection.send_request(method, params))
        )

    def register(self, registrations: list[types.Registration]) -> None:
        """Ask to be told of more; whether the editor agrees, its messages show."""
        params = types.RegistrationParams(registrations)
        self._connection.send_request(types.CLIENT_REGISTER_CAPABILITY, params)

    def publish(
        self, uri: str, diagnostics: Sequence[types.Diagnostic], version: int | None = None
    ) -> None:
        """Show what is wrong in a file, instead of what was shown before."""
        params = types.PublishDiagnosticsParams(uri, diagnostics, version)
        self.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def refresh(self) -> None:
        """Ask the editor to ask again for what the settings decide."""
        client = self.client
        pulls = client.pulls_diagnostics and client.refreshes_diagnostics
        for method, is_known in (
            (types.WORKSPACE_INLAY_HINT_REFRESH, client.refreshes_hints),
            (types.WORKSPACE_CODE_LENS_REFRESH, client.refreshes_lenses),
            (types.WORKSPACE_SEMANTIC_TOKENS_REFRESH, client.refreshes_semantic_tokens),
            (types.WORKSPACE_DIAGNOSTIC_REFRESH, pulls),
        ):
            if is_known:
                self._connection.send_request(method, None)

    def say(self, message: str, kind: types.MessageType) -> None:
        """Show the user a message, only once until `say_again`."""
        if message not in self._said:
            self._said.add(message)
            self.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(kind, message))

    def say_again(self) -> None:
        """Say messages again: the settings changed, or the user wants to know."""
        self._said.clear()

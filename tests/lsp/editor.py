"""A client that shows a prompt in a folder, whose settings a test writes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from tests.lsp.connection import Connection
from tests.lsp.wire import EVERYTHING

TEXT = "# Title\n\nuno dos <|im_start|> \n"
PUBLISHED = "textDocument/publishDiagnostics"


class Editor(Connection):
    """A client with a prompt in a folder."""

    def __init__(self, folder: Path, client: str = "vscode", **options: Any) -> None:
        super().__init__()
        self.folder = folder
        self.uri = (folder / "a.md").as_uri()
        folders = [{"uri": folder.as_uri(), "name": "x"}]
        options = {"statusNotifications": True, **options}
        self.start(client, workspaceFolders=folders, initializationOptions=options)

    async def show(self, text: str = TEXT, editor: object = None) -> None:
        self.open(text, self.uri)
        await self.settings_arrive(editor)

    def set(self, text: str, name: str = "promptls.toml", folder: Path | None = None) -> str:
        """Write a settings file; its uri."""
        path = (folder or self.folder) / name
        path.write_text(text, encoding="utf-8", newline="")
        # Two writes within the clock's grain are a change all the same.
        self.written = getattr(self, "written", 0) + 1
        os.utime(path, ns=(self.written, self.written * 10**9))
        return path.as_uri()

    async def encoding_is(self, name: str) -> None:
        """Wait until the prompt is counted with an encoding; minutes, where the machine is busy."""
        for _ in range(3_000):
            response = await self.response(self.ask_command("countTokens", self.uri))
            if response.get("result", {}).get("encoding") == name:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"it is never counted with {name}")

    async def ask_of(self, method: str, **params: Any) -> Any:
        return await self.result(
            f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params}
        )

    async def fixes(self) -> dict[str, Any]:
        """The edit of each quick fix, by its title."""
        actions = await self.ask_of("codeAction", range=EVERYTHING, context={"diagnostics": []})
        return {action["title"]: action["edit"] for action in actions}

    async def allowing(self) -> Any:
        """The edit of the fix that changes the settings; None where it isn't offered."""
        # Of a document that has other settings meanwhile, nothing is offered: one asks again.
        for _ in range(3_000):
            if fixes := await self.fixes():
                break
            await asyncio.sleep(0.02)
        return next((edit for title, edit in fixes.items() if "settings" in title), None)

    def diagnostics(self, uri: str) -> list[tuple[int, int, int, str]] | None:
        """What is shown of a file: line, columns and message; None before anything was said."""
        last = self.last(PUBLISHED, uri=uri)
        return last and [
            (
                each["range"]["start"]["line"],
                each["range"]["start"]["character"],
                each["range"]["end"]["character"],
                each["message"],
            )
            for each in last["diagnostics"]
        ]

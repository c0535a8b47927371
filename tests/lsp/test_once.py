"""An edit reads a file once and counts it once, whatever is asked of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from tests.lsp.connection import Connection
from tests.lsp.wire import span

from promptls.prompt import Prompt
from promptls.reading.reader import Reader
from promptls.text import Text
from subword import get_encoding

URI = "file:///workspace/a.prompty"
DOCUMENT = {"textDocument": {"uri": URI}}
TEXT = "---\nname: x\n---\nsystem:\nEres breve.\n\nuser:\n¿Qué es {{tema}}? Di más.\n"


async def test_one_edit_is_read_and_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counter[str]()
    encoded: list[str] = []
    format_of, kind = Reader.format_of, type(get_encoding("o200k_base"))

    def counted(self: Reader, text: Text) -> Any:
        file_format = format_of(self, text)

        def parse(text: str) -> Prompt:
            read[text] += 1
            return file_format.parse(text)

        return replace(file_format, parse=parse)

    connection = Connection()
    connection.start("vscode", initializationOptions={"statusNotifications": True})
    connection.open(TEXT, URI)
    await connection.settings_arrive()
    await connection.command("countTokens", URI)
    monkeypatch.setattr(Reader, "format_of", counted)
    for name in ("encode", "token_starts", "split"):
        work = getattr(kind, name)
        monkeypatch.setattr(
            kind,
            name,
            lambda self, text, *rest, work=work: encoded.append(text) or work(self, text, *rest),
        )
    change = {"range": span((4, 5), (4, 5)), "text": "muy "}
    document = {"uri": URI, "version": 2}
    connection.notify(
        "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
    )
    whole = {**DOCUMENT, "range": span((0, 0), (8, 0))}
    asked = [
        connection.ask("textDocument/inlayHint", whole),
        connection.ask("textDocument/diagnostic", DOCUMENT),
        connection.ask("textDocument/documentSymbol", DOCUMENT),
        connection.ask("textDocument/codeLens", DOCUMENT),
    ]
    for each in asked:
        assert "error" not in await connection.response(each)
    await connection.until(lambda: connection.last("promptls/status", version=2))
    assert read == {TEXT.replace("Eres breve", "Eres muy breve"): 1}
    # The message that changed is encoded once, as far as it changed; the other one not at all.
    assert len([text for text in encoded if "muy" in text]) == 1, encoded
    assert not [text for text in encoded if "tema" in text or "Qué" in text], encoded

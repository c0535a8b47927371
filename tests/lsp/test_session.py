"""What happens between requests: order, waiting and forgetting, on a connection within the test."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from typing import Any

import pytest
from tests.lsp.connection import URI, Connection
from tests.lsp.expected import tokens
from tests.lsp.wire import EVERYTHING

from promptls.lsp.documents import LARGE, Document
from promptls.reading.reader import Reader
from promptls.reading.reading import Reading
from promptls.text import Text

MARKDOWN = "file:///workspace/a.md"


def tokens_of(text: str) -> int:
    return len(tokens(text, "o200k_base"))


async def test_a_document_opened_anew_gets_nothing_of_the_one_before() -> None:
    # A change of language is a close and an open with the same uri, here while the editor has
    # not said its settings yet and a large text's hints wait for them.
    connection = Connection()
    connection.start("vscode")
    connection.open("old " * LARGE)
    hints = connection.ask("textDocument/inlayHint", {**_document(), "range": EVERYTHING})
    await asyncio.sleep(0)
    connection.close()
    text = "new text\n" * LARGE
    connection.open(text)
    await connection.settings_arrive()
    await connection.response(hints)
    counted = await connection.response(connection.ask_command("countTokens", URI))
    assert counted["result"]["tokens"] == tokens_of(text)


async def test_what_a_command_answered_is_forgotten() -> None:
    connection = Connection()
    connection.start()
    connection.open("some words " * 100)
    await connection.settings_arrive()
    before = len(connection.server.protocol._request_futures)
    for _ in range(3):
        await connection.response(connection.ask_command("tokens", URI))
    assert len(connection.server.protocol._request_futures) == before


async def test_shutdown_while_a_command_runs() -> None:
    connection = Connection()
    connection.start()
    connection.open("some words " * 100_000)
    command = connection.ask_command("compareEncodings", URI)
    await asyncio.sleep(0)
    shutdown = connection.ask("shutdown")
    assert (await connection.response(shutdown)).get("result", "none") is None
    assert (await connection.response(command))["error"]["code"] == -32800
    connection.notify("exit", None)
    assert await connection.server.protocol.finished == 0


async def test_going_back_to_settings_that_name_no_encoding_says_so() -> None:
    connection = Connection()
    connection.start(initializationOptions={"settings": {"encoding": "o300k_base"}})
    connection.open("a b c")
    await connection.settings_arrive()
    await connection.response(connection.ask_command("setEncoding", URI, "gpt2"))
    answer = await connection.response(connection.ask_command("setEncoding", URI, None))
    assert "o300k_base" in answer["error"]["message"]
    assert answer["error"]["code"] == -32602
    counted = await connection.response(connection.ask_command("countTokens", URI))
    assert "error" in counted


async def test_another_encoding_for_one_document_leaves_the_others_alone() -> None:
    connection = Connection()
    connection.start()
    other = "file:///workspace/b.txt"
    connection.open("a b c")
    connection.open("a b c", other)
    await connection.settings_arrive()
    await connection.response(connection.ask_command("countTokens", other))
    before = connection.session.documents[other].revision.number
    await connection.response(connection.ask_command("setEncoding", URI, "gpt2"))
    assert connection.session.documents[other].revision.number == before


async def test_edits_that_nobody_has_counted_do_not_pile_up() -> None:
    connection = Connection()
    connection.start("vscode")
    connection.open("")
    for version in range(2, 1000):
        connection.type("never counted ", version)
    assert not connection.session.documents[URI].counting.edits
    await connection.settings_arrive()
    await connection.response(connection.ask_command("countTokens", URI))
    for version in range(1000, 5000):
        connection.type("word ", version)
    assert len(connection.session.documents[URI].counting.edits) <= 1000
    counted = await connection.response(connection.ask_command("countTokens", URI))
    text = "word " * 4000 + "never counted " * 998
    assert counted["result"]["tokens"] == tokens_of(text)


@pytest.mark.parametrize("client", ["vscode", "neovim", "eglot"])
async def test_a_closed_document_is_forgotten(client: str) -> None:
    connection = Connection()
    connection.start(client, initializationOptions={"statusNotifications": True})
    connection.open("# A\n\nsome words " * 100)
    await connection.settings_arrive()
    asked = [
        connection.ask("textDocument/codeLens", _document()),
        connection.ask("textDocument/semanticTokens/full", _document()),
        connection.ask_command("tokens", URI),
        connection.ask_command("countTokens", URI),
    ]
    if client != "eglot":
        asked.append(connection.ask("textDocument/diagnostic", _document()))
    for id_ in asked:
        await connection.response(id_)
    connection.type("x", 2)
    document = weakref.ref(connection.session.documents[URI])
    connection.close()
    for _ in range(100):
        gc.collect()
        if document() is None:
            break
        await asyncio.sleep(0.02)
    assert document() is None


async def test_a_message_is_said_again_after_the_settings_changed() -> None:
    connection = Connection()
    connection.start("vscode")
    connection.open("a")
    for number, settings in enumerate([{"encodign": "x"}, {}, {"encodign": "x"}]):
        if number:
            connection.notify("workspace/didChangeConfiguration", {"settings": None})
        await connection.settings_arrive(settings)
        [document] = connection.session.documents.values()
        await connection.until(lambda: bool(document.found.bad) == bool(settings))  # noqa: B023
    assert len(connection.requests("window/showMessage")) == 2


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/a/b%20c.md", "/home/a/b c.md"),
        ("file:///home/a/b;c.md", "/home/a/b;c.md"),
        ("file:///home/a/b%23c.md", "/home/a/b#c.md"),
        ("untitled:Untitled-1", "Untitled-1"),
        ("vscode-notebook-cell:/home/nb.ipynb#W0sZ", "/home/nb.ipynb"),
        ("vscode-vfs://github/owner/repo/a.prompt.md", "/owner/repo/a.prompt.md"),
        ("odd://[half/a.md", "odd://[half/a.md"),
        ("", ""),
    ],
)
async def test_the_path_of_any_uri(uri: str, path: str) -> None:
    assert Document(uri, "plaintext", 1, Text("")).path == path


@pytest.mark.parametrize("uri", ["file:///work%00space/a.txt", "file://[work/a.txt", "no uri"])
async def test_a_uri_that_names_no_possible_file_is_a_document_all_the_same(
    uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    connection = Connection()
    connection.start()
    connection.open("a b c", uri)
    await connection.settings_arrive()
    answer = await connection.response(connection.ask_command("countTokens", uri))
    assert answer["result"]["tokens"] == tokens_of("a b c")
    assert not caplog.records


def _document() -> dict[str, Any]:
    return {"textDocument": {"uri": URI}}


async def test_a_document_closed_while_it_is_counted_has_an_empty_outline() -> None:
    connection = Connection()
    connection.start()
    connection.open("# Title\nsome words\n\n" * 5_000)
    await connection.settings_arrive()
    folds = connection.ask("textDocument/foldingRange", _document())
    await asyncio.sleep(0.001)
    connection.close()
    connection.open("# Another\ntext")
    await connection.settings_arrive()
    lenses = connection.ask("textDocument/codeLens", _document())
    assert (await connection.response(folds))["result"] == []
    assert len((await connection.response(lenses))["result"]) == 1


async def test_what_is_made_of_an_outline_is_that_of_the_text_after_an_edit() -> None:
    connection = Connection()
    connection.start()
    connection.open("# One\n\nword\n\n# Two\n\nword word\n", MARKDOWN)
    await connection.settings_arrive()
    document = {"textDocument": {"uri": MARKDOWN}}
    at = {"line": 4, "character": 0}

    async def answers() -> list[Any]:
        lenses = await connection.result("textDocument/codeLens", document)
        symbols = await connection.result("textDocument/documentSymbol", document)
        folds = await connection.result("textDocument/foldingRange", document)
        (chain,) = await connection.result(
            "textDocument/selectionRange", {**document, "positions": [at]}
        )
        return [
            [lens["command"]["title"] for lens in lenses],
            [symbol["name"] for symbol in symbols],
            [(fold["startLine"], fold["endLine"]) for fold in folds],
            chain,
        ]

    before = await answers()
    assert (len(before[0]), len(before[1]), len(before[2])) == (2, 2, 2)
    connection.type("# Zero\n\nwords\n\n", 2, MARKDOWN)
    after = await answers()
    assert (len(after[0]), len(after[1]), len(after[2])) == (3, 3, 3)
    assert all(new != old for new, old in zip(after, before, strict=True))


async def test_each_count_between_edits_is_that_of_the_text() -> None:
    connection = Connection()
    connection.start()
    connection.open("words")
    await connection.settings_arrive()
    text = "words"
    for version in range(2, 6):
        counted = await connection.command("countTokens", URI)
        assert counted["tokens"] == tokens_of(text)
        connection.type("some ", version)
        text = f"some {text}"
    assert (await connection.command("countTokens", URI))["tokens"] == tokens_of(text)


async def test_what_was_asked_before_an_edit_is_answered_of_the_text_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    read = Reader.read

    def slow(self: Reader, *arguments: Any, **more: Any) -> Any:
        begun.set()
        may_end.wait(300)
        return read(self, *arguments, **more)

    monkeypatch.setattr(Reader, "read", slow)
    connection = Connection()
    connection.start()
    connection.open("some words")
    await connection.settings_arrive()
    asked = connection.ask_command("countTokens", URI)
    await connection.until(begun.is_set)
    connection.type("more and more ", 2)
    may_end.set()
    counted = (await connection.response(asked))["result"]
    assert counted["characters"] == len("more and more some words")
    assert counted["tokens"] == tokens_of("more and more some words")


async def test_another_encoding_of_a_document_that_was_counted_counts_it_anew() -> None:
    connection = Connection()
    connection.start()
    connection.open("señor 漢字")
    await connection.settings_arrive()
    for encoding in ("o200k_base", "gpt2", "cl100k_base"):
        await connection.command("setEncoding", URI, encoding)
        counted = await connection.command("countTokens", URI)
        assert (counted["encoding"], counted["tokens"]) == (
            encoding,
            len(tokens("señor 漢字", encoding)),
        )


async def test_settings_that_come_while_a_command_chooses_the_encoding_count_too() -> None:
    connection = Connection()
    connection.start("vscode")
    connection.open("<|endoftext|>")
    await connection.settings_arrive()
    connection.notify("workspace/didChangeConfiguration", {"settings": None})
    await connection.command("setEncoding", URI, "gpt2")
    await connection.settings_arrive({"specialTokens": "control"})
    document = connection.session.documents[URI]
    await connection.until(lambda: document.settings.special_tokens == "control")
    counted = await connection.command("countTokens", URI)
    assert (counted["encoding"], counted["tokens"]) == ("gpt2", 1)


async def test_what_a_command_chose_stays_when_a_document_is_opened_a_second_time() -> None:
    connection = Connection()
    connection.start()
    connection.open("a b c")
    await connection.command("setEncoding", URI, "gpt2")
    connection.open("a b c d")
    counted = await connection.command("countTokens", URI)
    assert (counted["encoding"], counted["tokens"]) == ("gpt2", 4)


async def test_no_prompt_text_is_in_an_error_that_nobody_thought_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(self: Reading, start: int, end: int) -> list[Any]:
        raise ValueError(self.text)

    monkeypatch.setattr(Reading, "tokens_in", fails)
    connection = Connection()
    connection.start()
    connection.open("a secret 漢字")
    await connection.settings_arrive()
    at = {**_document(), "position": {"line": 0, "character": 0}}
    response = await connection.response(connection.ask("textDocument/hover", at))
    assert "ValueError" in response["error"]["message"] and "ValueError" in caplog.text
    assert "secret" not in str(response) + caplog.text

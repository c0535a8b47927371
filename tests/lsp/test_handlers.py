"""Handlers are functions: these are called without a server, a loop of its own or pygls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, current_thread
from typing import Any

import pytest
from lsprotocol import types
from tests.lsp.expected import tokens

from promptls import lsp
from promptls.lsp.client import Client
from promptls.lsp.documents import LARGE, Document
from promptls.lsp.features import code_lens, commands, folding_range, hover, synchronization
from promptls.lsp.features import diagnostics as diagnostics_of
from promptls.lsp.handlers import COMMANDS, HANDLERS, LISTENERS, bound
from promptls.lsp.session import Session
from promptls.lsp.snapshot import Snapshot
from promptls.reading.reader import Reader
from promptls.settings import Settings
from promptls.text import Text

URI = "file:///workspace/a.md"
TEXT = "---\nmodel: gpt-4o\n---\n# One\n\nsome  words \n\n# Two\n\nseñor 漢字\n"
RANGE = types.Range(types.Position(0, 0), types.Position(99, 0))


def snapshot_of(text: str, uri: str = URI, **client: Any) -> Snapshot:
    held = Text(text)
    reading = Reader(uri.removeprefix("file://"), "", Settings()).read(held)
    return Snapshot(uri, 1, held, reading, Client(**client))


def params_of(method: str) -> Any:
    """Params of any method that is answered with a snapshot."""
    if method.startswith("promptls."):
        return (URI,)
    place, document = types.Position(5, 2), types.TextDocumentIdentifier(URI)
    kind: Any = types.METHOD_TO_TYPES[method][2]
    names = {each.name for each in kind.__attrs_attrs__}
    more = {"position": place, "positions": [place], "range": RANGE}
    return kind(document, **{name: value for name, value in more.items() if name in names})


OF_SNAPSHOTS = [each for each in (*HANDLERS, *COMMANDS) if each.schedule != "session"]


@pytest.mark.parametrize("handler", OF_SNAPSHOTS, ids=lambda each: each.method)
def test_a_handler_is_called_with_a_snapshot(handler: Any) -> None:
    assert handler.function(snapshot_of(TEXT), params_of(handler.method))


def test_a_hover_has_the_token_of_tiktoken() -> None:
    text = "some words"
    params = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(0, 6))
    shown = hover.hover(snapshot_of(text), params)
    assert shown and isinstance(shown.contents, types.MarkupContent)
    assert f"Token {tokens(text, 'o200k_base')[1]} " in shown.contents.value
    assert shown.range == types.Range(types.Position(0, 4), types.Position(0, 10))


def test_lenses_and_folds_are_those_of_the_sections() -> None:
    snapshot = snapshot_of(TEXT, "file:///workspace/a.prompt.md")
    document = types.TextDocumentIdentifier(URI)
    lenses = code_lens.code_lens(snapshot, types.CodeLensParams(document))
    assert [lens.range.start.line for lens in lenses] == [3, 3, 7]
    folds = folding_range.folding_range(snapshot, types.FoldingRangeParams(document))
    assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 2), (3, 6), (3, 9), (7, 9)]


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_columns_are_in_the_client_s_position_encoding(encoding: Any, end: int) -> None:
    answer = commands.tokens(snapshot_of("😀a", position_encoding=encoding), (URI,))
    assert [token["id"] for token in answer["tokens"]] == tokens("😀a", "o200k_base")
    assert answer["tokens"][-1]["range"]["end"] == {"line": 0, "character": end}


class Silence:
    """A connection to nobody: no answer comes."""

    def notify(self, method: str, params: Any) -> None: ...

    def send_request(self, method: str, params: Any) -> Future[Any]:
        return Future()


def opened(text: str, uri: str = URI, **client: Any) -> tuple[Session, Document]:
    session = Session(Silence(), LISTENERS)
    session.editor.client = Client(**client)
    item = types.TextDocumentItem(uri, "markdown", 1, text)
    synchronization.did_open(session, types.DidOpenTextDocumentParams(item))
    return session, session.document(uri)


def typed(session: Session, text: str) -> None:
    change = types.TextDocumentContentChangeWholeDocument(text)
    document = types.VersionedTextDocumentIdentifier(2, URI)
    synchronization.did_change(session, types.DidChangeTextDocumentParams(document, [change]))


def opened_again(session: Session) -> None:
    item = types.TextDocumentItem(URI, "markdown", 1, "new")
    synchronization.did_open(session, types.DidOpenTextDocumentParams(item))


def closed(session: Session) -> None:
    document = types.TextDocumentIdentifier(URI)
    synchronization.did_close(session, types.DidCloseTextDocumentParams(document))


@pytest.mark.parametrize(
    ("then", "answer"), [(lambda session: typed(session, "new"), ["new"]), (closed, None)]
)
async def test_what_is_worked_out_of_an_old_state_is_never_answered(
    then: Callable[[Session], None], answer: object
) -> None:
    session, document = opened("old")
    begun, may_end = Event(), Event()

    def slow(snapshot: Snapshot) -> list[str]:
        begun.set()
        may_end.wait(60)
        return [str(snapshot.text)]

    asked = asyncio.ensure_future(session.answer(document, slow, session.pools.comparing))
    while not begun.is_set():
        await asyncio.sleep(0.01)
    then(session)
    may_end.set()
    assert await asked == answer
    session.end()


@pytest.mark.parametrize("end", [closed, opened_again])
async def test_a_closed_document_ends_all_that_is_done_for_it(
    end: Callable[[Session], None],
) -> None:
    session, document = opened("text", wants_status=True, has_configuration=True)
    await asyncio.sleep(0.01)
    counting, revision = document.counting, document.revision
    assert document.tasks._running
    end(session)
    await asyncio.sleep(0.01)
    assert not document.tasks._running and not document.is_open
    assert counting.stopped.is_set() and revision.superseded.is_set()
    assert session.documents.get(URI) is not document
    session.end()


# Threads


def thread() -> str:
    return current_thread().name.rpartition("_")[0] or current_thread().name


@pytest.mark.parametrize("handler", OF_SNAPSHOTS, ids=lambda each: each.method)
async def test_a_handler_runs_where_its_row_says(handler: Any) -> None:
    session, _ = opened(TEXT)
    here = handler._replace(function=lambda *_: thread())
    ran = await bound(here, session)(params_of(handler.method))
    on_loop = handler.schedule == "loop"
    assert ran == (current_thread().name if on_loop else f"promptls-{handler.schedule}")
    session.end()


TEMPLATE = "{% if a %}word {% endif %}\n"


def recorded(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[str]:
    """The threads that a function will have run on."""
    ran: list[str] = []
    function = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *a, **m: (ran.append(thread()), function(*a, **m))[1])
    return ran


TEMPLATE = "{% if a %}word {% endif %}\n"


@pytest.mark.parametrize(
    ("path", "text", "pools"),
    [
        ("a.txt", "word", ["counting", "counting"]),
        ("a.txt", "word " * LARGE, ["building", "counting"]),
        ("a.txt", "a" * (LARGE // 2), ["counting", "counting", "reading"]),
        ("a.j2", TEMPLATE, ["counting", "counting"]),
        ("a.j2", TEMPLATE * 1_000, ["reading", "reading"]),
        ("a.j2", TEMPLATE * (LARGE // 20), ["building", "building"]),
    ],
)
async def test_a_text_is_counted_among_its_like(
    path: str, text: str, pools: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = recorded(monkeypatch, Reader, "read")
    session, document = opened(text, f"file:///workspace/{path}")
    await session.answer(document, len_of := lambda snapshot: len(snapshot.text))
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    document.edit(2, [types.TextDocumentContentChangePartial(start, "a")], "utf-16")
    assert await session.answer(document, len_of) == len(text) + 1
    assert ran == [f"promptls-{pool}" for pool in pools]
    session.end()


@pytest.mark.parametrize(
    ("owner", "name", "pool"),
    [
        (lsp.configuration, "find_settings", "settings"),
        (lsp.snapshot, "check", "checking"),
        (lsp.snapshot, "outline", "checking"),
        (commands, "comparison_row", "comparing"),
    ],
)
async def test_what_takes_a_while_runs_beside_the_loop(
    owner: Any, name: str, pool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = recorded(monkeypatch, owner, name)
    session, _ = opened(TEXT)
    for handler in (*HANDLERS, *COMMANDS):
        if handler.method in ("textDocument/codeLens", "promptls.compareEncodings"):
            await bound(handler, session)(params_of(handler.method))
    diagnostics = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
    await diagnostics_of.diagnostic(session, diagnostics)
    assert set(ran) == {f"promptls-{pool}"}
    session.end()

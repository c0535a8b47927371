"""A document from its opening to its closing: edits, status and findings, message by message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.lsp.expected import count, tokens_per_line
from tests.lsp.wire import Wire, span


@pytest.fixture(scope="module")
def neovim() -> Iterator[Wire]:
    """A server for a client that counts columns in bytes; no two tests open the same document."""
    with Wire() as wire:
        wire.start("neovim", initializationOptions={"statusNotifications": True})
        yield wire


def test_what_is_not_counted_is_said(neovim: Wire) -> None:
    call = '[{"role": "assistant", "content": null, "tool_calls": [{}]}]'
    for name, text, expected in [
        ("a.messages.json", call, [{"what": "tool call", "count": 1}]),
        ("a.txt", call, []),
    ]:
        uri = f"file:///workspace/uncounted/{name}"
        neovim.open(uri, text)
        counted = neovim.command("countTokens", uri)
        assert (counted["uncounted"], len(counted["messages"])) == (expected, 1)


def test_edits_are_followed_in_every_unit(neovim: Wire) -> None:
    uri = "file:///workspace/edited.txt"
    neovim.open(uri, "añ😀b\r\nc")
    # The first two overlap what only UTF-8 counts right; the third deletes a line end.
    neovim.change(
        uri,
        2,
        {"range": span((0, 3), (0, 7)), "text": "漢"},
        {"range": span((0, 6), (0, 7)), "text": "\u2028\n"},
        {"range": span((1, 0), (2, 0)), "text": ""},
    )
    text = "añ漢\u2028\nc"
    tokens = neovim.command("tokens", uri)["tokens"]
    assert b"".join(bytes.fromhex(t["bytes"]) for t in tokens).decode() == text


def test_status_is_sent_to_clients_that_asked_for_it(neovim: Wire) -> None:
    uri = "untitled:Untitled-1"
    neovim.open(uri, "uno dos")
    neovim.change(uri, 2, {"range": span((0, 7), (0, 7)), "text": " tres"})
    status = neovim.status(uri, 2)
    expected = count("uno dos tres")
    assert (status["tokens"], status["exact"], status["state"]) == (expected, True, "done")
    assert (status["lines"], status["characters"]) == (1, 12)


def test_large_texts_show_their_visible_lines_first_and_then_their_total(neovim: Wire) -> None:
    text = "".join(f"Zeile {n}: größer, 漢字 und 😀.\n" for n in range(20_000))
    uri = "file:///workspace/large.txt"
    neovim.open(uri, text)
    visible = span((9_000, 0), (9_050, 0))
    got = neovim.ask_of(uri, "inlayHint", range=visible)
    per_line = tokens_per_line(text, "o200k_base")
    assert [int(hint["label"]) for hint in got] == per_line[9_000:9_051]
    neovim.change(uri, 2, {"range": span((9_000, 0), (9_001, 0)), "text": "neu\n"})
    lines = text.split("\n")
    edited = "\n".join([*lines[:9_000], "neu", *lines[9_001:]])
    expected = count(edited)
    assert neovim.command("countTokens", uri)["tokens"] == expected


def test_pushed_findings_carry_their_version_and_are_cleared(wire: Wire) -> None:
    uri = "file:///workspace/a.txt"
    wire.start("eglot")
    wire.open(uri, "ends in a space ")

    def published(version: int | None, count: int) -> Any:
        return wire.wait_for(
            lambda m: (
                m.get("method") == "textDocument/publishDiagnostics"
                and m["params"].get("version") == version
                and len(m["params"]["diagnostics"]) == count
            )
        )

    published(1, 1)
    wire.change(uri, 2, {"range": span((0, 15), (0, 16)), "text": ""})
    published(2, 0)
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    published(None, 0)


def test_findings_that_are_still_the_same_are_not_sent_again(neovim: Wire) -> None:
    wire, uri = neovim, "file:///workspace/same.txt"
    wire.open(uri, "ends in a space ")

    def pull(previous: str | None = None) -> Any:
        return wire.ask_of(uri, "diagnostic", previousResultId=previous)

    first = pull()
    assert (first["kind"], len(first["items"])) == ("full", 1)
    known = first["resultId"]
    assert pull(known) == {"kind": "unchanged", "resultId": known}
    assert pull("of another server")["kind"] == "full"
    assert pull()["items"] == first["items"]
    # The same findings of another text are the same report.
    wire.change(uri, 2, {"range": span((0, 0), (0, 1)), "text": "E"})
    assert pull(known) == {"kind": "unchanged", "resultId": known}
    wire.change(uri, 3, {"range": span((0, 0), (0, 1)), "text": ""})
    moved = pull(known)
    assert (moved["kind"], len(moved["items"])) == ("full", 1)
    assert moved["resultId"] != known
    wire.change(uri, 4, {"range": span((0, 14), (0, 15)), "text": ""})
    gone = pull(moved["resultId"])
    assert (gone["kind"], gone["items"]) == ("full", [])
    assert pull(gone["resultId"])["kind"] == "unchanged"
    # A document that is opened again begins anew.
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    wire.open(uri, "")
    assert pull(gone["resultId"])["kind"] == "full"

"""What the server sends beyond LSP is what the client's contract declares, no more and no less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.lsp.shapes import ANSWERS, faults
from tests.lsp.wire import EVERYTHING, Wire

from promptls.lsp import rows
from promptls.lsp.app import Server
from promptls.rows import AmountRow

CHAT = '[{"role": "user", "content": "Hola {{name}} <|endoftext|>", "tool_calls": [{}]}]'
FILES = {
    "a.txt": "uno dos",
    "b.messages.json": CHAT,
    "c.prompty": "---\nname: x\n---\nuser:\nHi",
    "d.j2": "{% if name %}uno{% endif %} dos",
}


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        answer = {"samples": {"name": "Eva"}, "budget": 3}
        wire.settings = lambda _: answer
        wire.start("vscode", initializationOptions={"statusNotifications": True})
        yield wire


def test_every_command_is_in_the_contract() -> None:
    commands = Server().protocol.fm.commands
    assert {f"promptls.{name}" for name in ANSWERS} == set(commands)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("countTokens", []),
        ("countTokens", [[EVERYTHING]]),
        ("compareEncodings", [EVERYTHING]),
        ("tokens", []),
        ("setEncoding", [None]),
        ("encodings", []),
    ],
)
def test_answers(wire: Wire, name: str, command: str, arguments: list[Any]) -> None:
    uri = f"file:///workspace/{command}/{name}"
    wire.open(uri, FILES[name])
    first = [] if command == "encodings" else [uri]
    assert faults(wire.command(command, *first, *arguments), ANSWERS[command]) == []


@pytest.mark.parametrize("name", FILES)
def test_the_status(wire: Wire, name: str) -> None:
    uri = f"file:///workspace/status/{name}"
    wire.open(uri, FILES[name])
    status = wire.wait_for(
        lambda m: m.get("method") == "promptls/status" and m["params"]["uri"] == uri
    )
    assert faults(status["params"], rows.StatusNotification) == []


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"tokens": 1, "exactness": "exact", "more": 1}, AmountRow),
        ({}, AmountRow),
        ({"tokens": None}, AmountRow),
        ({"tokens": True}, AmountRow),
        ({"encodings": [{"name": "x"}]}, rows.Encodings),
        ({"uri": "", "version": 1, "state": "lost", "problem": None}, rows.StatusNotification),
    ],
)
def test_what_is_not_of_the_shape_is_seen(value: object, kind: object) -> None:
    assert faults(value, kind)

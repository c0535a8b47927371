"""A text that stands in many messages: counted once, and never without end."""

from __future__ import annotations

import pytest

from promptls.reading.reader import Reader
from promptls.reading.reading import read
from promptls.settings import Settings
from promptls.text import Text
from subword import get_encoding

SHARED = "shared: &a 'Say  hello.'\nmessages:\n" + "- role: user\n  content: *a\n" * 50


def test_an_alias_counts_each_time_and_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = get_encoding("o200k_base")
    once = encoding.count("Say  hello.")
    encoded: list[str] = []
    kind = type(encoding)
    encode = kind.encode
    monkeypatch.setattr(
        kind, "encode", lambda self, text, *rest: encoded.append(text) or encode(self, text, *rest)
    )
    reading = read(SHARED, "a.prompt.yml")
    assert reading.total == 50 * once
    assert encoded == ["Say  hello."]
    live = Reader("a.prompt.yml", "yaml", Settings()).read(Text(SHARED))
    assert live.total == 50 * once
    assert encoded == ["Say  hello."] * 2


def test_aliases_that_would_fill_the_memory_are_a_problem() -> None:
    text = f"shared: &a '{'a ' * 500_000}'\nmessages:\n" + "- role: user\n  content: *a\n" * 40
    problems = read(text, "a.prompt.yml").prompt.problems
    assert "aliases repeat more than 33,554,432 characters" in problems[0].message

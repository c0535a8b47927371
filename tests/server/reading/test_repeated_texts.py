"""A text that stands in many messages: counted once, and never without end."""

from __future__ import annotations

import pytest

from promptls.analysis import analyse
from promptls.reading.live import LiveCounts
from promptls.settings import Settings
from promptls.text import Text
from subword import Encoding, get_encoding

SHARED = "shared: &a 'Say  hello.'\nmessages:\n" + "- role: user\n  content: *a\n" * 50


def test_an_alias_counts_each_time_and_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    once = get_encoding("o200k_base").count("Say  hello.")
    encoded: list[str] = []
    encode = Encoding.encode
    monkeypatch.setattr(
        Encoding,
        "encode",
        lambda self, text, *rest: encoded.append(text) or encode(self, text, *rest),
    )
    analysis = analyse(SHARED, "a.prompt.yml")
    assert analysis.tokens == analysis.counts.total == 50 * once
    live = LiveCounts("a.prompt.yml", "yaml", Settings())
    assert live.update(Text(SHARED), []).total == 50 * once
    assert encoded.count("Say  hello.") == 3


def test_aliases_that_would_fill_the_memory_are_a_problem() -> None:
    text = f"shared: &a '{'a ' * 500_000}'\nmessages:\n" + "- role: user\n  content: *a\n" * 40
    problems = analyse(text, "a.prompt.yml").prompt.problems
    assert "aliases repeat more than 33,554,432 characters" in problems[0].message

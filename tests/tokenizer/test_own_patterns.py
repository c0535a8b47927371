"""Split patterns of one's own: those that can't be counted with are refused, others never fail."""

from __future__ import annotations

from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.texts import texts

from subword import TokenIndex, UncountableError
from subword.core import CoreEncoding
from subword.patterns import PATTERNS
from subword.probes import backtracking_fault, growth_fault, pattern_fault

BYTES = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"  ": 257, "é".encode(): 258}


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("(", "can't be used: Parsing error"),
        (r"\p{Nonsense}", "can't be used"),
        (r"\X", "can't be used"),
        ("(" * 4000 + ")" * 4000, "nested"),
        ("x" * 20_000, "20,000 characters"),
        ("a", "does not match every text"),
        (r"[ -~]+|\s+", "does not match every text"),
        ("a*", "matches where there is nothing"),
        (r"\S+|\s*", "matches where there is nothing"),
        (r"(?R)|[\s\S]", "matches where there is nothing"),
        # `regex` doesn't know this class: only the engine itself can say that it matches nothing.
        (r"\p{scx=Han}*|[\s\S]", "matches where there is nothing"),
        (r"(?:x|x|aa|a)+[yz]|[\s\S]", "takes"),
        (r"(a*)*b|[\s\S]", "takes"),
        (r"(?:\w+\s*)+;|[\s\S]", "takes"),
        (r"(?=[\s\S]*z)a|[\s\S]", "takes"),
    ],
)
def test_a_pattern_that_cannot_be_counted_with(
    pattern: str, fault: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=f"mine: its split pattern .*{fault}") as caught:
        CoreEncoding("mine", BYTES, pattern, {})
    assert "\n" not in str(caught.value)
    # Where tiktoken's core panics, it says so there.
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "pattern",
    [
        *PATTERNS.values(),
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"[\s\S]",
        r"(?s).+",
        r"\w+|\W",
        r"[\p{Han}]+|[\p{L}&&[^\p{Han}]]+|\s+(?!\S)|[\s\S]",
    ],
)
def test_a_pattern_that_can(pattern: str) -> None:
    assert pattern_fault(pattern) is None
    assert backtracking_fault(pattern) is None


def test_growth_is_told_by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that counts what is looked at: linear passes, quadratic doesn't."""
    seconds = [0.0]
    monkeypatch.setattr("subword.probes.time.thread_time", lambda: seconds[0])

    def costing(nanoseconds: float, exponent: float) -> Any:
        def split(text: str) -> None:
            seconds[0] += nanoseconds * 1e-9 * len(text) ** exponent

        return split

    assert growth_fault(costing(1000, 1)) is None
    assert growth_fault(costing(100, 1.2)) is None
    assert "longer and longer" in str(growth_fault(costing(0.01, 2)))
    assert "more than 2 s" in str(growth_fault(costing(0.01, 3)))


# Each leaves something out that the trial at the beginning has no room for.
GAPS = {
    "a word": r"(?!qx)[\s\S]",
    "a character": "[^\U0001f9a9]",
    "empty at a place": "(?=\U0001f9a9)|(?s:.)",
}


@pytest.mark.parametrize("pattern", GAPS.values(), ids=GAPS)
def test_what_a_pattern_leaves_out(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Ids are tiktoken's; tokens stand where their bytes do, in order; the index agrees."""
    encoding = CoreEncoding("mine", BYTES, pattern, {"<s>": 300})
    # tiktoken fails on the empty pieces of one of them; with a token for these it doesn't.
    reference = tiktoken.Encoding(
        "reference", pat_str=pattern, mergeable_ranks={**BYTES, b"": 999}, special_tokens={}
    )
    assert encoding.n_vocab == 301

    @given(st.lists(texts(surrogates=False) | st.sampled_from(["qx", "q", "🦩", "é", "<s>"])))
    def same(parts: list[str]) -> None:
        text = "".join(parts)
        ids = [id for id in reference.encode(text, disallowed_special=()) if id != 999]
        assert encoding.encode(text) == ids
        for special in ("text", "control"):
            tokens = encoding.split(text, special)
            assert [token.id for token in tokens] == encoding.encode(text, special)
            assert encoding.token_starts(text, special) == [token.start for token in tokens]
            at = 0
            for token in tokens:
                assert at <= token.byte_start
                assert text.encode()[token.byte_start : token.byte_end] == token.bytes
                at = token.byte_end
        index = TokenIndex(encoding, text)
        assert sum(index.lines(0, index.line_count)) == index.total == len(ids)

    same()
    assert capfd.readouterr().err == ""


def test_a_text_on_which_the_engine_gives_up() -> None:
    """Where tiktoken's engine runs out of room, Python takes over, or the text can't be counted."""
    text = "a" + " " * 1_000_000 + "b"
    ours = CoreEncoding("mine", BYTES, r"\s+(?!\S)|[\s\S]", {})
    assert ours.count(text) == 500_003
    # `\w` is not the same in all engines, so Python can't take over.
    with pytest.raises(UncountableError, match=r"^mine: its split pattern gives up"):
        CoreEncoding("mine", BYTES, r"\w+|\s+(?!\S)|[\s\S]", {}).count(text)

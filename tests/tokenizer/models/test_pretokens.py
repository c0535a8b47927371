"""Splitting and counting pre-tokens by outlines, against the patterns themselves and tiktoken."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS

from subword import get_encoding
from subword.corpus.counting import count_pieces, cut_stream
from subword.patterns import PATTERNS, compile_pattern
from subword.pre_tokenizer import splitter

ENCODINGS = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
# One of each class that a pattern tells apart, and the characters that it names.
REPRESENTATIVES = "a'sſA0 \n\r\t/!\xa0\u0301漢ǅ²🙂"
TEXTS = st.text(st.sampled_from(REPRESENTATIVES + "rRévVÉʰ\x1c\x85\u0558\u2028") | st.characters())


def directly(text: str, name: str) -> list[str]:
    return [match[0] for match in compile_pattern(name).finditer(text, concurrent=False)]


def check(text: str, name: str) -> None:
    pieces = directly(text, name)
    assert splitter(name)(text) == pieces, repr(text)
    counted = count_pieces(text, name)
    assert counted == Counter(pieces), repr(text)
    assert list(counted) == list(dict.fromkeys(pieces)), repr(text)


@pytest.mark.parametrize("name", PATTERNS)
def test_all_short_texts(name: str) -> None:
    for length in range(4):
        for characters in product(REPRESENTATIVES, repeat=length):
            check("".join(characters), name)


@pytest.mark.parametrize("name", PATTERNS)
@given(text=TEXTS)
def test_any_text(name: str, text: str) -> None:
    check(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), name)


@pytest.mark.parametrize("name", PATTERNS)
@given(text=TEXTS)
def test_tiktoken_encodes_the_pieces_apart_as_together(name: str, text: str) -> None:
    encoding = get_encoding(ENCODINGS[name])
    apart = [id for piece in splitter(name)(text) for id in encoding.encode(piece)]
    assert apart == encoding.encode(text)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_real_corpus(name: str) -> None:
    expected: Counter[str] = Counter()
    for text in CORPUS:
        check(text, name)
        expected.update(directly(text, name))
    assert count_pieces(CORPUS, name) == expected


@pytest.mark.parametrize("name", PATTERNS)
@given(blocks=st.lists(TEXTS), size=st.integers(1, 20))
def test_a_stream_counts_as_its_whole(name: str, blocks: list[str], size: int) -> None:
    texts = list(cut_stream(blocks, size))
    assert "".join(texts) == "".join(blocks)
    assert count_pieces(texts, name) == count_pieces("".join(blocks), name)


def test_no_pattern_keeps_texts_whole() -> None:
    assert count_pieces(["a b", "", "a b"]) == {"a b": 2}


def test_ones_own_pattern() -> None:
    assert count_pieces("abc 12", r"\p{L}+|\P{L}") == {"abc": 1, " ": 1, "1": 1, "2": 1}


@pytest.mark.parametrize("pattern", [r"\p{L}+", r"\S+", "a*", r"a*|(?s:.)", r"(?s:.)+|z*", ""])
def test_a_pattern_that_loses_text(pattern: str) -> None:
    with pytest.raises(ValueError, match="does not match every text"):
        splitter(pattern)


def test_a_pattern_that_does_not_compile() -> None:
    with pytest.raises(ValueError, match="not a regular expression"):
        splitter("(")


def test_a_pattern_out_of_hand_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subword.pre_tokenizer.PATTERN_SECONDS", 0.05)
    with pytest.raises(ValueError, match="took more than"):
        splitter("(?:x|xx)+[yz]|(?s:.)")("x" * 60)


def test_all_25_whitespace_characters_cut() -> None:
    spaces = [chr(code) for code in range(0x3001) if compile_pattern(r"\s").match(chr(code))]
    for space in spaces:
        assert splitter("gpt2")(f"x{space}") == ["x", space], f"U+{ord(space):04X}"
    assert len(spaces) == 25

"""Lines end as editors end them, and each token belongs to one of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.tokenizer import oracle
from tests.tokenizer.texts import texts

from subword import SpecialMode, TokenIndex, get_encoding
from subword.lines import line_starts


def lines_of(text: str) -> list[str]:
    """The lines with their ends, one character at a time."""
    lines = [""]
    for i, character in enumerate(text):
        lines[-1] += character
        if character == "\n" or (character == "\r" and text[i + 1 : i + 2] != "\n"):
            lines.append("")
    return lines


line_texts = texts() | st.text(alphabet="ab \r\n\x0b\x0c\x1c\x85\u2028\u2029", max_size=20)


@given(text=line_texts)
@example("\r\r\n\n")
def test_line_starts(text: str) -> None:
    lines = lines_of(text)
    assert line_starts(text) == [len("".join(lines[:n])) for n in range(len(lines))]


@pytest.mark.parametrize("name", oracle.NAMES)
@given(text=line_texts, mode=st.sampled_from(["text", "control"]))
def test_each_token_is_on_the_line_of_its_first_byte(
    name: str, text: str, mode: SpecialMode
) -> None:
    encoding = get_encoding(name)
    index = TokenIndex(encoding, text, mode)
    counts = index.lines(0, index.line_count)
    line_of_character = [n for n, line in enumerate(lines_of(text)) for _ in line]
    expected = Counter(line_of_character[token.start] for token in encoding.split(text, mode))
    assert counts == [expected[n] for n in range(len(lines_of(text)))]
    assert sum(counts) == encoding.count(text, mode)


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("o200k_base", "", [0]),
        ("o200k_base", "a", [1]),
        ("o200k_base", "a\n", [2, 0]),
        ("o200k_base", "a\n\nb", [2, 0, 1]),
        ("cl100k_base", "a\n\nb", [2, 0, 1]),
        ("cl100k_base", "a\r\n\r\nb", [2, 0, 1]),
        ("o200k_base", "a\u2028b\x85c\x0cd\x1ce", [10]),
        ("gpt2", "漢\r字", [4, 2]),
    ],
)
def test_known_lines(name: str, text: str, counts: list[int]) -> None:
    index = TokenIndex(get_encoding(name), text)
    assert index.lines(0, index.line_count) == counts

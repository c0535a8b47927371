"""Ranges of templates with conditions, against every rendering that can happen, counted whole."""

from __future__ import annotations

from itertools import product

import chevron
import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.analysis import analyse
from promptls.ranges import Range
from promptls.settings import Settings
from subword import get_encoding

ENCODING = get_encoding("o200k_base")

NAMES = ("a", "b", "c")
TEXTS = ["one", " two", "\n", "\n\n", "  ", "don", "'t", "12", "3", " é漢字", "🎉", ", and", "\t"]
TAGS = [*(f"{{{{#{name}}}}}" for name in NAMES), *(f"{{{{^{name}}}}}" for name in NAMES)]


@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(["", *TAGS])), max_size=12))
def test_both_ends_are_the_least_and_the_most_of_all_renderings(
    parts: list[tuple[str, str]],
) -> None:
    sections = [f"{tag}{text}{{{{/{tag[3]}}}}}" if tag else text for text, tag in parts]
    text = "".join(sections) + "."
    counts = [
        ENCODING.count(chevron.render(text, dict(zip(NAMES, values, strict=True))))
        for values in product((True, False), repeat=len(NAMES))
    ]
    analysis = analyse(text, "a.mustache", Settings(encoding="o200k_base"))
    assert analysis.ranges.total == Range(min(counts), max(counts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one", Range(1, 1)),
        ("{{#a}}one{{/a}}", Range(0, 1)),
        ("{{#a}}one two three{{/a}}{{^a}}one{{/a}}", Range(1, 3)),
        # One word of two options: what is sent is counted, not what the options cost apart.
        ("un{{#a}}believ{{/a}}able", Range(1, 3)),
    ],
)
def test_ranges_of_mustache(text: str, expected: Range) -> None:
    assert analyse(text, "a.mustache").ranges.total == expected

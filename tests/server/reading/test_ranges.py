"""Ranges of templates with conditions, against every rendering that can happen, counted whole."""

from __future__ import annotations

from itertools import product

import chevron
import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.reading.estimates import count_filled
from promptls.reading.ranges import Range
from promptls.reading.reading import read
from promptls.rules.checking import check
from promptls.settings import Settings
from subword import get_encoding

ENCODING = get_encoding("o200k_base")

NAMES = ("a", "b", "c")
# Without what chevron does otherwise than the specification: tabs and spaces around a tag.
TEXTS = ["one", " two", "\n", "\n\n", "don", "'t", "12", "3", " é漢字", "🎉", ", and"]
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
    reading = read(text, "a.mustache", Settings(encoding="o200k_base"))
    assert reading.ranges.total == Range(min(counts), max(counts))


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
    assert read(text, "a.mustache").ranges.total == expected


def test_a_long_condition_decides_alike_wherever_it_stands() -> None:
    long, other = (" + ".join([*"a" * 99, last]) for last in "bc")
    once = "{{% if {} %}}one{{% endif %}}"
    same = once.format(long) + " and " + once.format(long)
    assert read(same, "a.j2").ranges.total == Range(2, 3)
    apart = once.format(long) + " and" + once.format(other)
    assert read(apart, "a.j2").ranges.total == Range(1, 3)


# More combinations than are listed are told while one of them does not send a branch.
MANY = (
    "{%if c%}x{%if h == 'u'%}x{%endif%}{%endif%}{%if g == 'u'%}x{%if f == 'u'%}x{%else%}y"
    "{%if c == 'u'%}x{%endif%}{%endif%}{%if e == 'u'%}x{%endif%}{%else%}y{%endif%}"
)


def test_more_combinations_than_are_listed() -> None:
    renderings = (
        jinja2.Template(MANY).render(dict(zip("cefgh", values, strict=True)))
        for values in product(("", "u", "o"), repeat=5)
    )
    counts = set(map(ENCODING.count, renderings))
    assert read(MANY, "a.j2").ranges.total == Range(min(counts), max(counts))


HEADER = """---
inputs: [{name: tone}, {name: formal}, {name: city}]
tools: [{name: t, bindings: [{name: c, input: city}]}]
sample: {tone: warm, formal: false, user: {name: Ada}, few: []}
---
user:
"""


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{% if formal %}one two three{% else %}one{% endif %}", Range(1, 1)),
        ("{% if tone == 'warm' and not few %}one{% endif %}", Range(1, 1)),
        ("{% if tone in ['cold', 'dry'] %}one{% endif %}", Range(0, 0)),
        ("{% if user.name %}{{ user.name }}{% endif %}", Range(1, 1)),
        # Nobody knows what a filter makes of it.
        ("{% if tone|f %}{{ tone }}{% endif %}", Range(0, 1)),
    ],
)
def test_sample_values_decide_conditions(text: str, filled: Range) -> None:
    settings = Settings(encoding="o200k_base")
    reading = read(HEADER + text, "a.prompty", settings)
    counted = count_filled(reading.prompt, reading.encoding, settings)
    assert counted and counted.tokens == filled
    assert reading.prompt.used == ("city",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What is trimmed is what is left at the edges.
        ("user:\n{% if a %}one{% endif %}\n\n\ntwo", Range(1, 3)),
        ("user:\n{% if a %}one{% endif %}\n\n\n{{ b }}", Range(0, 2)),
        ("user:\n{{ b }}\n\n\n{% if a %}one{% endif %}", Range(0, 2)),
        # A message that a condition takes away has no tokens.
        ("{% if a %}system:\none two\n{% endif %}user:\nthree", Range(1, 3)),
    ],
)
def test_ranges_of_prompty(text: str, expected: Range) -> None:
    assert read(f"---\nname: x\n---\n{text}", "a.prompty").ranges.total == expected


def test_a_budget_is_held_against_the_most() -> None:
    text = "{% if a %}one two three{% else %}one{% endif %}"
    for budget, found in ((3, []), (2, ["over-budget"])):
        findings = check(read(text, "a.j2", Settings(budget=budget))).findings
        assert [finding.rule for finding in findings] == found


def test_a_condition_decides_alike_in_all_messages_and_apart_in_each_prompt() -> None:
    text = "system:\n{% if a %}one{% endif %}\nuser:\n{% if not a %}one{% endif %}"
    ranges = read(f"---\nname: x\n---\n{text}", "a.prompty").ranges
    assert (ranges.total, ranges.messages) == (Range(1, 1), [Range(0, 1), Range(0, 1)])
    ranges = read(
        "{% if a %}one{% endif %}\n---\n{% if not a %}one{% endif %}", "prompts.txt"
    ).ranges
    assert (ranges.total, ranges.alternatives) == (Range(0, 2), [Range(0, 1), Range(0, 1)])


def test_a_condition_decides_apart_in_each_prompt_with_sample_values_too() -> None:
    text = "{% if a %}one{% endif %}{{ b }}\n---\n{% if not a %}one{% endif %}{{ b }}"
    settings = Settings(samples={"b": " two"})
    reading = read(text, "prompts.txt", settings)
    filled = count_filled(reading.prompt, ENCODING, settings)
    assert filled is not None
    assert filled.tokens == Range(2, 4)

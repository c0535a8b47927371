"""Handlebars templates, held against what Handlebars.js 4.7 makes of the same texts."""

from __future__ import annotations

import pytest

from promptls.formats import handlebars
from promptls.reading.ranges import Range
from promptls.reading.reading import read


@pytest.mark.parametrize(
    "text",
    [
        *["{{a.b/c}}", "{{elsewhere}}", "{{a.}}", "{{'a'}}", "{{1}}", "{{true}}", "{{[a b]}}"],
        *["{{#if a}}{{else if b}}{{else}}{{/if}}", "{{#a}}{{^}}{{/a}}", "{{^a}}x{{/a}}"],
        *[
            "{{#each a as |x i|}}{{/each}}",
            "{{{{r}}}}{{x}}{{{{/r}}}}",
            "{{>p}}",
            "{{>(f a) b c=d}}",
        ],
        *[
            "{{>p}}",
            "{{#>p}}{{/p}}",
            "{{! }}",
            "{{!--~}}",
            "{{~x~}}",
            "{{&x}}",
            "{{./x}}",
            "{{../x}}",
        ],
        *["{{#*inline 'a'}}x{{/inline}}", "{{f (g a) 'x' k=(h b)}}", "{{f undefined -1.5}}", "}}"],
    ],
)
def test_what_handlebars_reads(text: str) -> None:
    assert not handlebars.FORMAT.parse(text).problems


@pytest.mark.parametrize(
    "text",
    [
        *[
            "{{x}}}",
            "{{{x}}",
            "{{}}",
            "{{a b=c d}}",
            "{{a 'b}}",
            "{{a/../b}}",
            "{{(a b) c}}",
            "{{a",
        ],
        *["{{#a}}{{else}}{{else}}{{/a}}", "{{#if a}}b{{/each}}", "{{#a}}", "{{/a}}", "{{else}}"],
        *[
            "{{^a}}{{else if b}}{{/a}}",
            "{{#>p}}{{else}}{{/p}}",
            "{{#>p a as |x|}}{{/p}}",
            "{{x}}}}",
        ],
        *["{{#if who\nExplain each of the points.\n{{/if}}", "{{!-- x }}", "{{{{r}}}}{{x}}"],
    ],
)
def test_what_handlebars_refuses_is_one_problem(text: str) -> None:
    prompt = handlebars.FORMAT.parse(f"{text} {{{{later}}}} {{{{#b}}}}")
    is_at_the_end = text in ("{{#a}}", "{{{{r}}}}{{x}}")
    assert len(prompt.problems) == 1
    assert is_at_the_end or "later" not in {name for p in prompt.placeholders for name in p.uses}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#if a}}one{{/if}}", Range(0, 1)),
        ("{{#if a}}one{{else if b}}one two{{else}}one two three{{/if}}", Range(1, 3)),
        ("{{#unless a}}one{{/unless}}{{#if a}} two three{{/if}}", Range(1, 2)),
        ("{{#each a}}one{{else}}one two{{/each}}", Range(1, 2)),
        ("{{#each a}}one{{/each}}", Range(1, 1)),
        ("{{#if (eq a 'x')}}one{{/if}}{{#if (eq a 'y')}} two{{/if}}", Range(0, 1)),
        ("{{#if (and a (not b))}}one{{/if}}{{#if b}} two{{/if}}", Range(0, 1)),
        ("{{#with a}}{{#if b}}one{{/if}}{{/with}}{{^a}}one two{{/a}}", Range(0, 2)),
        ("{{^a}}one{{else}}one two three{{/a}}", Range(1, 3)),
        ("{{#if @root.a}}one{{/if}}{{#each b}}{{#if @root.a}} two{{/if}}{{/each}}", Range(0, 2)),
    ],
)
def test_ranges_of_handlebars(text: str, expected: Range) -> None:
    assert read(text, "a.hbs").ranges.total == expected

"""Template languages, against Jinja2 and chevron: what is left is what they make of no values."""

from __future__ import annotations

from collections.abc import Callable

import chevron
import jinja2
import jinja2.meta
import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.formats import handlebars, jinja, mustache
from promptls.passages import passage
from promptls.prompt import Prompt
from promptls.syntax import jinja as jinja_syntax
from promptls.syntax.templates import render

handlebars_parse, mustache_parse = handlebars.FORMAT.parse, mustache.FORMAT.parse

CONTENT = ["a", "é漢 ", "🎉", " ", "\n", "\n\n", "\t", "  x\n", "{", "}", "$", "\r\n"]
JINJA = [
    *CONTENT,
    "{{ a }}",
    "{{- b.c | upper -}}",
    "{{ '}}' if d }}",
    '{{ {"k": {}}.z }}',
    "{# c #}",
    "{#- }} -#}",
    "{%- if true -%}x{%+ endif +%}",
    "{% if true %}",
    "{% endif %}",
    "{% raw %}{{ kept }}{% endraw %}",
    "{%- raw -%} {% kept {%- endraw -%} ",
    "{% for i in [1] -%}",
    "{%- endfor %}",
]
MUSTACHE = [
    *[part for part in CONTENT if part not in "{}"],
    "{{a}}",
    "{{{b.c}}}",
    "{{& d }}",
    "{{! c }}",
    "{{#yes}}",
    "{{/yes}}",
    "\n{{#yes}}\n",
    "\n  {{/yes}}  \n",
    "{{=<% %>=}}<% a %><%={{ }}=%>",
]


def parts(fragments: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(fragments), max_size=14).map("".join)


@given(parts(JINJA))
def test_jinja_agrees_with_jinja2(text: str) -> None:
    prompt = jinja.parse(text)
    try:
        expected = (
            jinja2.Environment(undefined=jinja2.ChainableUndefined).from_string(text).render()
        )
    except jinja2.TemplateSyntaxError:
        return
    assert not prompt.problems
    assert prompt.messages[0].text == expected


@given(parts(JINJA))
def test_jinja_agrees_with_jinja2_where_blocks_are_trimmed(text: str) -> None:
    text = text.replace("\r", "").rstrip("\n")
    rendering = render(passage(text, 0, len(text)), jinja_syntax.scan(text), trim_blocks=True)
    environment = jinja2.Environment(
        undefined=jinja2.ChainableUndefined, trim_blocks=True, lstrip_blocks=True
    )
    try:
        expected = environment.from_string(text).render()
    except jinja2.TemplateSyntaxError:
        return
    assert rendering.message(None).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "{{ a }}{% for x in xs %}{{ x.y }}{{ loop.index }}{% endfor %}",
        "{% if not user.name and (n == 1 or 'k' in m) %}{% elif z is defined %}{% endif %}",
        "{% set total = price * 2 %}{{ total }}{{ f(k=v, w=1) | d(e) }}",
        "{{ 'it\\'s }}' ~ s }} {{ d['key'] }} {{ a.b(c) }}",
        "{% for k, v in m.items() if v %}{{ k }}{% else %}{{ none_found }}{% endfor %}",
        "{% macro field(label, size=3) %}{{ label }}{{ outer }}{% endmacro %}{{ field('x') }}",
    ],
)
def test_jinja_knows_which_names_come_from_outside(text: str) -> None:
    used = {name for placeholder in jinja.parse(text).placeholders for name in placeholder.uses}
    assert used == jinja2.meta.find_undeclared_variables(jinja2.Environment().parse(text))


@given(parts(MUSTACHE))
def test_mustache_agrees_with_chevron(text: str) -> None:
    prompt = mustache_parse(text)
    # Chevron leaves a tab before a tag, and on a last line without a line end spaces after it; the
    # specification takes both away.
    last = text.rpartition("\n")[2]
    if prompt.problems or "\r" in text or "\t" in text or last.endswith(" "):
        return
    assert prompt.messages[0].text == chevron.render(text, {"yes": True})


@pytest.mark.parametrize(
    ("parse", "text", "messages"),
    [
        (jinja.parse, "a {{ b", ["{{ is never closed with }}"]),
        (jinja.parse, "{% if a %}b", ["the block if is never closed"]),
        (jinja.parse, "b{% endfor %}", ["this closes for, which is not open"]),
        (jinja.parse, "{% for a in b %}{% if c %}{% endfor %}", ["the block if is never closed"]),
        (jinja.parse, "{# a", ["{# is never closed with #}"]),
        (handlebars_parse, "{{#if a}}b{{/each}}", ["the block if is never closed"]),
        (handlebars_parse, "{{#if a\nSome words. Others.\n{{/if}}{{b}}",
         ["the block if is never closed: its tag has no }}"]),
        (handlebars_parse, "{{#if a}}{{#each b}}{{/if}}{{c}}", ["the block each is never closed"]),
        (jinja.parse, "{{ a b }}{% endif %}{{", ["the tag should end here instead of b"]),
        (jinja.parse, "{% if x = 1 %}{% endif %}", ["the tag should end here instead of ="]),
        (jinja.parse, "{{ a\nSome words. {{ b }}", ["{{ is never closed with }}"]),
        (jinja.parse, "{% fi a %}", ["Jinja2 knows no statement fi"]),
        (handlebars_parse, "{{a", ["{{ is never closed with }}"]),
        (mustache_parse, "{{#a}}{{b", ["{{ is never closed with }}"]),
        (mustache_parse, "{{#a}}{{#b}}{{/a}}{{c}}", ["the block b is never closed"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(
    parse: Callable[[str], Prompt], text: str, messages: list[str]
) -> None:
    assert [problem.message for problem in parse(text).problems] == messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{a}} {{b.c}} {{this.d}} {{json e}} {{@root.f}} {{[g]}}", set("abcdefg") - {"c"}),
        ('{{#if (eq a "x")}}{{b}}{{else if c}}{{/if}}', {"a", "b", "c"}),
        ("{{#each a}}{{b}}{{../c}}{{#if d}}{{@index}}{{/if}}{{/each}}{{e}}", {"a", "c", "e"}),
        ("{{#each a as |x|}}{{x.y}}{{/each}}{{> p q=b r=true}}{{f 1 'a b'}}", {"a", "b"}),
    ],
)
def test_handlebars_knows_which_names_come_from_outside(text: str, expected: set[str]) -> None:
    placeholders = handlebars_parse(text).placeholders
    assert {name for placeholder in placeholders for name in placeholder.uses} == expected

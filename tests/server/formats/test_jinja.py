"""Jinja templates, held against Jinja2: what it refuses, what it looks up, and what it renders."""

from __future__ import annotations

import jinja2
import jinja2.meta
import jinja2.nodes
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from promptls.formats import jinja
from promptls.prompt import Prompt
from promptls.reading.estimates import count_filled
from promptls.reading.ranges import Range
from promptls.reading.reading import read
from promptls.rows import count_row
from promptls.rules.checking import check
from promptls.settings import Settings
from promptls.syntax.jinja import scan_related
from subword import get_encoding

ENVIRONMENT = jinja2.Environment(undefined=jinja2.ChainableUndefined)

EXPRESSIONS = [
    *["a", "b.c", "x", "i", "loop.index", "'s'", '"{{"', "'it\\'s'", "1", "2.5", "true", "None"],
    *["[1, a]", "{'k': a}", "(a, b)", "()", "[1,]", "{}", "f(a)", "f(a, k=b)", "f(*a, **b)"],
    *["f(k=1, a)", "a|upper", "a | default('z') | upper", "a is defined", "a is not none"],
    *["a is divisibleby 3", "a == 'x'", "not a", "a and b or c", "a if b else c", "a if b", "-a"],
    *["a ~ 'q'", "'p' ~ 'q'", "a[0]", "a['k']", "a[1:2]", "a.0", "a in ['x']", "a not in b"],
    *["1 < 2 < a", "a **b", "a//b", "a % b", "context", "import", "with", "missing", "range(3)"],
    *["caller()", "varargs", "super()", "self.b()", "m(a)", "m('z')|upper"],
    *["a b", "a =", "a = 1", "(a", "a)", "a |", "a is", "a,", "* a", "a$", "a?b", "a:", "", "1a"],
]
STATEMENTS = [
    *["if {}", "if {}:", "elif {}", "else", "endif", "for i in {}", "for i, j in {}"],
    *["for i in {} if i", "for i in {} recursive", "endfor", "set x = {}", "set x", "endset"],
    *["set x | upper", "set n.q = {}", "set a, b = {}", "set true = 1", "macro m(p)"],
    *["macro m(p, q=a)", "endmacro", "call m(a)", "call(u) m(a)", "endcall", "filter upper"],
    *["filter default({})", "endfilter", "with x = {}", "with", "endwith", "block b1"],
    *["endblock", "endblock b1", "autoescape {}", "endautoescape", "include 'n'"],
    *["include {} ignore missing without context", "import 'n' as q", "extends {}", "print {}"],
    *["from 'n' import q, r as s with context", "from 'n' import _q", "if", "for", "unknown"],
]
SIGNS = st.sampled_from(["", "", "-", "+"])


@st.composite
def templates(draw: st.DrawFn) -> str:
    """Tags of all kinds; mostly each block is closed, and so is not every fault the same."""
    parts: list[str] = []
    open_: list[str] = []
    expression = st.sampled_from(EXPRESSIONS)
    for kind in draw(st.lists(st.sampled_from("tvvsse"), max_size=8)):
        if kind == "t":
            parts.append(draw(st.sampled_from(["t", "\n", " ", "é"])))
        elif kind == "v":
            left, right = draw(st.sampled_from([("", ""), ("-", "-"), ("", "-")]))
            parts.append(f"{{{{{left} {draw(expression)} {right}}}}}")
        elif kind == "e" and open_:
            parts.append(f"{{% end{open_.pop()} %}}")
        else:
            statement = draw(st.sampled_from(STATEMENTS)).format(draw(expression))
            parts.append(f"{{%{draw(SIGNS)} {statement} {draw(SIGNS)}%}}")
            word = statement.rstrip(":").partition(" ")[0].partition("(")[0]
            if f"end{word}" in STATEMENTS and not statement.startswith("set x ="):
                open_.append(word)
    if draw(st.integers(0, 4)):
        parts += [f"{{% end{word} %}}" for word in reversed(open_)]
    return "".join(parts)


def parse(text: str) -> Prompt:
    return jinja.parse(text)


@given(templates())
def test_what_jinja2_refuses_is_a_problem_and_nothing_else_is(text: str) -> None:
    prompt = parse(text)
    try:
        tree = ENVIRONMENT.parse(text)
    except jinja2.TemplateSyntaxError:
        # One fault, one finding.
        assert len(prompt.problems) == 1
        return
    assert not prompt.problems
    try:
        outside = jinja2.meta.find_undeclared_variables(tree)
    except (jinja2.TemplateError, AssertionError):
        return
    # Jinja2 also names what is bound in a branch alone, even where nothing looks it up.
    loaded = {n.name for n in tree.find_all(jinja2.nodes.Name) if n.ctx == "load"}
    uses = {name for placeholder in prompt.placeholders for name in placeholder.uses}
    assert uses == outside & (loaded | uses)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write {{ '{{' }}name{{ '}}' }} to {{ user }}.", "Write {{name}} to ."),
        ("{{ 'a' 'b' ~ 1 }}{{ none }}{{ 2.50 }}", "ab1None2.5"),
        ("{{ 'x\\n\\u00e9\\'' -}}  y", "x\né'y"),
        ("a{% macro m() %}unused{% endmacro %}b", "ab"),
        ("{% macro m(p, q='d') -%} [{{ p }}|{{ q }}] {%- endmacro %}{{ m('x') }}{{ m(y) }}",
         "[x|d][|d]"),
    ],
)  # fmt: skip
def test_what_is_known_is_text(text: str, expected: str) -> None:
    assert parse(text).messages[0].text == expected
    assert ENVIRONMENT.from_string(text).render() == expected


def test_what_a_macro_sends_is_counted_where_it_is_called_or_told() -> None:
    simple = parse("{% macro m(p) %}Hi {{ p }}.{% endmacro %}{{ m(a) }}{{ m('b') }}")
    assert simple.messages[0].text == "Hi .Hi b."
    assert simple.value_count == 1 and not simple.uncounted
    other = parse("{% macro m(p) %}{% if p %}Hi{% endif %}{% endmacro %}{{ m(a) }}{{ m(b)|trim }}")
    assert other.messages[0].text == ""
    assert [(each.what, each.count) for each in other.uncounted] == [("macro call", 2)]


RELATED = [
    *["{% macro a | f: 1 %}", "{% endmacro %}", "{% block ! %}", "{% endblock | upper %}"],
    *["{% foo %}", "{% endfoo %}", "{% endfoo a ! %}", "{% unless a %}", "{% endunless ! %}"],
    *["{% if a ! %}", "{% if a %}", "{% endif %}", "{% elsif b ! %}", "{% for a in b ! %}"],
    *["{% else %}", "{% endfor %}", "{% endfor ! %}", "{{ a ! }}", "{% case a %}", "{% endcase %}"],
    *["{% when 1 %}", "{% switch a %}", "{% default %}", "{% endswitch %}"],
]


@given(st.lists(st.sampled_from(RELATED), max_size=8))
@example(["{% macro a | f: 1 %}", "{% endmacro %}"])
@example(["{% block ! %}", "{% endblock | upper %}"])
@example(["{% foo %}", "{% endfoo a ! %}"])
def test_blocks_of_related_languages_begin_and_end_as_they_are_read(tags: list[str]) -> None:
    scan_related("".join(tags))


def test_a_condition_that_related_languages_have() -> None:
    text = "template_format: liquid\nname: a\ntemplate: 'one{% unless a %} two{% endunless %}'"
    assert read(text, "a.yaml").ranges.total == Range(1, 2)


CASES = "{% case a %} {% when 1 %}one{% when 2 %}one two{% else %}one two three{% endcase %}"
SWITCH = "{% switch a %}{% case 1 %}one{% case 2 %}one two{% endswitch %}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CASES, Range(1, 3)),
        (SWITCH, Range(0, 2)),
        # The same case is decided alike wherever it stands.
        (f"{CASES} {CASES}", Range(2, 6)),
        (f"{{% if b %}}{CASES}{{% else %}}{SWITCH}{{% endif %}}", Range(0, 3)),
    ],
)
def test_one_case_is_sent(text: str, expected: Range) -> None:
    reading = read(f'template_format: liquid\nname: a\ntemplate: "{text}"', "a.yaml")
    assert (reading.ranges.total, check(reading).findings) == (expected, [])


def test_which_macro_of_a_name_is_called_is_not_known() -> None:
    one, other = ("{% macro m() %}" + text + "{% endmacro %}" for text in ("one", "other"))
    prompt = parse(f"a{{% if x %}}{one}{{% else %}}{other}{{% endif %}}{{{{ m() }}}}")
    assert [message.text for message in prompt.messages] == ["a"]
    assert [(each.what, each.count) for each in prompt.uncounted] == [("macro call", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "{% macro m() %}" + "word " * 4_000 + "{% endmacro %}" + "{{ m() }}" * 2_000,
        "{% macro m(p) %}" + "{{ p }}" * 2_000 + "{% endmacro %}{{ m('" + "word " * 4_000 + "') }}",
    ],
)
def test_calls_that_send_far_more_than_the_file_has_are_not_written_out(text: str) -> None:
    prompt = parse(text)
    assert len(prompt.messages[0].text) <= 1 << 20
    assert [each.what for each in prompt.uncounted] == ["macro call"]


# --- Branches ------------------------------------------------------------------------------------

CONDITIONS = ["a", "not a", "b", "a and b", "a or not b", "c == 'x'", "c != 'x'", "c in ['x', 'y']"]
WORDS = ["one", " two", "\n", "  ", "don", "'t", "12", "3", " é漢字", "🎉", ", and"]


@st.composite
def branches(draw: st.DrawFn, depth: int = 0) -> str:
    """Text with conditions in it, which are tested again and again."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        parts.append(draw(st.sampled_from(WORDS)))
        if depth < 2 and draw(st.booleans()):
            parts.append(f"{{% if {draw(st.sampled_from(CONDITIONS))} %}}")
            parts.append(draw(branches(depth + 1)))
            if draw(st.booleans()):
                parts.append(f"{{% elif {draw(st.sampled_from(CONDITIONS))} %}}")
                parts.append(draw(branches(depth + 1)))
            if draw(st.booleans()):
                parts.append("{% else %}" + draw(branches(depth + 1)))
            parts.append("{% endif %}")
    return "".join(parts)


RENDERINGS = [
    {name: value for name, value in (("a", a), ("b", b), ("c", c)) if value is not None}
    for a in (None, "1")
    for b in (None, "1")
    for c in (None, "x", "y", "z")
]


@given(branches())
def test_a_range_is_from_the_least_to_the_most_of_all_renderings(text: str) -> None:
    template = ENVIRONMENT.from_string(text)
    count = get_encoding("o200k_base").count
    counts = [count(template.render(values)) for values in RENDERINGS]
    reading = read(text, "a.j2", Settings(encoding="o200k_base"))
    assert reading.ranges.total == Range(min(counts), max(counts))


@given(branches(), st.sampled_from(RENDERINGS))
def test_with_values_it_is_what_jinja2_renders(text: str, values: dict[str, str]) -> None:
    text += "{{ a }}.{{ b }}{{ c }}"
    known = {"a": "", "b": "", "c": "", **values}
    settings = Settings(encoding="o200k_base", samples=known)
    reading = read(text, "a.j2", settings)
    filled = count_filled(reading.prompt, reading.encoding, settings)
    expected = reading.encoding.count(ENVIRONMENT.from_string(text).render(known))
    assert filled and filled.tokens == Range(expected, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{% for x in xs %}one{% else %}one two three{% endfor %}", Range(1, 3)),
        ("{% for x in xs %}one{% endfor %}", Range(1, 1)),
        ("{% for x in xs %}{% if loop.first %}one{% endif %}{% endfor %}", Range(0, 1)),
        ("{% block b %}one{% endblock %}{% macro m() %}two{% endmacro %}", Range(1, 1)),
        # What nobody works out here is the same wherever it is asked.
        ("{% if f(a) > 2 %}one{% endif %}{% if f(a) > 2 %} two{% endif %}", Range(0, 2)),
        ("{% if f(a) %}one{% else %}{% if not f(a) %}two three{% endif %}{% endif %}", Range(1, 2)),
        # A user without a value has no name.
        ("{% if not user %}one{% endif %}{% if user.name %} two{% endif %}", Range(0, 1)),
    ],
)
def test_ranges_of_jinja(text: str, expected: Range) -> None:
    assert read(text, "a.j2").ranges.total == expected


def test_many_conditions_in_one_long_word_are_marked_and_hold_both_ends() -> None:
    names = [f"n{number}" for number in range(40)]
    text = "x".join(f"{{% if {name} %}}ab{{% else %}}qzjxkvwq{{% endif %}}" for name in names)
    count = get_encoding("o200k_base").count
    low, high, is_bounds = read(text, "a.j2", Settings(encoding="o200k_base")).ranges.total
    assert low <= count("x".join(["ab"] * 40)) < count("x".join(["qzjxkvwq"] * 40)) <= high
    assert is_bounds


def test_a_loop_says_that_it_counts_per_item() -> None:
    row = count_row(read("{% for x in xs %}one{% endfor %}", "a.j2"), "a.j2")
    assert (row["tokens"], row["loops"]) == (1, 1)
    assert "loops" not in count_row(read("one", "a.j2"), "a.j2")
    assert read("{{#each xs}}one{{/each}}", "a.hbs").prompt.loop_count == 1

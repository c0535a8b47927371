"""Ranges of templates with many conditions, against all that Jinja2 can render: true or marked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptls.cli.main import main
from promptls.reading import combinations
from promptls.reading.ranges import Range
from promptls.reading.reading import read
from promptls.rules.checking import check
from promptls.settings import Settings
from subword import get_encoding

ENVIRONMENT = jinja2.Environment()
FLAGS = "abcd"
VALUES: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(FLAGS, (None, "", "1")),
    "m": (None, "x", "y", "z"),
    # A loop counts once; one that has something to send without items may have none.
    "some": (("1",),),
    "items": ((), ("1",)),
}
ATOMS = [
    *FLAGS,
    *(f"{flag} is defined" for flag in "ab"),
    "m == 'x'",
    "m != 'y'",
    "m in ['x', 'y']",
]
WORDS = [
    "one",
    " two",
    "\n",
    "don",
    "'t",
    "12",
    "3",
    " é漢字",
    "🎉",
    ", and",
    "One line.\n",
    " \n\n",
]
CONDITIONS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        inner.map("not ({})".format),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
            lambda parts: "({} {} {})".format(*parts)
        ),
    ),
    max_leaves=3,
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=2).map("".join)


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> str:
    """Text with branches and loops in it, which ask for the same again and again."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, max(3 - depth, 1)))):
        kind = draw(st.sampled_from(["if", "if", "for"] if depth < 2 else [""]))
        has_else = draw(st.booleans())
        opener = f"for item in {'items' if has_else else 'some'}"
        opener = f"if {draw(CONDITIONS)}" if kind == "if" else opener
        parts += [draw(TEXTS), kind and f"{{% {opener} %}}{draw(blocks(depth + 1))}"]
        if kind == "if" and draw(st.booleans()):
            parts.append(f"{{% elif {draw(CONDITIONS)} %}}{draw(blocks(depth + 1))}")
        if kind and has_else:
            parts.append("{% else %}" + draw(blocks(depth + 1)))
        parts += [kind and f"{{% end{kind} %}}", draw(TEXTS)]
    return "".join(parts)


def truth(text: str, values: Mapping[str, Iterable[object]] = VALUES, encoding: str = "") -> Range:
    """The fewest and the most tokens of all that Jinja2 renders."""
    template, count = ENVIRONMENT.from_string(text), get_encoding(encoding or "o200k_base").count
    rendered = {
        template.render({n: v for n, v in zip(values, each, strict=True) if v is not None})
        for each in product(*values.values())
    }
    counts = list(map(count, rendered))
    return Range(min(counts), max(counts))


def found(text: str, encoding: str = "") -> Range:
    return read(text, "a.j2", Settings(encoding=encoding or "o200k_base")).ranges.total


@given(blocks(), st.sampled_from(["o200k_base", "cl100k_base", "gpt2"]))
def test_a_range_is_what_jinja2_renders(text: str, encoding: str) -> None:
    assert found(text, encoding) == truth(text, encoding=encoding)


@pytest.mark.parametrize("limit", ["_WIDTH", "_MOST_WORK", "_MOST_TRIES", "_MOST_TEXT"])
@given(text=blocks(), encoding=st.sampled_from(["o200k_base", "cl100k_base", "gpt2"]))
def test_with_less_room_it_is_true_or_marked_and_holds_the_truth(
    limit: str, text: str, encoding: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combinations, limit, 4)
        patch.setattr(combinations, "_NARROW", 4)
        low, high, is_bounds = found(text, encoding)
    least, most, _ = truth(text, encoding=encoding)
    assert low <= least <= most <= high
    assert is_bounds or (low, high) == (least, most)


LINES = ["Answer briefly.", "- Use the tools.", "Never guess: ask", "日本語で", "1.", "x", ""]
ENDS = ["\n", "\n\n", " ", "", "\nAlways:\n", "pre"]
FREE = [
    *("{% if {0} %}{1}{% endif %}", "{% if not {0} %}{1}{% else %}{2}{% endif %}"),
    *("{% if {0} == 'x' %}\n{1}\n{% elif {0} == 'y' %}\n{2}\n{% endif %}",),
    "{% if {0} %}\n{1}\n{% endif %}\n",
]


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.sampled_from(FREE), *[st.sampled_from(LINES)] * 2, st.sampled_from(ENDS)),
        min_size=7,
        max_size=10,
    )
)
def test_conditions_that_follow_each_other_are_exact(
    parts: list[tuple[str, str, str, str]],
) -> None:
    text = ""
    for number, (block, one, other, end) in enumerate(parts):
        text += block.replace("{0}", f"n{number}").replace("{1}", one).replace("{2}", other) + end
    names = {
        f"n{n}": (None, "x", "y") if "'y'" in part[0] else (None, "x")
        for n, part in enumerate(parts)
    }
    assert found(text) == truth(text, names)


# Fourteen conditions in one place that are tested again in another: more than go on at once.
TWICE = "".join(f"{{% if n{n} %}}{'word ' * (n % 5)} {{% else %}}b{{% endif %}}" for n in range(14))
TWICE += " and " + "".join(
    f"{{% if not n{n} %}}{'other ' * (n % 7)} {{% endif %}}" for n in range(14)
)


def test_bounds_are_marked_wherever_they_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.j2"
    file.write_text(TWICE)
    low, high, is_bounds = found(TWICE)
    assert is_bounds
    shown = f"about {low} to {high}"
    for command in (
        ["count"],
        ["compare", "--encodings", "o200k_base"],
        ["check", "--budget", "9"],
    ):
        main([*command, str(file)])
        said = capsys.readouterr().out
        assert shown in said
        assert command[0] == "compare" or "more combinations than can be listed" in said
    main(["count", "--json", str(file)])
    (row,) = json.loads(capsys.readouterr().out)["files"]
    for each in (row, *row["messages"]):
        marks = [each[name] for name in ("exactness", "low", "high", "bounded")]
        assert marks == ["about", low, high, True]
    # A budget is held against the bound.
    for budget, rules in ((high, []), (high - 1, ["over-budget"])):
        findings = check(
            read(TWICE, "a.j2", Settings(encoding="o200k_base", budget=budget))
        ).findings
        assert [finding.rule for finding in findings if finding.rule == "over-budget"] == rules

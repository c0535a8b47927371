"""YAML and JSON with positions, against `json` and PyYAML, which know only the values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from promptls.syntax import yaml_document
from promptls.syntax.json_document import read_json
from promptls.syntax.nodes import Mapping, Node, Scalar, Sequence
from promptls.syntax.yaml_document import read_yaml

from .sources import check_source

TEXTS = st.text(
    st.sampled_from("ab é漢🎉'\"\\:#-{}[]|>,%&*!?@`~ \t\n\n\r\x85\u2028\ufeff\x00"), max_size=30
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda values: st.lists(values, max_size=4) | st.dictionaries(TEXTS, values, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_json_has_the_values_of_json(
    value: object, ascii_only: bool, indent: int | str | None
) -> None:
    file = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    tree = read_json(file)
    assert not tree.problems
    assert plain(tree.roots[0], json.loads) == value
    check_scalars(file, tree.roots)


@given(st.text(st.sampled_from('{}[]",:\\u0d83ce n\n\rtrue-1 🎉'), max_size=40))
def test_json_is_read_whatever_it_is(file: str) -> None:
    tree = read_json(file)
    check_scalars(file, tree.roots)
    try:
        value = json.loads(file)
    except json.JSONDecodeError:
        return
    assert plain(tree.roots[0], json.loads) == value


@pytest.mark.parametrize(
    ("file", "expected", "problems"),
    [
        ('{"a": "x', {"a": "x"}, 2),
        ('{"a": "x\n, "b": "y"}', {"a": "x", "b": "y"}, 1),
        ('{"a": [{"b": "x"}, {"b": ', {"a": [{"b": "x"}, {}]}, 1),
        ('{"a": [1, 2}', {"a": [1, 2]}, 1),
        ("[1, 2]]", [1, 2], 1),
        ('{"a": 1, }', {"a": 1}, 0),
        ('{"a", "b": 2}', {"b": 2}, 0),
        ('{"a": nul}', {"a": "nul"}, 1),
        (r'"\ud83c\udf3e \ud83c \x"', "🌾 \ud83c \\x", 0),
    ],
)
def test_half_typed_json(file: str, expected: object, problems: int) -> None:
    tree = read_json(file)
    assert plain(tree.roots[0], loads_or_keep) == expected
    assert len(tree.problems) == problems


@pytest.fixture(params=["libyaml", "python"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(yaml_document, "_LOADER", yaml.SafeLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML is built without libyaml")


SCALARS = [
    "a",
    "plain 漢字 🎉 text",
    "plain\n  over\n\n  three lines",
    "'it''s\n  folded\n\n\n  🎉'",
    r'"tab\t nl\n \x41 \u00e9 \U0001F389 \" \\ \/ \N \e"',
    '"joined \\\n   here \\\n\n   and\n   folded"',
    "|\n    one\n      two\n\n    three\n",
    "|-\n    one\n\n\n",
    "|+\n    one\n\n\n",
    "|2\n    two more\n  less\n",
    "|2-  # comment\n  x\n",
    ">\n    one\n    two\n\n    three\n      more\n      more\n    four\n\n",
    ">-\n\n\n    one\n    two 🎉\n\n\n\n    three\n",
    ">+\n  one\n\n  two\n\n\n",
    "|\n\n\n",
    "|+\n\n\n",
    '""',
    "''",
    "|\n  a\u2028  b\n  c\x85  d\n",
]


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("prefix", ["", "\ufeff", "x: 🎉\n"])
def test_yaml_scalars_are_located(scalar: str, newline: str, prefix: str) -> None:
    file = prefix + f"k: {scalar}\nz: end\n".replace("\n", newline)
    tree = read_yaml(file)
    expected = yaml.load(file, Loader=yaml.BaseLoader)
    assert not tree.problems
    assert plain(tree.roots[0], str) == expected
    check_scalars(file, tree.roots)
    if expected["k"]:
        node = next(value for key, value in tree.roots[0].entries if key == "k")  # type: ignore[union-attr]
        runs = node.passage.source.runs  # type: ignore[union-attr]
        assert any(run.verbatim for run in runs) or not expected["k"].strip(), "it was not located"


@given(JSON_VALUES, st.sampled_from([None, "'", '"', "|", ">"]), st.booleans(), st.integers(10, 80))
def test_yaml_has_the_values_of_pyyaml(
    value: object, style: str | None, wide: bool, width: int
) -> None:
    file = yaml.safe_dump(value, default_style=style, allow_unicode=wide, width=width)
    tree = read_yaml(file)
    assert not tree.problems
    assert plain(tree.roots[0], str) == yaml.load(file, Loader=yaml.BaseLoader)
    check_scalars(file, tree.roots)


@given(
    st.lists(
        st.sampled_from(
            [
                "k: ",
                "- ",
                "\n",
                "  ",
                "|\n",
                ">-\n",
                '"',
                "'",
                "# c",
                "&a ",
                "*a",
                "x",
                "🎉",
                "\t",
                "{",
                "}",
                "[",
                "]",
                ", ",
                ": ",
                "---\n",
                "\x00",
                "\r",
                "\ud83c",
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_yaml_is_read_whatever_it_is(file: str) -> None:
    tree = read_yaml(file)
    check_scalars(file, tree.roots)
    for problem in tree.problems:
        assert 0 <= problem.start <= problem.end <= len(file)


@pytest.mark.parametrize(
    ("file", "expected", "problems"),
    [
        ('m:\n  - a: "unclosed\n  - b: fine\n', {"m": [{"b": "fine"}]}, 1),
        ("a: 1\nb: [1, 2\nc: 3\n", {"a": "1", "c": "3"}, 1),
        ("a: 1\n\tb: 2\nc: 3\n", {"a": "1", "c": "3"}, 1),
        ("m: &x hello\nn: *x\n", {"m": "hello", "n": "hello"}, 0),
        ("globs: **/*.ts\na: b\n", {"a": "b"}, 1),
    ],
)
def test_half_typed_yaml(file: str, expected: object, problems: int) -> None:
    tree = read_yaml(file)
    assert plain(tree.roots[0], str) == expected
    assert len(tree.problems) == problems


def loads_or_keep(value: str) -> object:
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def plain(node: Node, literal: Callable[[str], object]) -> object:
    """A node as Python's own values."""
    if isinstance(node, Scalar):
        return node.value if node.is_text else literal(node.value)
    if isinstance(node, Sequence):
        return [plain(item, literal) for item in node.items]
    return {key: plain(value, literal) for key, value in node.entries}


def check_scalars(file: str, nodes: list[Node]) -> None:
    for scalar in scalars(nodes):
        assert scalar.passage.text == scalar.value
        check_source(file, scalar.passage.text, scalar.passage.source, scalar.start, scalar.end)


def scalars(nodes: list[Node]) -> Iterator[Scalar]:
    for node in nodes:
        if isinstance(node, Scalar):
            yield node
        elif isinstance(node, Mapping):
            yield from scalars([value for _, value in node.entries])
        else:
            yield from scalars(node.items)

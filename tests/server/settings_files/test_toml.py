"""The places of TOML's keys, held against what the standard library reads at the same keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.settings_files.toml import Path, deepest, key_spans, parse

DOCUMENT = '''\
a = 1 # b = 2
"b.c".d = """ [no]
x = "" 3 """""
hints.mode = { q = 1, "r\\u0020s" = [ {z = 2}, [3, {y = ','}] ], t = {}, u.v = 'w = 1' }
when = 1979-05-27T07:32:00.5Z
list = [
  "a", # k = v
  { deep = 'x' },
]
[tool.promptls]
rules = {x = "off"}
[ spaced . 'key' ]
m = \'\'\'
[no]'\'\'\'\'
[[many.tables]]
n = 1.5
[[many.tables]]
o = [[], [[]]]
[empty]
'''


def keys_of(value: object, path: Path = ()) -> Iterator[Path]:
    """Every key of a document as the parser has it; those inside arrays have their array's."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield (*path, key)
            yield from keys_of(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner, path)


def check(document: str) -> None:
    spans = key_spans(document)
    assert set(spans) == set(keys_of(parse(document)))
    for path, (start, end) in spans.items():
        inner = parse(f"{document[start:end]} = 1")
        assert list(keys_of(inner))[-1] == path[-len(list(keys_of(inner))) :]


def test_every_key_is_found_and_nothing_else() -> None:
    check(DOCUMENT)
    check(DOCUMENT.replace("\n", "\r\n"))


KEY = st.text(st.characters(max_codepoint=0xFFFF), max_size=5).filter(lambda key: key.isprintable())
VALUE = st.recursive(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=12,
)


def written(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@given(st.dictionaries(KEY, VALUE, max_size=4), st.lists(KEY, min_size=1, max_size=3))
def test_any_document(table: dict[str, object], header: list[str]) -> None:
    lines = [f"{json.dumps(key)} = {written(value)}" for key, value in table.items()]
    top = "other" if header[0] in table else header[0]
    lines.append("[" + " . ".join(map(json.dumps, [top, *header[1:]])) + "] # x = 1")
    lines += lines[:-1]
    check("\n".join(lines))


@pytest.mark.parametrize("unclosed", ['"""', "'''", '"', "'", '"""\\', '"\\', '""""', "''''"])
def test_a_text_that_is_not_valid_is_looked_at_once(unclosed: str) -> None:
    assert deepest(f"a.b = {unclosed}") >= 2


DEPTHS = [
    ("a = 1", 1),
    ("a.b . c = 1", 3),
    ("[a.b]\nc.'d.e'.f.g = 1", 4),
    ("a = '....' # ....", 1),
    ("a = [1.5, 1.5, 1.5]", 2),
]


@pytest.mark.parametrize(("text", "depth"), DEPTHS)
def test_how_deep_the_deepest_key_is(text: str, depth: int) -> None:
    assert deepest(text) == depth

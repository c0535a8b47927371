"""Adding an item to a settings file by one insertion: the file parses to what it was, and the item.

The parser is the oracle, for texts of every way in which TOML can say the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.settings_files.edits import insertion, new_file
from promptls.settings_files.toml import parse
from promptls.text import edited

TOKEN = "<|im_end|>"
NAME = "allowedTokens"
PROMPTLS, PYPROJECT = "promptls.toml", "pyproject.toml"


def added(name: str, text: str, token: str = TOKEN) -> str | None:
    place = insertion(Path("/folder", name), text, NAME, token)
    return None if place is None else edited(text, [place])


def check(name: str, text: str, token: str = TOKEN) -> str:
    """Add a token; the new text. Nothing else may have changed, nor any comment."""
    changed = added(name, text, token)
    assert changed is not None, text
    before, after = parse(text), parse(changed)
    table = after
    for key in ("tool", "promptls") if name == PYPROJECT else ():
        table = table[key]
    assert token in table[NAME]
    table[NAME].remove(token)
    old = before
    for key in ("tool", "promptls") if name == PYPROJECT else ():
        old = old.setdefault(key, {})
    old.setdefault(NAME, [])
    assert repr(sorted_deeply(after)) == repr(sorted_deeply(before))
    # An insertion can only cut a comment in two by ending its line.
    lines = changed.replace("\r", "").split("\n")
    assert all(
        line in lines or "#" not in line
        for line in text.replace("\r", "").split("\n")
        if line.lstrip().startswith("#")
    )
    return changed


def sorted_deeply(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sorted_deeply(value[key]) for key in sorted(value)}
    return [sorted_deeply(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "token", [TOKEN, "<｜end▁of▁sentence｜>", 'a"b\\c', "[INST]", "\x7f\x00\t"]
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (PROMPTLS, ""),
        (PROMPTLS, "# only a comment"),
        (PROMPTLS, '# ours\nencoding = "gpt2"\n\n[rules]\nnot-nfc = "off"\n'),
        (PROMPTLS, 'allowedTokens = []\nencoding = "gpt2"\n'),
        (PROMPTLS, 'encoding = "gpt2"\r\nallowedTokens = ["<s>"]\r\n[rules]\r\n'),
        (PROMPTLS, 'allowedTokens = [\n  # why\n  "<s>",\n]\n[rules]\nnot-nfc = "off"\n'),
        (PROMPTLS, 'allowedTokens = [ # why, and "so"\n]\n'),
        (PROMPTLS, 'allowedTokens = [\n  "<s>" # no comma [\n  , # but here\n]\n'),
        (PROMPTLS, "allowedTokens = [\n\n]"),
        (PROMPTLS, "\"allowedTokens\" = [ '<s>' ]"),
        (PROMPTLS, "'allowedTokens'=['''\n]''']"),
        (PROMPTLS, 'samples.x = """\nallowedTokens = [\n"""\nallowedTokens = ["<s>"]\n'),
        (PROMPTLS, 'samples.x = """\n[rules]\n"""\n# allowedTokens = []\n'),
        (PROMPTLS, "rules = {not-nfc = 'off'}\nx = nan"),
        (PYPROJECT, ""),
        (PYPROJECT, '[project]\nname = "x"'),
        (PYPROJECT, '[project]\nname = "x"\n\n[tool.promptls]\nencoding = "gpt2"\n'),
        (PYPROJECT, '[tool.promptls] # ours\nencoding = "gpt2"\n'),
        (PYPROJECT, '[tool.promptls]\nallowedTokens = ["<s>"]\n[tool.promptls.rules]\n'),
        (PYPROJECT, '[tool.other]\nallowedTokens = []\n[tool.promptls]\nencoding = "gpt2"'),
        (PYPROJECT, "[ tool . 'promptls' ]\r\n"),
        (PYPROJECT, "[tool.promptls.rules]\nnot-nfc = 'off'\n"),
        (PYPROJECT, "[tool.promptls.rules]\nnot-nfc = 'off'\n[tool.promptls]\nbudget = 3"),
        (PYPROJECT, "[tool]\npromptls.budget = 3\nx = [1,\n2]\n[other]"),
        (PYPROJECT, "tool.promptls.budget = 3\n"),
        (PYPROJECT, "tool.promptls.allowedTokens = ['<s>']\n"),
        (PYPROJECT, "tool = {promptls = {allowedTokens = []}}\n"),
        (PYPROJECT, "tool = {promptls = {}, x = 1}\n"),
        (PYPROJECT, "[tool]\npromptls = { budget = 3 }\n"),
        (PYPROJECT, "x = '''\n[tool.promptls]\n'''\n[tool.promptls]\nbudget = 3\n"),
    ],
)
def test_an_item_is_added(name: str, text: str, token: str) -> None:
    check(name, check(name, text, token), "<|second|>")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (PROMPTLS, "encoding = ["),
        (PROMPTLS, 'allowedTokens = "<s>"\n'),
        (PROMPTLS, f'allowedTokens = ["{TOKEN}"]\n'),
        (PROMPTLS, "[allowedTokens]\n"),
        (PYPROJECT, "tool = 3"),
        (PYPROJECT, "[[tool]]\n"),
    ],
)
def test_what_cannot_be_added_to_is_left_alone(name: str, text: str) -> None:
    assert added(name, text) is None


def test_a_list_over_several_lines_gets_another_line() -> None:
    text = 'allowedTokens = [ # ours\n\t"<s>",\n]\n'
    assert check(PROMPTLS, text) == f'allowedTokens = [ # ours\n\t"{TOKEN}",\n\t"<s>",\n]\n'


def test_the_line_ends_of_a_file_stay_its_own() -> None:
    assert check(PYPROJECT, "[tool.promptls]\r\nbudget = 3\r\n").count("\n") == 3
    assert "\n" not in check(PYPROJECT, "[tool.promptls]\r\nbudget = 3\r\n").replace("\r\n", "")


def test_a_new_file_has_the_item() -> None:
    assert parse(new_file(NAME, 'a"\\')) == {NAME: ['a"\\']}


# Documents written in every way: comments, blank lines, strings of all four kinds, arrays over
# several lines, dotted and quoted keys, inline tables, headers in any order.
_comments = st.sampled_from(["", " # why", " # ] } ' \" [tool.promptls]", "\t#allowedTokens = []"])
_strings = st.sampled_from(['"<s>"', "'</s>'", '"""\n[a]\n"""', "'''# no ]'''", '"\\u0041 #"'])
_gaps = st.sampled_from(["", " ", "\n", "\n  # ] or not\n  ", "\t"])


@st.composite
def _arrays(draw: st.DrawFn) -> str:
    items = draw(st.lists(_strings, max_size=3, unique=True))
    text = "["
    for number, item in enumerate(items):
        is_last = number == len(items) - 1
        comma = "" if is_last and draw(st.booleans()) else ","
        text += draw(_gaps) + item + draw(_gaps) + comma
    return text + draw(_gaps) + "]"


_values = st.one_of(
    _strings, _arrays(), st.sampled_from(["1", "nan", "1979-05-27", "{}", "{ a.b = [ ] }"])
)
_keys = st.sampled_from(["encoding", '"budget"', "samples.a", "samples . 'b c'", "hints.mode", "x"])


@st.composite
def _documents(draw: st.DrawFn, prefix: str) -> str:
    """Statements of our table, which is the whole file, a table with a header, or inline."""
    lines = [
        f"{key} = {draw(_values)}" for key in draw(st.lists(_keys, max_size=3, unique_by=_first))
    ]
    list_key = draw(st.sampled_from(["allowedTokens", '"allowedTokens"', "'allowedTokens'"]))
    if draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), f"{list_key} = {draw(_arrays())}")
    body = [line + draw(_comments) for line in lines]
    way = draw(st.sampled_from(["header", "dotted", "inline"])) if prefix else "root"
    if way == "dotted":
        body = [f"{prefix}.{line}" for line in body]
    elif way == "inline":
        inner = ", ".join(line for line in lines if "\n" not in line)
        body = [f"{prefix} = {{ {inner} }}" + draw(_comments)]
    elif way == "header":
        header = draw(
            st.sampled_from(["[tool.promptls]", "[ tool.'promptls' ]", "\t[tool.promptls]"])
        )
        others = draw(
            st.sampled_from(["", "name = 1\n", "[tool.promptls.rules]\n", "[a]\n\n[[b]]\n"])
        )
        body = [others + header + draw(_comments), *body]
    tail = draw(st.sampled_from(["", "", "[z]\nallowedTokens = []", "# the end"]))
    text = draw(st.sampled_from(["", "# first\n", "\n\n"])) + "\n".join([*body, tail])
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def _first(key: str) -> str:
    return key.partition(".")[0].strip().strip("\"'")


@given(st.data())
def test_any_document(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([PROMPTLS, PYPROJECT]))
    text = data.draw(_documents("tool.promptls" if name == PYPROJECT else ""))
    try:
        parse(text)
    except ValueError:
        assert added(name, text) is None
        return
    check(name, text)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ["allowedTokens", "=", "[", "]", "\n", '"', "#", "tool.promptls", "{", "}", ",", "'"]
        ),
        max_size=12,
    ).map(" ".join)
)
def test_no_text_raises_or_is_damaged(text: str) -> None:
    for name in (PROMPTLS, PYPROJECT):
        changed = added(name, text)
        assert changed is None or json.dumps(TOKEN)[1:-1] in changed

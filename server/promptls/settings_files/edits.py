"""One insertion that adds an item to a list of a settings file, right however it is written.

Places that may be right are tried, the nicest first, and the file is parsed with each: what is
taken changes the list and nothing else. So a place inside a comment or a string is never taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..text import Edit, edited
from .files import NAMES
from .toml import key_spans, parse

_LIST = re.compile(r"[ \t]*=[ \t]*\[")
_INLINE_TABLE = re.compile(r"[ \t]*=[ \t]*\{")
_HEADER = re.compile(r"^[ \t]*\[[^\[\n][^\n]*promptls[^\n]*$", re.MULTILINE)

# A file has one header of our table; a string can hold lines that look like it.
_MOST_HEADERS = 20


def new_file(name: str, item: str) -> str:
    """A settings file that has nothing but a list with one item."""
    return f"{name} = [{_quoted(item)}]\n"


def insertion(path: Path, text: str, name: str, item: str) -> Edit | None:
    """What adds an item to the list `name` in a settings file with this text.

    None when the text isn't valid, has something else under that name or has the item already.
    """
    prefix = ("tool", "promptls") if path.name == NAMES[1] else ()
    before = _parsed(text)
    after = _with_item(before, (*prefix, name), item)
    if after is None:
        return None
    wanted = _comparable(after)
    for place in _places(text, prefix, name, _quoted(item)):
        changed = _parsed(edited(text, [place]))
        if changed is not None and _comparable(changed) == wanted:
            return place
    return None


def _with_item(table: object, path: tuple[str, ...], item: str) -> dict[str, object] | None:
    """The table with an item at the beginning of the list at `path`, which may be absent."""
    if not isinstance(table, dict):
        return None
    key, *rest = path
    old = table.get(key, {} if rest else [])
    new: object
    if rest:
        new = _with_item(old, tuple(rest), item)
    else:
        new = [item, *old] if isinstance(old, list) and item not in old else None
    return None if new is None else {**table, key: new}


def _places(text: str, prefix: tuple[str, ...], name: str, item: str) -> Iterator[Edit]:
    """The places that may be right: in the list, or where it can be written as a new key."""
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    spans = key_spans(text)
    entry = f"{name} = [{item}]"
    key = (*prefix, name)
    if key in spans:
        opening = _LIST.match(text, spans[key][1])
        if opening:
            yield from _in_list(text, opening.end(), item, end_of_line)
    elif not prefix:
        # The first lines can be for other tools, as `#:schema` is.
        directives = re.match(r"(?:#:[^\n]*\n)*", text)
        yield _insert(directives.end() if directives else 0, f"{entry}{end_of_line}")
    else:
        yield from _in_table(text, spans.get(prefix), entry, end_of_line)
        gap = "" if not text else end_of_line if text.endswith("\n") else 2 * end_of_line
        header = f"[{'.'.join(prefix)}]"
        yield _insert(len(text), f"{gap}{header}{end_of_line}{entry}{end_of_line}")


def _in_list(text: str, at: int, item: str, end_of_line: str) -> Iterator[Edit]:
    """Places in a list whose bracket ends at `at`: as a line of its own, or behind the bracket."""
    line_end = text.find("\n", at)
    rest = text[at:line_end].strip()
    if line_end >= 0 and (not rest or rest.startswith("#")):
        indent = re.compile(r"[ \t]*").match(text, line_end + 1)
        next_indent = indent[0] if indent else ""
        closes = text.startswith("]", line_end + 1 + len(next_indent))
        own = next_indent + "  " if closes else next_indent
        yield _insert(line_end + 1, f"{own}{item},{end_of_line}")
    yield _insert(at, item)
    yield _insert(at, f"{item}, ")


def _in_table(
    text: str, span: tuple[int, int] | None, entry: str, end_of_line: str
) -> Iterator[Edit]:
    """Places for a new key of a table whose name stands first at `span`, however it is written."""
    for number, header in enumerate(_HEADER.finditer(text)):
        if number < _MOST_HEADERS:
            at = header.end() - header[0].endswith("\r")
            yield _insert(at, f"{end_of_line}{entry}")
    if span is None:
        return
    start, end = span
    if opening := _INLINE_TABLE.match(text, end):
        yield _insert(opening.end(), entry)
        yield _insert(opening.end(), f"{entry}, ")
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip():
        yield _insert(line, f"{text[line:end]}.{entry}{end_of_line}")


def _insert(at: int, text: str) -> Edit:
    return Edit(at, at, text)


def _quoted(text: str) -> str:
    """A text as a TOML string: JSON's escapes are a part of TOML's, which has DEL escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _parsed(text: str) -> dict[str, object] | None:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


def _comparable(table: Mapping[str, object]) -> str:
    """The table as a text, the same for the same values, those that are no number too."""
    return json.dumps(table, sort_keys=True, default=repr)

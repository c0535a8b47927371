"""A change of a file as a patch that `git apply` and `patch` take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

_NO_NEWLINE = "\n\\ No newline at end of file\n"


def unified_diff(before: str, after: str, name: str) -> str:
    """The patch from one text of a file to another; empty when they are the same.

    Patches know only `\\n` as a line's end; other ends are part of the line, and are kept.
    """
    path = name.replace("\\", "/")
    old, new = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new)
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines)


def _quoted(path: str) -> str:
    """A path as Git writes it in a patch: as a string of C where it has what can't be shown."""
    if path.isprintable() and '"' not in path:
        return path
    data = path.encode("utf-8", "surrogateescape")
    shown = (chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in data)
    return f'"{"".join(shown)}"'


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + list(_last(text))


def _last(text: str) -> Iterator[str]:
    """What stands after the last line end, if anything does."""
    if last := text.rpartition("\n")[2]:
        yield last

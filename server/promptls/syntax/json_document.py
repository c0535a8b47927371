"""Reads JSON, half-typed JSON too, keeping the place of every value and every escape.

`json` gives no positions and stops at the first error; this reader skips what it cannot read.
"""

from __future__ import annotations

import re
from functools import partial

from ..passages import Passage, PassageBuilder, passage
from ..prompt import Problem, ProblemKind
from .nodes import Mapping, Node, Scalar, Sequence, Tree

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\ufeff]+)
    |(?P<string>"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*(?P<closed>")?)
    |(?P<mark>[][{}:,])
    |(?P<literal>[-+.\w]+)
    |(?P<unknown>[^][{}:,"\s]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
)
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERAL = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
# A half-typed file can have one problem for each of its characters; the first ones are enough.
_MOST_PROBLEMS = 10


def is_json(file: str, openers: str = "{[") -> bool:
    """Whether a file begins as JSON does, with one of these."""
    return file[:1000].lstrip("\ufeff \t\r\n").startswith(tuple(openers))


def read_json(file: str, start: int = 0, end: int | None = None) -> Tree:
    """The values of file[start:end], one after the other, and what could not be read."""
    reader = _Reader(file)
    end = len(file) if end is None else end
    for match in _TOKEN.finditer(file, start, end):
        reader.take(match)
    return reader.finish(end)


class _Open:
    """An object or array whose end has not come yet."""

    def __init__(self, start: int, closer: str) -> None:
        self.start = start
        self.closer = closer
        self.key: str | None = None
        self.values: list[tuple[str | None, Node]] = []

    def close(self, end: int) -> Node:
        if self.closer == "]":
            return Sequence(self.start, end, [value for _, value in self.values])
        entries = [(key, value) for key, value in self.values if key is not None]
        return Mapping(self.start, end, entries)


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file
        self._roots: list[Node] = []
        self._open: list[_Open] = []
        self._problems: list[Problem] = []

    def take(self, match: re.Match[str]) -> None:
        kind, start, end = match.lastgroup, match.start(), match.end()
        if kind == "mark":
            self._take_mark(match.group(), start, end)
        elif match["string"]:
            if not match["closed"]:
                self._problem(start, end, "this string has no closing quotation mark")
            self._take_string(start, end, end - 1 if match["closed"] else end)
        elif kind == "literal":
            if not _LITERAL.fullmatch(match.group()):
                self._problem(start, end, "this isn't a JSON value")
            read = partial(passage, self._file, start, end)
            self._add(Scalar(start, end, match.group(), False, read))
        elif kind == "unknown":
            self._problem(start, end, "this isn't valid JSON")

    def finish(self, end: int) -> Tree:
        if self._open:
            innermost = self._open[-1]
            opener = self._file[innermost.start]
            self._problem(innermost.start, innermost.start + 1, f"this {opener} is never closed")
        while self._open:
            self._add(self._open.pop().close(end))
        return Tree(self._roots, self._problems)

    def _take_mark(self, mark: str, start: int, end: int) -> None:
        if mark == "{":
            self._open.append(_Open(start, "}"))
        elif mark == "[":
            self._open.append(_Open(start, "]"))
        elif mark == "," and self._open:
            self._open[-1].key = None
        elif mark in "]}":
            self._close(mark, start, end)

    def _close(self, mark: str, start: int, end: int) -> None:
        # Only the innermost two are looked at, so that no text is read in quadratic time.
        innermost = [container.closer for container in self._open[-2:]][::-1]
        fits = innermost.index(mark) + 1 if mark in innermost else 0
        if fits != 1:
            self._problem(start, end, f"this {mark} closes nothing")
        for _ in range(fits):
            self._add(self._open.pop().close(end))

    def _take_string(self, start: int, end: int, inner_end: int) -> None:
        inside = self._open[-1] if self._open else None
        if inside and inside.closer == "}" and inside.key is None:
            inside.key = decode(self._file, start + 1, inner_end).text
            return
        text = decode(self._file, start + 1, inner_end)
        self._add(Scalar(start, end, text.text, True, lambda: text))

    def _add(self, node: Node) -> None:
        if not self._open:
            self._roots.append(node)
            return
        inside = self._open[-1]
        inside.values.append((inside.key, node))
        inside.key = None

    def _problem(self, start: int, end: int, message: str) -> None:
        if len(self._problems) < _MOST_PROBLEMS:
            kind: ProblemKind = "aftermath" if self._problems else "syntax"
            self._problems.append(Problem(start, end, message, kind))


def decode(file: str, start: int, end: int) -> Passage:
    """The text that file[start:end], the inside of a JSON string, stands for."""
    builder = PassageBuilder(file)
    at = start
    for match in _ESCAPE.finditer(file, start, end):
        builder.keep(at, match.start())
        builder.decode(match.start(), match.end(), _escaped(match.group()))
        at = match.end()
    builder.keep(at, end)
    return builder.passage(start, end)


def _escaped(escape: str) -> str:
    if escape[1] != "u":
        return _SIMPLE.get(escape[1], escape[1])
    if len(escape) == 6:
        return chr(int(escape[2:], 16))
    high, low = int(escape[2:6], 16), int(escape[8:], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))

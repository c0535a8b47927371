"""Text snapshots: immutable, cheap to edit, with lines and positions in utf-8, utf-16 and utf-32.

Editors say where things are by line and column, and count columns in UTF-8 bytes, UTF-16 units or
characters, as negotiated. Everything else in promptls counts characters (code points). This is
the one module that converts.

A text is cut into small leaves in a tree that knows how long each is in every unit, so an edit
costs the same in a text of 10 KB and of 50 MB, and an older snapshot stays as it was. No leaf
ends between CR and LF or between the halves of a surrogate pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from subword.lines import LINE_END
from subword.sumtree import SumTree

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]

_LEAF = 1024
"""Characters in a leaf of a new text; an edited one is cut again at twice as many."""

# The measures of a leaf, by their number in the tree. A column in utf-32 is in characters.
_MEASURE: dict[PositionEncoding, int] = {"utf-32": 0, "utf-8": 1, "utf-16": 2}
_CHARACTERS = 0
_LINE_ENDS = 3

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))


class Position(NamedTuple):
    """A line and a column, both from 0; the unit of the column is that of its encoding."""

    line: int
    column: int


class Line(NamedTuple):
    """A line of a text."""

    number: int
    """From 0."""
    start: int
    """The character of the text at which it begins."""
    content: str
    """Without its line end."""


class Edit(NamedTuple):
    """Replace text[start:end], in characters, by `text`: of a file, a message or a passage."""

    start: int
    end: int
    text: str = ""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made to it, which are in ascending order."""
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += (text[at:start], new)
        at = end
    return "".join([*parts, text[at:]])


class Text:
    """An immutable text."""

    __slots__ = ("__dict__", "_leaves")

    def __init__(self, text: str = "") -> None:
        self._leaves = SumTree(_measure, _cut(join_pairs(text), _LEAF))

    def __str__(self) -> str:
        return self.whole

    def __len__(self) -> int:
        """In characters."""
        return self._leaves.totals[_CHARACTERS]

    @cached_property
    def whole(self) -> str:
        """The text as one string; joined when it is first asked for."""
        return "".join(self._leaves.leaves())

    @property
    def utf8_length(self) -> int:
        """In UTF-8 bytes; a lone surrogate has three."""
        return self._leaves.totals[_MEASURE["utf-8"]]

    @property
    def line_count(self) -> int:
        """One more than there are line ends."""
        return self._leaves.totals[_LINE_ENDS] + 1

    def slice(self, start: int, end: int) -> str:
        """text[start:end], in characters, at a cost that doesn't depend on the text's length."""
        start, end = max(start, 0), min(end, len(self))
        if start >= end:
            return ""
        index, leaf, before = self._leaves.find(_CHARACTERS, start)
        base = before[_CHARACTERS]
        if end - base <= len(leaf):
            return leaf[start - base : end - base]
        last = self._leaves.find_end(_CHARACTERS, end)[0]
        return "".join(self._leaves.leaves(index, last + 1))[start - base : end - base]

    def line_start(self, line: int) -> int:
        """The character at which a line begins; the text's end for a line beyond the last."""
        if line <= 0:
            return 0
        if line >= self.line_count:
            return len(self)
        _, leaf, before = self._leaves.find_end(_LINE_ENDS, line)
        ends = LINE_END.finditer(leaf)
        for _ in range(line - before[_LINE_ENDS] - 1):
            next(ends)
        return before[_CHARACTERS] + next(ends).end()

    def line_starts(self, first: int, stop: int) -> list[int]:
        """Where the lines `first` up to, not with, `stop` begin, in characters.

        Costs as much as those lines are long.
        """
        stop = min(stop, self.line_count)
        if first >= stop:
            return []
        start = self.line_start(first)
        lines = self.slice(start, self.line_start(stop - 1))
        return [start, *(start + match.end() for match in LINE_END.finditer(lines))]

    def lines(self, first: int, stop: int) -> list[Line]:
        """The lines `first` up to, not with, `stop`. Costs as much as those lines are long."""
        starts = self.line_starts(first, stop)
        if not starts:
            return []
        end = self.line_start(stop)
        part = self.slice(starts[0], end)
        return [
            Line(number, start, part[start - starts[0] : next_ - starts[0]].rstrip("\r\n"))
            for number, start, next_ in zip(
                range(first, first + len(starts)), starts, [*starts[1:], end], strict=True
            )
        ]

    def line_at(self, offset: int) -> int:
        """The line that a character stands on. A line end belongs to the line that it ends."""
        offset = min(max(offset, 0), len(self))
        _, leaf, before = self._leaves.find(_CHARACTERS, offset)
        inside = offset - before[_CHARACTERS]
        # Asked about the LF of a CR LF, the CR alone must not count as an end of its own.
        ends = sum(1 for match in LINE_END.finditer(leaf) if match.end() <= inside)
        return before[_LINE_ENDS] + ends

    def line_end(self, line: int) -> int:
        """The character at which a line's content ends, before its line end."""
        start, stop = self.line_start(line), self.line_start(line + 1)
        if line + 1 >= self.line_count:
            return stop
        tail = self.slice(max(start, stop - 2), stop)
        return stop - (2 if tail == "\r\n" else 1)

    def position_at(self, offset: int, encoding: PositionEncoding) -> Position:
        """The position of a character offset, clamped to the text."""
        offset = min(max(offset, 0), len(self))
        line = self.line_at(offset)
        start = self.line_start(line)
        return Position(line, self._units(offset, encoding) - self._units(start, encoding))

    def positions_at(self, offsets: Sequence[int], encoding: PositionEncoding) -> list[Position]:
        """`position_at` of many offsets of the text, in ascending order, in one walk over it."""
        if not offsets:
            return []
        first = at = offsets[0]
        line, column = self.position_at(first, encoding)
        # One character more, since a CR at the end may not be a line end of its own.
        part = self.slice(first, offsets[-1] + 1)
        line_ends = (first + match.end() for match in LINE_END.finditer(part))
        line_end = next(line_ends, None)
        positions = []
        for offset in offsets:
            while line_end is not None and line_end <= offset:
                line, column, at = line + 1, 0, line_end
                line_end = next(line_ends, None)
            column += units(part[at - first : offset - first], encoding)
            at = offset
            positions.append(Position(line, column))
        return positions

    def offset_at(self, position: Position, encoding: PositionEncoding) -> int:
        """The character offset of a position.

        A column beyond its line means the line's end, a line beyond the last the text's end, and
        a column inside a character that character's start.
        """
        return self._split_at(position, encoding)[0]

    def resolve(
        self, start: Position, end: Position, new_text: str, encoding: PositionEncoding
    ) -> Edit:
        """An edit as a client sends it, in characters.

        Where it cuts a surrogate pair in two, or puts two halves side by side, the edit returned
        covers the whole pair, so that a text never holds a pair as two characters.
        """
        from_, before = self._split_at(start, encoding)
        to, after = self._split_at(end, encoding)
        # Of a reversed range, which the specification leaves open, nothing is between the ends.
        if (to, len(after)) < (from_, len(before)):
            to, after = from_, before
        new_text = before[:1] + new_text + after[1:]
        to += bool(after)
        # A lone half beside the edit may find its other half in it, or across what it deletes.
        left, right = self.slice(from_ - 1, from_), self.slice(to, to + 1)
        if "\ud800" <= left < "\udc00":
            from_, new_text = from_ - 1, left + new_text
        if "\udc00" <= right < "\ue000":
            to, new_text = to + 1, new_text + right
        return Edit(from_, to, join_pairs(new_text))

    def edit(self, edit: Edit) -> Text:
        """The text after an edit that `resolve` made."""
        leaves = self._leaves
        first, leaf, before = leaves.find(_CHARACTERS, edit.start)
        base = before[_CHARACTERS]
        if edit.end - base <= len(leaf):
            last, old = first, leaf
        else:
            last = leaves.find_end(_CHARACTERS, edit.end)[0]
            old = "".join(leaves.leaves(first, last + 1))
        new = old[: edit.start - base] + edit.text + old[edit.end - base :]
        # CR and LF that now stand side by side must share a leaf, and an empty leaf is no leaf.
        if first and (new.startswith("\n") or not new):
            first -= 1
            new = leaves.find_index(first)[1] + new
        if last + 1 < len(leaves) and (new.endswith("\r") or not new):
            last += 1
            new += leaves.find_index(last)[1]
        edited = Text.__new__(Text)
        edited._leaves = leaves.splice(first, last + 1, _cut(new, 2 * _LEAF))
        return edited

    def _units(self, offset: int, encoding: PositionEncoding) -> int:
        """The length of text[:offset] in the units of an encoding."""
        if encoding == "utf-32":
            return offset
        _, leaf, before = self._leaves.find(_CHARACTERS, offset)
        return before[_MEASURE[encoding]] + units(leaf[: offset - before[_CHARACTERS]], encoding)

    def _split_at(self, position: Position, encoding: PositionEncoding) -> tuple[int, str]:
        """An offset and, where the position is inside a surrogate pair, that pair's halves."""
        line = max(position.line, 0)
        if line >= self.line_count:
            return len(self), ""
        start, end = self.line_start(line), self.line_end(line)
        wanted = self._units(start, encoding) + max(position.column, 0)
        if wanted >= self._units(end, encoding):
            return end, ""
        _, leaf, before = self._leaves.find(_MEASURE[encoding], wanted)
        characters, cuts = _count_characters(leaf, wanted - before[_MEASURE[encoding]], encoding)
        # Only UTF-16 has halves that can stand alone; half a UTF-8 sequence means nothing.
        halves = _halves(leaf[characters]) if cuts and encoding == "utf-16" else ""
        return before[_CHARACTERS] + characters, halves


def join_pairs(text: str) -> str:
    """The text with each surrogate pair as the one character that it means."""
    if not _PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units(text: str, encoding: PositionEncoding) -> int:
    """The length of a short text in the units of an encoding."""
    return len(text) if text.isascii() else _measure(text)[_MEASURE[encoding]]


def _measure(leaf: str) -> tuple[int, ...]:
    """Characters, UTF-8 bytes, UTF-16 units and line ends. A lone surrogate has 3 bytes."""
    length = len(leaf)
    line_ends = leaf.count("\n")
    if "\r" in leaf:
        line_ends += leaf.count("\r") - leaf.count("\r\n")
    if leaf.isascii():
        return length, length, length, line_ends
    utf8 = len(leaf.encode("utf-8", "surrogatepass"))
    utf16 = len(leaf.encode("utf-16-le", "surrogatepass")) // 2
    return length, utf8, utf16, line_ends


def _cut(text: str, size: int) -> Sequence[str]:
    """The text in leaves of up to `size` characters and one more; at least one leaf."""
    if len(text) <= size:
        return [text]
    return list(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + _LEAF
        if text[end - 1 : end + 1] == "\r\n":
            end += 1
        yield text[start:end]
        start = end


def _count_characters(leaf: str, units: int, encoding: PositionEncoding) -> tuple[int, bool]:
    """How many whole characters the first `units` units of a leaf hold, and if they cut another.

    `units` is less than the leaf has.
    """
    if encoding == "utf-32" or leaf.isascii():
        return units, False
    if encoding == "utf-8":
        data = leaf.encode("utf-8", "surrogatepass")
        cuts = 0x80 <= data[units] < 0xC0
        return len(data[:units].translate(None, _CONTINUATION_BYTES)) - cuts, cuts
    data = leaf.encode("utf-16-le", "surrogatepass")
    left, right = data[: 2 * units], data[2 * units :]
    cuts = bool(left) and 0xD8 <= left[-1] < 0xDC <= right[1] < 0xE0
    return len(left.decode("utf-16-le", "surrogatepass")) - cuts, cuts


def _halves(character: str) -> str:
    """The two surrogates of a character above U+FFFF."""
    offset = ord(character) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))

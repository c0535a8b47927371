"""Finds the place in the file of each character of a YAML scalar.

The rules are those of YAML 1.1 as PyYAML and libyaml apply them: flow folding, block scalars with
their indentation and chomping, and the escapes of double quotes. What they give is compared with
what the parser gave: should they differ, the parser is right and the scalar's place is all that is
known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from ..passages import Passage, PassageBuilder

_BREAK = "\r\n|[\r\n\x85\u2028\u2029]"
# Blanks without a line end after them stay what they are; they are matched all the same, so that no
# blank of a long run is looked at more than once.
_FOLD = f"(?P<fold>[ \t]*(?:{_BREAK})(?:[ \t]*(?:{_BREAK}))*[ \t]*)|(?P<blank>[ \t]+)"
_BREAKS = re.compile(_BREAK)
_PLAIN = re.compile(_FOLD)
_SINGLE = re.compile(f"{_FOLD}|''")
_DOUBLE = re.compile(
    rf"\\(?P<joined>(?:{_BREAK})(?:[ \t]*(?:{_BREAK}))*[ \t]*)"
    r"|\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<one>.))"
    f"|{_FOLD}"
)
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_FIRST_INDENT = re.compile(rf"(?:[ ]*(?:{_BREAK}))*(?P<indent>[ ]*)")
_BLOCK_HEADER = re.compile(
    rf"[|>](?P<signs>[-+1-9]*)[ \t]*(?:#[^\r\n\x85\u2028\u2029]*)?(?:{_BREAK})?"
)


class _Piece(NamedTuple):
    """source[start:end] stands for `text`, or for itself where that is None."""

    start: int
    end: int
    text: str | None = None


def locate(
    file: str, source: str, base: int, start: int, end: int, style: str, value: str
) -> Passage:
    """The passage of a scalar whose value is `value`, written in file[base + start : base + end].

    `source` is what the parser was given: file[base:] with other characters where it had to be.
    """
    for pieces in _readings(source, start, end, style, value):
        found = list(pieces)
        if "".join(_text(source, piece) for piece in found) == value:
            return _build(file, base, found, base + start, base + end)
    return whole(base + start, base + end, value)


def whole(start: int, end: int, value: str) -> Passage:
    """A passage that is known to come from file[start:end] and not from where in it."""
    builder = PassageBuilder("")
    builder.decode(start, end, value)
    return builder.passage(start, end)


def _text(source: str, piece: _Piece) -> str:
    return source[piece.start : piece.end] if piece.text is None else piece.text


def _build(file: str, base: int, pieces: list[_Piece], start: int, end: int) -> Passage:
    builder = PassageBuilder(file)
    for piece in pieces:
        if piece.text is None:
            builder.keep(base + piece.start, base + piece.end)
        else:
            builder.decode(base + piece.start, base + piece.end, piece.text)
    return builder.passage(start, end)


def _readings(
    source: str, start: int, end: int, style: str, value: str
) -> Iterator[Iterator[_Piece]]:
    if style in ("|", ">"):
        yield from _block_readings(source, start, end, style == ">", value)
    elif style == "'":
        yield _flow(source, start + 1, end - 1, _SINGLE)
    elif style == '"':
        yield _flow(source, start + 1, end - 1, _DOUBLE)
    else:
        yield _flow(source, start, end, _PLAIN)


def _flow(source: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[_Piece]:
    at = start
    for match in pattern.finditer(source, start, end):
        if match["blank"]:
            continue
        yield _Piece(at, match.start())
        yield _Piece(match.start(), match.end(), _flow_text(match))
        at = match.end()
    yield _Piece(at, end)


def _flow_text(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("fold"):
        return _folded(_breaks(groups["fold"]))
    if groups.get("joined"):
        return "".join(_breaks(groups["joined"])[1:])
    code = groups.get("x") or groups.get("u") or groups.get("U")
    if code:
        return chr(min(int(code, 16), 0x10FFFF))
    one = groups.get("one") or "'"
    return _ESCAPES.get(one, one)


def _breaks(text: str) -> list[str]:
    """The line ends in a text, as YAML reads them."""
    ends: list[str] = _BREAKS.findall(text)
    return [end if end in "\u2028\u2029" else "\n" for end in ends]


def _folded(breaks: list[str]) -> str:
    first, *rest = breaks
    if first != "\n":
        return first + "".join(rest)
    return "".join(rest) or " "


class _Line(NamedTuple):
    start: int
    """Where the line's content begins, after its indentation."""
    end: int
    break_end: int
    is_blank: bool


def _block_readings(
    source: str, start: int, end: int, folded: bool, value: str
) -> Iterator[Iterator[_Piece]]:
    header = _BLOCK_HEADER.match(source, start, end)
    if header is None:
        return
    signs = header["signs"]
    chomp = next((sign for sign in signs if sign in "+-"), "")
    indent = _first_indent(source, header.end(), end)
    if any(sign.isdigit() for sign in signs):
        # Of the first line's spaces, the value has those that are no indentation.
        indent -= _first_indent(value, 0, len(value))
    lines = list(_lines(source, header.end(), end, max(indent, 0)))
    yield _block(source, lines, folded, chomp)


def _first_indent(text: str, start: int, end: int) -> int:
    """How many spaces the first line begins with that has more than spaces."""
    first = _FIRST_INDENT.match(text, start, end)
    return len(first["indent"]) if first else 0


def _lines(source: str, start: int, end: int, indent: int) -> Iterator[_Line]:
    at = start
    while at < end:
        line_end = _BREAKS.search(source, at, end)
        stop, after = (line_end.start(), line_end.end()) if line_end else (end, end)
        content = at
        while content < min(stop, at + indent) and source[content] == " ":
            content += 1
        if content < stop and content < at + indent:
            return
        yield _Line(content, stop, after, content == stop)
        at = after


def _block(source: str, lines: list[_Line], folded: bool, chomp: str) -> Iterator[_Piece]:
    contents = [index for index, line in enumerate(lines) if not line.is_blank]
    if not contents:
        yield from chain.from_iterable(_break(source, line) for line in lines if chomp == "+")
        return
    for line in lines[: contents[0]]:
        yield from _break(source, line)
    for here, following in pairwise(contents):
        yield _Piece(lines[here].start, lines[here].end)
        if folded and _folds(source, lines[here], lines[following]):
            ends = source[lines[here].end : lines[following].start]
            yield _Piece(lines[here].end, lines[following].start, _folded(_breaks(ends)))
        else:
            for line in lines[here:following]:
                yield from _break(source, line)
    last = lines[contents[-1]]
    yield _Piece(last.start, last.end)
    if chomp != "-":
        yield from _break(source, last)
    if chomp == "+":
        yield from chain.from_iterable(_break(source, line) for line in lines[contents[-1] + 1 :])


def _folds(source: str, line: _Line, following: _Line) -> bool:
    is_text = source[line.start] not in " \t" and source[following.start] not in " \t"
    return is_text and source[line.end : line.break_end] not in ("\u2028", "\u2029")


def _break(source: str, line: _Line) -> Iterator[_Piece]:
    """A line's end, which stands for a line feed if it is not one of Unicode's own."""
    end = source[line.end : line.break_end]
    if end in ("\n", "\u2028", "\u2029"):
        yield _Piece(line.end, line.break_end)
    elif end:
        yield _Piece(line.end, line.break_end, "\n")

"""XML elements with their places in the text, as expat reads them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from xml.parsers import expat

_ROOT, _ROOT_END = b"<root>", b"</root>"
# Deeper text than anyone writes; expat itself has no limit.
_DEEPEST = 200
# What a tag's brackets are told by: expat has seen that each quotation mark has its other one.
_IN_TAG = re.compile(rb"\"[^\"]*\"|'[^']*'|>")


class InvalidMarkup(ValueError):
    """A text is no XML; the message says why, and `start` and `end` where, in characters."""

    def __init__(self, message: str, start: int, end: int | None = None) -> None:
        super().__init__(message)
        self.start = start
        self.end = start + 1 if end is None else end


@dataclass
class Element:
    """An element, by characters of the text."""

    name: str
    attributes: Mapping[str, str]
    start: int
    inner: tuple[int, int] = (0, 0)
    """What lies between its tags; empty at the end of one that closes itself."""
    end: int = 0
    children: list[Element] = field(default_factory=list)
    cdata_marks: list[tuple[int, int]] = field(default_factory=list)
    """The marks of CDATA sections, if it begins with one."""
    begins_with: str | None = None
    """`cdata`, `element`, `text` or the like: what its first child is, white space aside."""


def read_elements(text: str) -> list[Element]:
    """The elements of a text that would be the inside of one. Raises `InvalidMarkup`."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        try:
            self._data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InvalidMarkup("a lone surrogate", error.start) from None
        # Bytes become characters again; ASCII, the common case, needs no table.
        self._starts = None if text.isascii() else _character_starts(text)
        self._root = Element("root", {}, 0)
        self._open = [self._root]
        self._cdata = 0

    def read(self) -> list[Element]:
        parser = self._parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartCdataSectionHandler = self._start_cdata
        parser.EndCdataSectionHandler = self._end_cdata
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = lambda _: self._begin("comment")
        parser.ProcessingInstructionHandler = lambda *_: self._begin("instruction")
        try:
            parser.Parse(_ROOT + self._data + _ROOT_END, True)
        except expat.ExpatError as error:
            offset = min(max(parser.ErrorByteIndex - len(_ROOT), 0), len(self._data))
            if offset >= len(self._data) and len(self._open) > 1:
                raise _never_closed(self._open[-1]) from None
            offset = min(offset, max(len(self._data) - 1, 0))
            reason = expat.ErrorString(error.code) or "it can't be read"
            raise InvalidMarkup(reason, self._character(offset)) from None
        return self._root.children

    def _at(self) -> int:
        """Where the parser is, in bytes of the text."""
        return self._parser.CurrentByteIndex - len(_ROOT)

    def _character(self, offset: int) -> int:
        if self._starts is None:
            return offset
        return max(bisect_right(self._starts, offset) - 1, 0)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._at()
        if at < 0:
            return
        self._begin("element")
        if len(self._open) > _DEEPEST:
            raise InvalidMarkup("it is too deeply nested", self._character(at))
        end = _tag_end(self._data, at)
        element = Element(name.rpartition(" ")[2], attributes, self._character(at))
        element.inner = (self._character(end), self._character(end))
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, name: str) -> None:
        if len(self._open) == 1:
            return
        element = self._open.pop()
        at = self._character(self._at())
        if at == element.start or self._data[self._at() : self._at() + 2] != b"</":
            # It closes itself, and expat says so at the place of its own tag.
            element.end = element.inner[1]
            return
        element.inner = (element.inner[0], at)
        element.end = self._character(self._data.index(b">", self._at()) + 1)
        if element.begins_with != "cdata":
            element.cdata_marks.clear()

    def _start_cdata(self) -> None:
        self._begin("cdata")
        at = self._at()
        self._mark(at, at + len(b"<![CDATA["))

    def _end_cdata(self) -> None:
        at = self._at()
        self._mark(at, at + len(b"]]>"))

    def _mark(self, start: int, end: int) -> None:
        self._open[-1].cdata_marks.append((self._character(start), self._character(end)))

    def _text(self, text: str) -> None:
        if text.strip(" \t\r\n"):
            self._begin("text")

    def _begin(self, what: str) -> None:
        if self._open[-1].begins_with is None:
            self._open[-1].begins_with = what


def _never_closed(element: Element) -> InvalidMarkup:
    message = f"<{element.name}> is never closed with </{element.name}>"
    return InvalidMarkup(message, element.start, element.inner[0])


def _tag_end(data: bytes, start: int) -> int:
    """Where a tag ends that begins at `start`; a quoted value can hold its bracket."""
    return next(part.end() for part in _IN_TAG.finditer(data, start) if part[0] == b">")


def _character_starts(text: str) -> list[int]:
    """The byte at which each character begins, and the text's end."""
    return list(accumulate((len(c.encode()) for c in text), initial=0))

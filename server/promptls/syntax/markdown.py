"""What Markdown has that matters to prompts: sections, and code in fences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..prompt import Message
from ..source_map import Span


class Section(NamedTuple):
    """A stretch with a title: what follows a heading, or what stands in an XML-like tag."""

    start: int
    """In characters of the text that was looked at."""
    end: int
    title: str
    level: int
    """1 for the outermost; deeper ones lie within."""


_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})(?P<info>[^\r\n]*)", re.MULTILINE)
_MARKS = re.compile(
    r"^ {0,3}(?P<hashes>\#{1,6})(?P<heading>(?:[ \t][^\r\n]*)?)$"
    r"|^[ \t]*<(?P<open>[^\W\d][\w.:-]{0,99})(?:[ \t][^<>\r\n]*)?(?<!/)>"
    r"|</(?P<close>[^\W\d][\w.:-]{0,99})[ \t]*>",
    re.MULTILINE,
)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")


def sections(text: str) -> list[Section]:
    """The sections of a Markdown text by ATX heading and by tag, in the order of their starts.

    A tag counts if it begins its line and is closed somewhere; fenced code is left out.
    """
    found: list[Section] = []
    open_marks: list[_Mark] = []

    def close(end: int) -> None:
        mark = open_marks.pop()
        found.append(Section(mark.start, end, mark.title, len(open_marks) + 1))

    for mark in _closed_marks(text):
        if mark.depth:
            while open_marks and open_marks[-1].depth >= mark.depth:
                close(mark.start)
            open_marks.append(mark)
        elif mark.opens:
            open_marks.append(mark)
        else:
            while open_marks[-1].depth:
                close(mark.start)
            close(mark.end)
    while open_marks:
        close(len(text))
    return sorted(found, key=lambda section: (section.start, section.level))


def file_sections(message: Message) -> Iterator[Section]:
    """The sections of a message's text, by characters of the file."""
    for section in sections(message.text):
        start, end = message.file_span(section.start, section.end)
        yield section._replace(start=start, end=end)


def fences(text: str) -> Iterator[Span]:
    """The fenced code of a text, with its fences; the last one can be left open."""
    start, opening = 0, ""
    for fence in _FENCE.finditer(text):
        mark, info = fence["mark"], fence["info"]
        if not opening:
            if mark[0] == "~" or "`" not in info:
                start, opening = fence.start(), mark
        elif mark.startswith(opening) and not info.strip():
            yield Span(start, fence.end())
            opening = ""
    if opening:
        yield Span(start, len(text))


class _Mark(NamedTuple):
    start: int
    end: int
    title: str
    depth: int
    """The number of a heading's hashes; 0 for a tag."""
    opens: bool = True


def _closed_marks(text: str) -> list[_Mark]:
    """Headings, and those tags that have a partner and are well nested."""
    marks = list(_marks(text))
    kept = {index for index, mark in enumerate(marks) if mark.depth}
    waiting: list[int] = []
    names: Counter[str] = Counter()
    for index, mark in enumerate(marks):
        if mark.depth:
            continue
        if mark.opens:
            waiting.append(index)
            names[mark.title] += 1
        elif names[mark.title]:
            while marks[opener := waiting.pop()].title != mark.title:
                names[marks[opener].title] -= 1
            names[mark.title] -= 1
            kept |= {opener, index}
    return [mark for index, mark in enumerate(marks) if index in kept]


def _marks(text: str) -> Iterator[_Mark]:
    code = fences(text)
    fence = next(code, None)
    for match in _MARKS.finditer(text.replace("\r", "\n")):
        while fence and fence.end <= match.start():
            fence = next(code, None)
        if fence and fence.start <= match.start():
            continue
        start, end = match.span()
        if match["hashes"]:
            title = _CLOSING_HASHES.sub("", match["heading"].strip()).strip()
            yield _Mark(start, end, title, len(match["hashes"]))
        elif match["open"]:
            start = match.start("open") - 1
            yield _Mark(start, end, match["open"], 0)
        else:
            yield _Mark(start, end, match["close"], 0, opens=False)

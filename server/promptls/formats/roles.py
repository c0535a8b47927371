"""Lines such as `system:` that begin a message, as prompty and promptflow read them.

Prompty's parser (prompty/parsers/prompty.py, 2.1): a line alone with an optional single `#`, a
role in any case, optional `[key=value]` and a colon. Lines end where Python's `splitlines` ends
them, each end becomes a line feed, and line feeds at a message's edges are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..prompt import Edit, Message, Passage, Span
from .templates import Template, render

_MARKER = re.compile(
    r"#?\s*(?P<role>system|user|assistant|developer|tool|function)(?:\s*\[[^\]]*\])?\s*:",
    re.IGNORECASE,
)
_LINE_END = re.compile("\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_LONGEST_MARKER = 1000


class _Line(NamedTuple):
    start: int
    end: int
    after: int
    """Where the next line begins."""


def first_is_marker(passage: Passage, template: Template) -> bool:
    """Whether a template begins with a role marker, tags and comments aside."""
    at = 0
    for tag in template.tags:
        if tag.is_value or passage.text[at : tag.start].strip():
            break
        at = tag.end
    rest = passage.text[at:].lstrip()
    first = next(_lines(rest))
    return _MARKER.fullmatch(rest[: min(first.end, _LONGEST_MARKER)].rstrip()) is not None


def split_by_roles(
    passage: Passage, template: Template, first_role: str = "system"
) -> tuple[tuple[Message, ...], tuple[Span, ...]]:
    """The messages of a passage, and its markers; text before the first one has `first_role`."""
    messages, markers = [], []
    role, start = first_role, 0
    has_marker = False
    text = passage.text
    for line, marker in _markers(text, template):
        if start < line.start:
            message = _message(passage, template, role, start, line.start)
            # Comments and statements before the first marker are no message.
            if has_marker or message.text or _has_value(template, start, line.start):
                messages.append(message)
        markers.append(passage.file_span(line.start, line.end))
        role, start, has_marker = marker["role"].lower(), line.after, True
    if start < len(text) or not has_marker:
        messages.append(_message(passage, template, role, start, len(text)))
    return tuple(messages), tuple(markers)


def _has_value(template: Template, start: int, end: int) -> bool:
    return any(tag.is_value for tag in template.part(start, end).tags)


def _message(passage: Passage, template: Template, role: str, start: int, end: int) -> Message:
    part = passage.slice(start, end)
    ends = (Edit(m.start(), m.end(), "\n") for m in _LINE_END.finditer(part.text) if m[0] != "\n")
    rendering = render(part, template.part(start, end), ends)
    return rendering.message(role, rendering.passage.stripped("\n"))


def _markers(text: str, template: Template) -> Iterator[tuple[_Line, re.Match[str]]]:
    """The lines that are role markers, those inside a tag or a comment left out."""
    tags = iter(template.tags)
    tag = next(tags, None)
    for line in _lines(text):
        while tag and tag.end <= line.start:
            tag = next(tags, None)
        if tag and tag.start < line.end:
            continue
        if line.end - line.start <= _LONGEST_MARKER:
            marker = _MARKER.fullmatch(text[line.start : line.end].strip())
            if marker:
                yield line, marker


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line_end in _LINE_END.finditer(text):
        yield _Line(at, line_end.start(), line_end.end())
        at = line_end.end()
    yield _Line(at, len(text), len(text))

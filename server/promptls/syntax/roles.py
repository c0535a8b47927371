"""Lines such as `system:` that begin a message, as prompty and promptflow read them.

Prompty's parser (prompty/parsers/prompty.py, 2.1): a line alone with an optional single `#`, a
role in any case, optional `[key=value]` and a colon, looked for once the template is rendered.
Lines end where Python's `splitlines` ends them, each end becomes a line feed, and line feeds at
a message's edges are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..passages import Passage
from ..prompt import Message
from ..source_map import Span
from ..text import Edit
from .templates import Rendering, Template, render

_MARKER = re.compile(
    r"#?\s*(?P<role>system|user|assistant|developer|tool|function)(?:\s*\[[^\]]*\])?\s*:",
    re.IGNORECASE,
)
_OTHER_LINE_END = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_LINE = re.compile(r"(?P<line>[^\n]*)(?:\n|\Z)")
_LONGEST_MARKER = 1000


def render_lines(passage: Passage, template: Template) -> Rendering:
    """A template whose line ends all become line feeds, those that only Python knows too."""
    ends = _OTHER_LINE_END.finditer(passage.text)
    return render(passage, template, (Edit(end.start(), end.end(), "\n") for end in ends))


def first_is_marker(rendering: Rendering) -> bool:
    """Whether a text begins with a role marker, blank lines aside."""
    line = _LINE.match(rendering.passage.text.lstrip())
    return line is not None and _marker(line) is not None


def split_by_roles(rendering: Rendering) -> tuple[tuple[Message, ...], tuple[Span, ...]]:
    """The messages of a text, and its markers; what stands before the first one is the system's."""
    whole = rendering.passage
    messages: list[Message] = []
    markers: list[Span] = []
    role, start = "system", 0
    for line, next_role in _markers(whole.text):
        if start < line.start():
            part = whole.slice(start, line.start()).stripped("\n")
            # Of what stands before the first marker, blank lines are no message.
            if markers or part.text:
                messages.append(rendering.message(role, part, trims="\n"))
        markers.append(whole.file_span(*line.span("line")))
        role, start = next_role, line.end()
    if start < len(whole.text) or not markers:
        part = whole.slice(start, len(whole.text))
        messages.append(rendering.message(role, part, trims="\n"))
    return tuple(messages), tuple(markers)


def _markers(text: str) -> Iterator[tuple[re.Match[str], str]]:
    for line in _LINE.finditer(text):
        role = _marker(line)
        if role:
            yield line, role


def _marker(line: re.Match[str]) -> str | None:
    """The role that a line names, if it is a marker."""
    start, end = line.span("line")
    if end - start > _LONGEST_MARKER:
        return None
    marker = _MARKER.fullmatch(line["line"].strip())
    return marker["role"].lower() if marker else None

"""Promptfile (`.prompt`): messages in `<System>`, `<User>`, `<Assistant>`, `<Function>` and
`<Block role="…">`; other elements and what stands between them are not sent.

As its own code reads them (promptfile/promptfile, glasslib: parseGlassBlocks.ts and
parseChatBlocks.ts): an element begins at the start of a line, its tag ends where a line ends with
`>`, and a line that is nothing but the closing tag of the same name ends it; inside, only elements
of that name nest. The line ends around its lines are not part of it. `${name}` and `@{name}` are
placeholders. The header is YAML between `---` lines at the file's start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..passages import Passage, passage
from ..prompt import Placeholder, Problem, Prompt
from ..source_map import Span
from ..syntax.blocks import left_open
from ..syntax.conversations import tally
from ..syntax.front_matter import read_front_matter
from ..syntax.json_document import read_json
from ..syntax.models import named_models
from ..syntax.nodes import get, items, string
from ..syntax.templates import Tag, Template, render
from . import Format

_LINE = re.compile(r"(?P<line>[^\r\n]*)(?:\r\n|\r|\n|\Z)")
_OPENER = re.compile(r"<(?P<name>[A-Za-z]+)")
_CLOSER = re.compile(r"</(?P<name>[A-Za-z]+)>\Z")
_ATTRIBUTE = re.compile(r"""(?P<key>[A-Za-z]{1,40})=\{?["'](?P<value>[^"'\r\n]{0,200})["']""")
_SIGN = re.compile(r"^<(?:System|User|Assistant)\b", re.MULTILINE)
_VARIABLE = re.compile(r"[$@]\{[ \t]*(?P<name>[^\W\d][\w.-]{0,99})[ \t]*\}")
_ROLES = frozenset(("system", "user", "assistant", "function", "block"))


class _Element(NamedTuple):
    """An element: its name, what its tag says, and where its tags and its lines are."""

    name: str
    attributes: dict[str, str]
    opener: Span
    body: Span
    closer: Span | None


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    problems = list(front_matter.problems)
    messages, structure = [], []
    placeholders: list[Placeholder] = []
    uncounted: list[str] = []
    models = [string(get(front_matter.tree.root, "model"))]
    for element in _elements(text, front_matter.body_start):
        role = element.name.lower()
        if role == "request":
            models.append(element.attributes.get("model"))
        if role in ("functions", "tool"):
            uncounted += ["function definition"] * _definitions(text, element)
        if role not in _ROLES:
            continue
        structure += [span for span in (element.opener, element.closer) if span]
        if element.closer is None:
            problems.append(_unclosed(element))
        body = passage(text, *element.body)
        rendering = render(body, _scan(body))
        placeholders.extend(rendering.placeholders)
        role = element.attributes.get("role", role).lower() if role == "block" else role
        messages.append(rendering.message(role))
    return Prompt(
        tuple(messages),
        header=front_matter.header,
        placeholders=tuple(placeholders),
        structure=tuple(structure),
        problems=tuple(problems),
        is_chat=True,
        uncounted=tally(uncounted),
        models=named_models(*models),
    )


def _elements(text: str, start: int) -> Iterator[_Element]:
    """The elements of a file; one that is never closed goes on to the end."""
    name, depth, opened, tag_end = "", 0, 0, -1
    first, last = -1, -1
    for match in _LINE.finditer(text, start):
        line, (line_start, line_end) = match["line"], match.span("line")
        opener, closer = _OPENER.match(line), _CLOSER.match(line)
        if not name:
            if not opener or line_start == len(text):
                continue
            name, depth, opened, tag_end, first, last = opener["name"], 0, line_start, -1, -1, -1
        if tag_end < 0:
            if not line.rstrip(" \t").endswith(">"):
                continue
            tag_end = match.end()
            if line.rstrip(" \t").endswith("/>"):
                end = Span(tag_end, tag_end)
                yield _element(text, name, Span(opened, tag_end), end, end)
                name = ""
            continue
        if closer and closer["name"] == name:
            if depth == 0:
                body = Span(first, last) if first >= 0 else Span(tag_end, tag_end)
                closing = Span(line_start, line_end)
                yield _element(text, name, Span(opened, tag_end), body, closing)
                name = ""
                continue
            depth -= 1
        elif opener and opener["name"] == name:
            depth += 1
        if line_start < len(text):
            first, last = (line_start if first < 0 else first), line_end
    if name:
        body_start = tag_end if tag_end >= 0 else len(text)
        body = Span(body_start, max(body_start, last))
        yield _element(text, name, Span(opened, body_start), body, None)


def _element(text: str, name: str, opener: Span, body: Span, closer: Span | None) -> _Element:
    attributes = {m["key"]: m["value"] for m in _ATTRIBUTE.finditer(text, *opener)}
    return _Element(name, attributes, opener, body, closer)


def _unclosed(element: _Element) -> Problem:
    (start, end), name = element.opener, element.name
    end = min(end, start + len(f"<{name}>"))
    return left_open(start, end, f"<{name}>", f"</{name}> on a line of its own")


def _definitions(text: str, element: _Element) -> int:
    """How many functions an element defines: those of its list, or itself."""
    if element.name.lower() == "tool":
        return 1
    start, end = element.body
    return len(items(read_json(text, start, end).root)) or int(start < end)


def _scan(body: Passage) -> Template:
    tags = [
        Tag(match.start(), match.end(), "variable", match["name"], (match["name"].split(".")[0],))
        for match in _VARIABLE.finditer(body.text)
    ]
    return Template(tags, [], [])


FORMAT = Format(
    name="promptfile",
    parse=parse,
    patterns=("*.prompt",),
    language_ids=("dotprompt",),
    accepts=lambda text: _SIGN.search(text) is not None,
    precedence=2,
)

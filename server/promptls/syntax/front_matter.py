"""YAML headers between `---` lines, as VS Code reads them in prompt files.

VS Code (promptFileParser.ts): the first line is `---` and nothing else but spaces, and so is the
line that ends the header; the body is what follows, as it stands. `----` is no fence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple, TypeVar

from ..passages import passage
from ..prompt import Placeholder, Problem, Prompt
from ..source_map import Span
from ..text import Edit
from .models import header_models
from .nodes import Tree
from .templates import Scan, render
from .yaml_document import read_yaml

_OPENING = re.compile(r"\ufeff?---[^\S\r\n]*(?:\r\n|\r|\n|\Z)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[^\S\r\n]*(?:\r\n|\r|\n|\Z)")

S = TypeVar("S", Span, Placeholder)


class FrontMatter(NamedTuple):
    """Where a file's header is, fences included, and what could be read of it."""

    header: Span | None
    body_start: int
    tree: Tree
    problems: list[Problem]


def read_front_matter(text: str) -> FrontMatter:
    """The header of a file, if it has one; a header that is never closed counts as body."""
    opening = _OPENING.match(text)
    if opening is None:
        return FrontMatter(None, int(text.startswith("\ufeff")), Tree([], []), [])
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        fence = Span(opening.start(), opening.start() + len(opening.group().rstrip()))
        return FrontMatter(None, 0, Tree([], []), [header_left_open(fence)])
    tree = read_yaml(text, opening.end(), closing.start())
    return FrontMatter(Span(0, closing.end()), closing.end(), tree, tree.problems)


def header_left_open(fence: Span) -> Problem:
    """That a header has no end."""
    message = "the header is never closed with ---, so the whole file counts as prompt"
    return Problem(*fence, message, "header")


def parse_with_header(
    text: str,
    role: str | None = None,
    scan: Scan | None = None,
    is_yaml: bool = True,
    names_model: bool = True,
) -> Prompt:
    """The prompt of a file that is a header and one message, a template if there is a `scan`.

    A header that need not be YAML is skipped and not read.
    """
    front_matter = read_front_matter(text)
    body = passage(text, front_matter.body_start, len(text))
    rendering = render(body, scan(body.text)) if scan else None
    problems = front_matter.problems if is_yaml or front_matter.header is None else ()
    return Prompt(
        ((rendering or body).message(role),),
        header=front_matter.header,
        placeholders=rendering.placeholders if rendering else (),
        problems=tuple(problems),
        models=header_models(front_matter.tree.root) if names_model else (),
    )


def edit_body(prompt: Prompt, edit: Edit, lines: str, signs: str = "") -> Prompt | None:
    """The prompt of `parse_with_header` after an edit in its body, at the cost of copying it.

    `lines` are those that the edit touches, as they were and as they are. None if one of them has
    some of the `signs`, with which placeholders are written or told apart from code, or if the edit
    may change what is header.
    """
    (message,) = prompt.messages
    run = message.source.verbatim_around(edit.start, edit.end)
    if run is None or edit.start <= message.start + 1 or prompt.problems:
        return None
    if not set(signs).isdisjoint(lines):
        return None
    length = len(edit.text) - (edit.end - edit.start)
    at = message.source.to_text(edit.start)
    text = message.text[:at] + edit.text + message.text[at + edit.end - edit.start :]
    # Without a header, a first line that changes may begin one.
    if not text or text.isspace() or (prompt.header is None and _OPENING.match(text)):
        return None

    def moved(span: S) -> S:
        later = span.start >= edit.end
        return span._replace(start=span.start + length, end=span.end + length) if later else span

    changed = replace(
        message,
        end=message.end + length,
        text=text,
        source=message.source.edited(run, length),
        values=tuple(map(moved, message.values)),
    )
    placeholders = tuple(map(moved, prompt.placeholders))
    return replace(prompt, messages=(changed,), placeholders=placeholders)

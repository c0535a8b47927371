"""YAML headers between `---` lines, as VS Code reads them in prompt files.

VS Code (promptFileParser.ts): the first line is `---` and nothing else but spaces, and so is the
line that ends the header; the body is what follows, as it stands. `----` is no fence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..prompt import Problem, Span
from .nodes import Document
from .yaml_document import read_yaml

_OPENING = re.compile(r"\ufeff?---[^\S\r\n]*(?:\r\n|\r|\n|\Z)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[^\S\r\n]*(?:\r\n|\r|\n|\Z)")


class FrontMatter(NamedTuple):
    """Where a file's header is, fences included, and what could be read of it."""

    header: Span | None
    body_start: int
    document: Document
    problems: list[Problem]


def read_front_matter(text: str) -> FrontMatter:
    """The header of a file, if it has one; a header that is never closed counts as body."""
    opening = _OPENING.match(text)
    if opening is None:
        return FrontMatter(None, int(text.startswith("\ufeff")), Document([], []), [])
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        message = "the header is never closed with ---, so the whole file counts as prompt"
        end = opening.start() + len(opening.group().rstrip())
        problem = Problem(opening.start(), end, message, "header")
        return FrontMatter(None, 0, Document([], []), [problem])
    document = read_yaml(text, opening.end(), closing.start())
    return FrontMatter(Span(0, closing.end()), closing.end(), document, document.problems)

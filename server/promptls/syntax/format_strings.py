"""Python's format strings as templates: `{name}`, with `{{` and `}}` for braces."""

from __future__ import annotations

import re

from ..prompt import Problem
from ..text import Edit
from .templates import Tag, Template

_PART = re.compile(r"\{\{|\}\}|\{(?P<field>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|[{}]")
_NAME = re.compile(r"[^.\[!:]*")


def scan(text: str) -> Template:
    """The fields of a format string."""
    tags: list[Tag] = []
    escapes: list[Edit] = []
    problems: list[Problem] = []
    for part in _PART.finditer(text):
        start, end = part.span()
        if part["field"] is not None:
            match = _NAME.match(part["field"])
            name = match[0].strip() if match else ""
            tags.append(Tag(start, end, "variable", name, (name,) if name else ()))
        elif end - start == 2:
            escapes.append(Edit(start, start + 1))
        else:
            message = f"a single {part[0]} isn't text here: write {part[0] * 2}"
            problems.append(Problem(start, end, message, "syntax"))
            # Python reads no more of it, so the rest is no template.
            break
    return Template(tags, escapes, problems)

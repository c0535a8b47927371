"""Semantic Kernel's Handlebars helper `{{#message role="…"}}`, which makes a message of its block.

As its Python code does (handlebars_system_helpers.py): the helper writes a `<message>` element with
the block's text in it, encoded, and ChatHistory.from_rendered_prompt trims no message and makes
a system message of the text before the first one, a user message of other text between them. The
.NET code's helper of that name (KernelSystemHelpers.cs) writes `<system~>`, which is no message.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..prompt import Span
from ..syntax.handlebars.tokens import Parser, Value
from ..syntax.templates import Template

_BEGIN = re.compile(r"\{\{~?#\s*(?P<call>message)(?=[\s~}])")
_END = re.compile(r"\{\{~?/\s*message\s*~?\}\}")


class Helped(NamedTuple):
    """A template whose helpers' tags are the elements' tags that they write."""

    template: Template
    blocks: list[Span]
    """What lies between these tags: text, whatever it looks like. Ascending, none in another."""


def with_elements(text: str, template: Template, unknown: str) -> Helped:
    """Let the outermost `message` blocks of a text be elements.

    A role that is a value, or that is missing, is written as `unknown`.
    """
    tags = list(template.tags)
    blocks: list[Span] = []
    opened: list[int] = []
    for index, tag in enumerate(tags):
        if begin := _BEGIN.match(text, tag.start, tag.end):
            opened.append(index)
            if len(opened) == 1:
                role = _role(text, begin.start("call")) or unknown
                tags[index] = tag._replace(text=f'<message role="{role}">')
        elif opened and _END.match(text, tag.start, tag.end):
            first = tags[opened.pop()]
            if not opened:
                blocks.append(Span(first.end, tag.start))
                tags[index] = tag._replace(text="</message>")
    if opened:
        # It is never closed, which is a finding of its own.
        tags[opened[0]] = template.tags[opened[0]]
    return Helped(template._replace(tags=tags), blocks)


def _role(text: str, start: int) -> str | None:
    """The role that a tag gives as a string of letters."""
    role = Parser(text, start).tag(has_parameters=True).named.get("role")
    is_word = isinstance(role, Value) and isinstance(role.value, str) and role.value.isalnum()
    return str(role.value) if is_word and isinstance(role, Value) else None

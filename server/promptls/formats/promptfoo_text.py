"""promptfoo's text files: several prompts, a line `---` between them; each is trimmed and is an
alternative to the others (prompts/processors/text.ts).

promptfoo names such files in its configuration only, so they are known here by the name that its
documentation uses, `prompts.txt`. Blank prompts are left out; prompts are Nunjucks templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..passages import Passage, passage
from ..prompt import Prompt
from ..source_map import Span
from ..syntax import jinja
from ..syntax.conversations import Conversation, assemble
from ..syntax.templates import JS_SPACE
from ..text import Edit
from . import Format
from .promptfoo import conversation_in

_LINE = re.compile(r"[^\r\n]*(?P<end>\r?\n|\r|\Z)")


def parse(text: str) -> Prompt:
    delimiters = list(_delimiters(text))
    edges = [0, *(edge for span in delimiters for edge in span), len(text)]
    prompts = list[Conversation]()
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        part = _line_feeds(passage(text, start, end)).stripped(JS_SPACE)
        if part.text:
            prompts.append(conversation_in(part))
    return replace(assemble(prompts, jinja.scan_related), structure=tuple(delimiters))


def _delimiters(text: str) -> Iterator[Span]:
    for match in _LINE.finditer(text):
        if match.group().strip(JS_SPACE) == "---":
            yield Span(*match.span())


def _line_feeds(part: Passage) -> Passage:
    ends = re.compile(r"\r\n").finditer(part.text)
    return part.edited(Edit(match.start(), match.start() + 1) for match in ends)


FORMAT = Format(
    name="promptfoo-text",
    parse=parse,
    patterns=("prompts.txt", "*.prompts.txt"),
    precedence=5,
)

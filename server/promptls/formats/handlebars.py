"""Handlebars templates: `{{value}}`, `{{#block}}`, `{{>partial}}`, `{{! comment}}`, `{{~ ~}}`.

Read as Handlebars.js 4 does (its `handlebars.l`, `handlebars.yy` and `whitespace-control.js`):
a block's tag, a comment or a partial alone on its line takes the line away, `~` takes all
whitespace, `\\{{` is text, and what follows a tag that can't be read is text.
"""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.handlebars import scan
from ..syntax.templates import render
from . import Format


def parse(text: str) -> Prompt:
    rendering = render(passage(text, 0, len(text)), scan(text))
    return Prompt(
        "handlebars",
        (rendering.message(None),),
        placeholders=rendering.placeholders,
        problems=rendering.problems,
    )


FORMAT = Format(
    name="handlebars",
    parse=parse,
    patterns=("*.hbs", "*.handlebars"),
    language_ids=("handlebars",),
)

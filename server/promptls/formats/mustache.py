"""Mustache templates: `{{value}}`, `{{{value}}}`, `{{#section}}`, `{{>partial}}`, `{{=<% %>=}}`.

Read as the Mustache specification says: a tag other than a value that is alone on its line takes
the line away, and a tag can change the delimiters of those that follow. A section is sent if its
name is something, an inverted one if it is nothing. What follows a tag that can't be read is text.
"""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.mustache import scan
from ..syntax.templates import render
from . import Format


def parse(text: str) -> Prompt:
    rendering = render(passage(text, 0, len(text)), scan(text))
    return Prompt(
        "mustache",
        (rendering.message(None),),
        placeholders=rendering.placeholders,
        problems=rendering.problems,
    )


FORMAT = Format(
    name="mustache",
    parse=parse,
    patterns=("*.mustache",),
    language_ids=("mustache",),
)

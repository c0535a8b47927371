"""Handlebars templates: `{{value}}`, `{{#block}}`, `{{>partial}}`, `{{! comment}}`, `{{~ ~}}`.

Read as Handlebars.js 4 does (its `handlebars.l`, `handlebars.yy` and `whitespace-control.js`):
a block's tag, a comment or a partial alone on its line takes the line away, `~` takes all
whitespace, `\\{{` is text, and what follows a tag that can't be read is text.
"""

from __future__ import annotations

from functools import partial

from ..syntax.handlebars import scan
from ..syntax.templates import parse_template
from . import Format

FORMAT = Format(
    name="handlebars",
    parse=partial(parse_template, scan=scan),
    patterns=("*.hbs", "*.handlebars"),
    language_ids=("handlebars",),
)

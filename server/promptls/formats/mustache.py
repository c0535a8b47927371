"""Mustache templates: `{{value}}`, `{{{value}}}`, `{{#section}}`, `{{>partial}}`, `{{=<% %>=}}`.

Read as the Mustache specification says: a tag other than a value that is alone on its line takes
the line away, and a tag can change the delimiters of those that follow. A section is sent if its
name is something, an inverted one if it is nothing. What follows a tag that can't be read is text.
"""

from __future__ import annotations

from functools import partial

from ..syntax.mustache import scan
from ..syntax.templates import parse_template
from . import Format

FORMAT = Format(
    name="mustache",
    parse=partial(parse_template, scan=scan),
    patterns=("*.mustache",),
    language_ids=("mustache",),
)

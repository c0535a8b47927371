"""`.prompt` files of no known syntax: the whole file is the prompt, `{{name}}` is a placeholder."""

from __future__ import annotations

from functools import partial

from ..syntax.templates import parse_template, scan_values
from . import Format

FORMAT = Format(
    name="prompt-text",
    parse=partial(parse_template, scan=scan_values),
    patterns=("*.prompt",),
    language_ids=("dotprompt",),
    precedence=8,
)

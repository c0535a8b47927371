"""Cursor's `.mdc` rules: a header that is nearly YAML, then the rule.

`globs: **/*.ts` is usual there and no valid YAML, so the header is skipped and not read.
"""

from __future__ import annotations

from functools import partial

from ..syntax.front_matter import edit_body, parse_with_header
from . import Format

FORMAT = Format(
    name="mdc",
    parse=partial(parse_with_header, is_yaml=False, names_model=False),
    edit=edit_body,
    patterns=("*.mdc",),
    language_ids=("mdc",),
)

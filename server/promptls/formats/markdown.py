"""Markdown: the whole file is one message as it stands."""

from __future__ import annotations

from . import Format, plain

FORMAT = Format(
    name="markdown",
    parse=plain.parse,
    patterns=("*.md", "*.markdown"),
    language_ids=("markdown",),
    verbatim=True,
    precedence=8,
)

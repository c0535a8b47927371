"""Markdown: the whole file is one message as it stands."""

from __future__ import annotations

from ..prompt import Prompt, passage
from . import Format


def parse(text: str) -> Prompt:
    return Prompt("markdown", (passage(text, 0, len(text)).message(None),))


FORMAT = Format(
    name="markdown",
    parse=parse,
    patterns=("*.md", "*.markdown"),
    language_ids=("markdown",),
    verbatim=True,
)

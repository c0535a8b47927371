"""`.prompt` files of no known syntax: the whole file is the prompt, `{{name}}` is a placeholder."""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.templates import render, scan_values
from . import Format


def parse(text: str) -> Prompt:
    rendering = render(passage(text, 0, len(text)), scan_values(text))
    return Prompt("prompt-text", (rendering.message(None),), placeholders=rendering.placeholders)


FORMAT = Format(
    name="prompt-text", parse=parse, patterns=("*.prompt",), language_ids=("dotprompt",)
)

"""`.instructions.md` and copilot-instructions.md: an optional YAML header, then instructions."""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.front_matter import read_front_matter
from . import Format


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    body = passage(text, front_matter.body_start, len(text))
    return Prompt(
        "instructions",
        (body.message(None),),
        header=front_matter.header,
        problems=tuple(front_matter.problems),
    )


FORMAT = Format(
    name="instructions",
    parse=parse,
    patterns=(
        "*.instructions.md",
        "copilot-instructions.md",
    ),
    language_ids=("instructions",),
)

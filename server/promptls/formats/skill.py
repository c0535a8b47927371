"""`SKILL.md`: a YAML header with the skill's name, then its instructions."""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.front_matter import read_front_matter
from ..syntax.models import header_models
from . import Format


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    body = passage(text, front_matter.body_start, len(text))
    return Prompt(
        "skill",
        (body.message(None),),
        header=front_matter.header,
        problems=tuple(front_matter.problems),
        models=header_models(front_matter.document.root),
    )


FORMAT = Format(name="skill", parse=parse, patterns=("skill.md",), language_ids=("skill",))

"""`.agent.md` and `.chatmode.md`: an optional YAML header, then the agent's instructions."""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.front_matter import read_front_matter
from ..syntax.models import header_models
from . import Format


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    body = passage(text, front_matter.body_start, len(text))
    return Prompt(
        "agent",
        (body.message(None),),
        header=front_matter.header,
        problems=tuple(front_matter.problems),
        models=header_models(front_matter.document.root),
    )


FORMAT = Format(
    name="agent",
    parse=parse,
    patterns=(
        "*.agent.md",
        "*.chatmode.md",
    ),
    language_ids=(
        "chatagent",
        "chatmode",
    ),
)

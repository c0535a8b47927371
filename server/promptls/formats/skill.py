"""`SKILL.md`: a YAML header with the skill's name, then its instructions."""

from __future__ import annotations

from ..syntax.front_matter import parse_with_header
from . import Format

FORMAT = Format(
    name="skill",
    parse=parse_with_header,
    patterns=("skill.md",),
    language_ids=("skill",),
)

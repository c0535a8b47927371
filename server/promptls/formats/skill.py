"""`SKILL.md`: a YAML header with the skill's name, then its instructions."""

from __future__ import annotations

from ..syntax.front_matter import edit_body, parse_with_header
from . import Format

FORMAT = Format(
    name="skill",
    parse=parse_with_header,
    edit=edit_body,
    patterns=("skill.md",),
    language_ids=("skill",),
)

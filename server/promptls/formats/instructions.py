"""`.instructions.md` and copilot-instructions.md: an optional YAML header, then instructions."""

from __future__ import annotations

from functools import partial

from ..syntax.front_matter import edit_body, parse_with_header
from . import Format

FORMAT = Format(
    name="instructions",
    parse=partial(parse_with_header, names_model=False),
    edit=edit_body,
    patterns=("*.instructions.md", "copilot-instructions.md"),
    language_ids=("instructions",),
)

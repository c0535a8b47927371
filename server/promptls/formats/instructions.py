"""`.instructions.md` and copilot-instructions.md: an optional YAML header, then instructions."""

from __future__ import annotations

from functools import partial

from ..syntax.front_matter import parse_with_header
from . import Format

FORMAT = Format(
    name="instructions",
    parse=partial(parse_with_header, names_model=False),
    patterns=("*.instructions.md", "copilot-instructions.md"),
    language_ids=("instructions",),
)

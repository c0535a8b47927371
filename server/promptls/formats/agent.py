"""`.agent.md` and `.chatmode.md`: an optional YAML header, then the agent's instructions."""

from __future__ import annotations

from ..syntax.front_matter import edit_body, parse_with_header
from . import Format

FORMAT = Format(
    name="agent",
    parse=parse_with_header,
    edit=edit_body,
    patterns=("*.agent.md", "*.chatmode.md"),
    language_ids=("chatagent", "chatmode"),
)

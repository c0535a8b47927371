"""Plain text: the whole file is one message without a role, as it stands."""

from __future__ import annotations

from ..passages import passage
from ..prompt import Prompt
from . import Format


def parse(text: str) -> Prompt:
    return Prompt((passage(text, 0, len(text)).message(None),))


FORMAT = Format(
    name="plain",
    parse=parse,
    patterns=("*.txt",),
    language_ids=("plaintext",),
    verbatim=True,
    precedence=9,
)

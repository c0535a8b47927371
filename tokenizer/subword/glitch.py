"""Glitch tokens: entries of a vocabulary that models have hardly seen, or that are only spam."""

from __future__ import annotations

import json
from functools import cache
from typing import Literal, NamedTuple

from . import data
from .encodings import ENCODINGS

Tier = Literal[
    "verified", "listed", "candidate", "verified-on-models-sharing-the-vocabulary",
    "polluted-vocabulary",
]  # fmt: skip


class GlitchToken(NamedTuple):
    """A token that is known to be under-trained, or to be polluted vocabulary."""

    id: int
    tier: Tier
    """`verified`: measured on a model; `listed`: in a published list, without a measurement;
    `polluted-vocabulary`: a phrase of spam that is one token, never shown to be under-trained."""
    category: str
    """What kind of spam a polluted entry is; otherwise empty."""
    sources: tuple[str, ...]


@cache
def glitch_tokens(encoding: str) -> dict[int, GlitchToken]:
    """The glitch tokens of an encoding, by id; none for an encoding without a list."""
    text = data.read("glitch_tokens.json")
    name = (ENCODINGS[encoding].same_ids if encoding in ENCODINGS else "") or encoding
    return {
        row["id"]: GlitchToken(
            row["id"], row["tier"], row.get("category", ""), tuple(row["sources"])
        )
        for row in json.loads(text)["tokens"]
        if row["encoding"] == name
    }

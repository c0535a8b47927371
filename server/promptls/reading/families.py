"""Families of models whose tokenizers aren't here: whose names are known, and what of their counts.

A model's name comes as its maker writes it (`claude-opus-4-5`), as a cloud does
(`us.anthropic.claude-3-haiku-20240307-v1:0`), or as an editor shows it (`Claude Sonnet 4`).
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Ratio(NamedTuple):
    """How many tokens a model has for each of o200k_base's: the 5th and the 95th percentile."""

    low: float
    high: float


class Family(NamedTuple):
    """Models that are known, but whose tokenizer isn't here."""

    sign: re.Pattern[str]
    """Found in the names of its models, in lower case."""
    ratio: Ratio | None = None


# Measured on code in many languages (Rosetta, MultiPL-E) and on 501 natural ones (the Declaration
# of Human Rights), against counts that Anthropic's API gave.
_OLDER_CLAUDE, _NEWER_CLAUDE = Ratio(1.06, 2.02), Ratio(1.17, 2.07)
_FAMILIES = (
    Family(re.compile(r"claude-(?:instant|v?[12])")),
    Family(
        re.compile(
            r"claude-3|claude-4-(?:opus|sonnet|haiku)"
            r"|claude-(?:opus|sonnet|haiku)-4(?:-?[0-9]{8}|[-.@][0-6](?![0-9])|(?![-.][0-9]))"
        ),
        _OLDER_CLAUDE,
    ),
    Family(re.compile(r"claude-(?:opus|sonnet|haiku|fable|mythos)-[4-9]"), _NEWER_CLAUDE),
    Family(
        re.compile(
            r"claude|gemini|gemma|llama|mistral|mixtral|ministral|codestral|magistral|devstral"
            r"|pixtral|qwen|qwq|deepseek|glm-|kimi|moonshot|grok|command-[ar]|nova-|minimax|jamba"
            r"|granite|phi-?[1-9]|olmo|falcon|yi-|dbrx|titan|palm|bison|sonar|hermes"
            r"|\b(?:opus|sonnet|haiku)\b"
        )
    ),
)


def family_of(model: str) -> Family | None:
    """The family of a model that is known and can't be counted for; None for any other name."""
    name = model.lower().replace(" ", "-")
    return next((family for family in _FAMILIES if family.sign.search(name)), None)

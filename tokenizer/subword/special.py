"""Special tokens: those of each encoding, and the control tokens of each model family."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

END_OF_TEXT = {"<|endoftext|>": 50256}

# As tiktoken 0.14 has them in tiktoken_ext/openai_public.py; a test compares them.
SPECIAL_TOKENS: dict[str, dict[str, int]] = {
    "gpt2": END_OF_TEXT,
    "r50k_base": END_OF_TEXT,
    "p50k_base": END_OF_TEXT,
    "p50k_edit": END_OF_TEXT
    | {"<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283},
    "cl100k_base": {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    "o200k_harmony": {
        "<|endoftext|>": 199999,
        "<|endofprompt|>": 200018,
        "<|startoftext|>": 199998,
        "<|reserved_200000|>": 200000,
        "<|reserved_200001|>": 200001,
        "<|return|>": 200002,
        "<|constrain|>": 200003,
        "<|reserved_200004|>": 200004,
        "<|channel|>": 200005,
        "<|start|>": 200006,
        "<|end|>": 200007,
        "<|message|>": 200008,
        "<|reserved_200009|>": 200009,
        "<|reserved_200010|>": 200010,
        "<|reserved_200011|>": 200011,
        "<|call|>": 200012,
    }
    | {f"<|reserved_{id}|>": id for id in range(200013, 201088)},
}


class ControlToken(NamedTuple):
    """A string that a model family reads as control, in its exact spelling."""

    family: str
    token: str
    id: int | None
    """None where the id was not verified."""
    role: str
    kind: str
    """`special`: one id of the vocabulary; `text`: a marker in plain text."""
    source: str


@cache
def control_tokens() -> tuple[ControlToken, ...]:
    """The control tokens of every known model family; each row names its source."""
    text = files(__package__).joinpath("data/special_tokens.json").read_text(encoding="utf-8")
    return tuple(
        ControlToken(*(row[field] for field in ControlToken._fields))
        for row in json.loads(text)["tokens"]
    )

"""Special tokens: those of each encoding, and the control tokens of each model family."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import NamedTuple

from . import data

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
    """Of a numbered series, its form: `<|reserved_N|>`."""
    id: int | None
    """None where it was not verified, or where the token stands for a series."""
    role: str
    kind: str
    """`special`: one id of the vocabulary; `text`: a marker in plain text."""
    source: str
    regex: str
    """Matches exactly the token, or any member of its series."""

    @property
    def is_unmistakable(self) -> bool:
        """Whether nobody writes this by accident: `<|im_end|>` is, `<s>` and `[INST]` are not."""
        return _UNMISTAKABLE.fullmatch(self.token) is not None


_UNMISTAKABLE = re.compile(r"<\|\w+\|>|<｜\S+｜>|\[\|\w+\|\]|<(start|end)_of_(turn|image)>")


@cache
def control_tokens() -> tuple[ControlToken, ...]:
    """The control tokens of every known model family; each row names its source."""
    text = data.read("special_tokens.json")
    return tuple(
        ControlToken(
            **{field: row[field] for field in ("family", "token", "id", "role", "kind", "source")},
            regex=row.get("regex") or re.escape(row["token"]),
        )
        for row in json.loads(text)["tokens"]
    )


def families() -> list[str]:
    """The names of the known model families."""
    return sorted({token.family for token in control_tokens()})


@cache
def family_tokens(name: str) -> tuple[ControlToken, ...]:
    """The control tokens of a family; none for an unknown one.

    A name also stands for what it begins, so `llama` is every Llama, and a member that isn't
    listed apart falls under its family, so `llama-3.1` is `llama-3`.
    """
    name = name.strip().lower()
    return tuple(token for token in control_tokens() if _is_of(token.family, name))


def _is_of(family: str, name: str) -> bool:
    return f"{family}-".startswith(f"{name}-") or name.startswith((f"{family}-", f"{family}."))

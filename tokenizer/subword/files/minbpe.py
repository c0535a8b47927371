"""minbpe's `.model`: a split pattern, special tokens, and pairs of ids in the order merged."""

from __future__ import annotations

from typing import NamedTuple

from ..patterns import PATTERNS
from .byte_bpe import ByteBPE, checked_id
from .saved import ModelError

HEADER = b"minbpe v1"


class MinBPE(NamedTuple):
    """What a file holds."""

    pattern: str | None
    special_tokens: dict[str, int]
    merges: list[tuple[int, int]]


def write_minbpe(model: ByteBPE) -> bytes:
    """minbpe numbers bytes by value and merges from 256 on, and so must the model."""
    if any(token != bytes([id]) for id, token in model.vocab.items() if id < 256):
        raise ValueError("minbpe's format needs bytes numbered by value; use another format")
    pattern = "" if model.pattern is None else PATTERNS.get(model.pattern, model.pattern)
    if "\n" in pattern or any(set(text) & set("\n ") for text in model.special_tokens):
        raise ValueError("minbpe's format has no room for line ends and spaces in names")
    lines = [HEADER.decode(), pattern, str(len(model.special_tokens))]
    lines += [f"{text} {id}" for text, id in model.special_tokens.items()]
    lines += [f"{left} {right}" for left, right in model.merges]
    return ("\n".join(lines) + "\n").encode()


def read_minbpe(data: bytes, name: str) -> MinBPE:
    """Raises `ModelError`, or ValueError for what is damaged."""
    lines = data.decode("utf-8").split("\n")
    count = int(lines[2])
    if not 0 <= count <= len(lines):
        raise ModelError(f"{name}: line 3 is not a number of special tokens")
    special = [line.rpartition(" ") for line in lines[3 : 3 + count]]
    pairs = [line.split() for line in lines[3 + count :] if line.strip()]
    return MinBPE(
        lines[1] or None,
        {text: checked_id(id) for text, _, id in special},
        [(int(left), int(right)) for left, right in pairs],
    )

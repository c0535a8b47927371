"""A byte-level BPE as Hugging Face's `tokenizer.json`, and back."""

from __future__ import annotations

import json
from typing import Any

from ..patterns import PATTERNS
from ..spelling import byte_characters
from .byte_bpe import ByteBPE, checked_id
from .saved import ModelError


def write_huggingface(model: ByteBPE) -> bytes:
    """The file's content."""
    visible = byte_characters()
    names = {id: "".join(visible[byte] for byte in token) for id, token in model.vocab.items()}
    byte_level = {
        "type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False,
    }  # fmt: skip
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_token(text, id) for text, id in model.special_tokens.items()],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [*_splits(model.pattern), byte_level],
        },
        "post_processor": None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {name: id for id, name in sorted(names.items())},
            "merges": [[names[left], names[right]] for left, right in model.merges],
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def read_huggingface(fields: dict[str, Any]) -> ByteBPE:
    """The vocabulary in a document. Raises `ModelError` for one that isn't a plain byte BPE."""
    model = fields["model"]
    if model.get("type") != "BPE" or model.get("byte_fallback"):
        raise ModelError("only a byte-level BPE can be read as one; use it as an encoding instead")
    byte_of = {character: byte for byte, character in byte_characters().items()}
    ids = {name: checked_id(id) for name, id in model["vocab"].items()}
    special = {
        token["content"]: checked_id(token["id"]) for token in fields.get("added_tokens", [])
    }
    vocab = {
        id: bytes(byte_of[character] for character in name)
        for name, id in ids.items()
        if name not in special
    }
    pairs = (row if isinstance(row, list) else row.split(" ") for row in model["merges"])
    merges = {(ids[left], ids[right]): ids[left + right] for left, right in pairs}
    if list(merges.values()) != sorted(set(merges.values())):
        raise ModelError(
            "its merges are not in the order of the ids; use it as an encoding instead"
        )
    return ByteBPE(_pattern_of(fields.get("pre_tokenizer")), vocab, merges, special)


def _splits(pattern: str | None) -> list[dict[str, Any]]:
    """The split pattern for Oniguruma, to which `{1,3}+` is `{1,3}`, repeated."""
    if pattern is None:
        return []
    regex = PATTERNS.get(pattern, pattern)
    if pattern in PATTERNS:
        regex = regex.replace("{1,3}+", "{1,3}")
    return [{"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}]


def _pattern_of(pre_tokenizer: dict[str, Any] | None) -> str | None:
    """The split pattern that a pre-tokenizer stands for. Raises `ModelError` for another kind."""
    steps = (pre_tokenizer or {}).get("pretokenizers", [pre_tokenizer] if pre_tokenizer else [])
    patterns = [step["pattern"]["Regex"] for step in steps if step["type"] == "Split"]
    own = [step for step in steps if step["type"] == "ByteLevel" and step.get("use_regex", True)]
    if len(patterns) + len(own) > 1 or len(steps) > len(patterns) + 1:
        raise ModelError(
            "its chain of splits is more than one pattern; use it as an encoding instead"
        )
    if own:
        return "gpt2"
    return next(
        (
            name
            for name in PATTERNS
            if patterns and _splits(name)[0]["pattern"]["Regex"] == patterns[0]
        ),
        patterns[0] if patterns else None,
    )


def _added_token(text: str, id: int) -> dict[str, Any]:
    return {
        "id": id, "content": text, "single_word": False, "lstrip": False, "rstrip": False,
        "normalized": False, "special": True,
    }  # fmt: skip

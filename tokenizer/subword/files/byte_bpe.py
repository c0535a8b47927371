"""Byte BPE vocabularies in four file formats: ours, minbpe's, tiktoken's and Hugging Face's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..patterns import PATTERNS
from ..vocab import VocabularyError, read_tiktoken, write_tiktoken
from .saved import (
    FORMAT,
    MAX_ID,
    ModelError,
    load_model,
    read_bytes,
    read_json,
    save_model,
    write_bytes,
)

if TYPE_CHECKING:
    from ..models.bpe import BPE

_MINBPE_HEADER = b"minbpe v1"


def save_bpe(model: BPE, path: str | os.PathLike[str], format: str | None) -> None:
    """Write a vocabulary in a format, or in that which the file's name asks for."""
    writers = {
        FORMAT: _save_own,
        "minbpe": _save_minbpe,
        "tiktoken": _save_tiktoken,
        "huggingface": _save_huggingface,
    }
    format = format or _format_of_name(Path(path))
    if format not in writers:
        raise ValueError(f"unknown format {format!r}; the formats are {', '.join(writers)}")
    writers[format](model, path)


def load_bpe(path: str | os.PathLike[str], pattern: str | None = None) -> BPE:
    """Read a vocabulary in any of the formats. Raises `ModelError`."""
    head = read_bytes(path)[:64].lstrip()
    name = Path(path).name
    try:
        if head.startswith(_MINBPE_HEADER):
            return _load_minbpe(path)
        if head.startswith(b"{"):
            fields = read_json(path)
            return _load_own(path) if "format" in fields else _load_huggingface(fields)
        return _load_tiktoken(path, pattern)
    except ModelError:
        raise
    except VocabularyError as error:
        raise ModelError(f"{name}: {error}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ModelError(f"{name}: damaged ({error})") from None


def _format_of_name(path: Path) -> str:
    if path.name == "tokenizer.json":
        return "huggingface"
    return {".model": "minbpe", ".tiktoken": "tiktoken"}.get(path.suffix, FORMAT)


def _save_own(model: BPE, path: str | os.PathLike[str]) -> None:
    fields = {
        "pattern": model.pattern,
        "ties": model.ties,
        "byte_order": model.byte_order,
        "special_tokens": model.special_tokens,
        # The text is for people; only the two ids are read.
        "merges": [
            [left, right, model.vocab[id].decode("utf-8", "backslashreplace")]
            for (left, right), id in _in_order(model)
        ],
    }
    save_model(path, "bpe", fields)


def _load_own(path: str | os.PathLike[str]) -> BPE:
    from ..models.bpe import BPE

    fields = load_model(path, "bpe")
    if fields["ties"] not in ("first", "smallest") or fields["byte_order"] not in ("value", "gpt2"):
        raise ModelError(f"{Path(path).name}: unknown ties or byte_order")
    pairs = ((int(row[0]), int(row[1])) for row in fields["merges"])
    model = BPE.from_merges(pairs, fields["pattern"], fields["ties"], fields["byte_order"])
    model.register_special_tokens(_special_tokens(fields["special_tokens"].items()))
    return model


def _save_minbpe(model: BPE, path: str | os.PathLike[str]) -> None:
    """minbpe numbers bytes by value and merges from 256 on, and so must the model."""
    if any(token != bytes([id]) for id, token in model.vocab.items() if id < 256):
        raise ValueError("minbpe's format needs bytes numbered by value; use another format")
    pattern = "" if model.pattern is None else PATTERNS.get(model.pattern, model.pattern)
    if "\n" in pattern or any(set(text) & set("\n ") for text in model.special_tokens):
        raise ValueError("minbpe's format has no room for line ends and spaces in names")
    lines = [_MINBPE_HEADER.decode(), pattern, str(len(model.special_tokens))]
    lines += [f"{text} {id}" for text, id in model.special_tokens.items()]
    lines += [f"{left} {right}" for (left, right), _ in _in_order(model)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _load_minbpe(path: str | os.PathLike[str]) -> BPE:
    from ..models.bpe import BPE

    lines = read_bytes(path).decode("utf-8").split("\n")
    count = int(lines[2])
    if not 0 <= count <= len(lines):
        raise ModelError(f"{Path(path).name}: line 3 is not a number of special tokens")
    special = [line.rpartition(" ") for line in lines[3 : 3 + count]]
    pairs = [_pair(line.split()) for line in lines[3 + count :] if line.strip()]
    model = BPE.from_merges(pairs, lines[1] or None)
    model.register_special_tokens(_special_tokens((text, id) for text, _, id in special))
    return model


def _save_tiktoken(model: BPE, path: str | os.PathLike[str]) -> None:
    write_bytes(path, write_tiktoken({token: id for id, token in model.vocab.items()}))


def _load_tiktoken(path: str | os.PathLike[str], pattern: str | None) -> BPE:
    from ..models.bpe import BPE

    ranks = read_tiktoken(read_bytes(path))
    if not ranks:
        raise ModelError(f"{Path(path).name}: no ranks in it")
    return BPE.from_ranks(ranks, pattern)


def _save_huggingface(model: BPE, path: str | os.PathLike[str]) -> None:
    from ..models.recovery import byte_characters

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
            "merges": [[names[left], names[right]] for (left, right), _ in _in_order(model)],
        },
    }
    write_bytes(path, json.dumps(document, ensure_ascii=False, indent=1).encode())


def _load_huggingface(fields: dict[str, Any]) -> BPE:
    from ..models.bpe import BPE
    from ..models.recovery import byte_characters

    model = fields["model"]
    if model.get("type") != "BPE" or model.get("byte_fallback"):
        raise ModelError("only a byte-level BPE can be read as one; use it as an encoding instead")
    byte_of = {character: byte for byte, character in byte_characters().items()}
    ids = {name: _id(id) for name, id in model["vocab"].items()}
    special = {token["content"]: _id(token["id"]) for token in fields.get("added_tokens", [])}
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
    loaded = BPE(_pattern_of(fields.get("pre_tokenizer")))
    loaded._set(merges, vocab)
    loaded.register_special_tokens(special)
    return loaded


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


def _in_order(model: BPE) -> list[tuple[tuple[int, int], int]]:
    return sorted(model.merges.items(), key=lambda row: row[1])


def _special_tokens(rows: Iterable[tuple[str, Any]]) -> dict[str, int]:
    return {text: _id(id) for text, id in rows}


def _id(value: Any) -> int:
    id = int(value)
    if not 0 <= id < MAX_ID:
        raise ValueError(f"the id {id} is below 0 or not below {MAX_ID:,}")
    return id


def _pair(fields: Sequence[str]) -> tuple[int, int]:
    left, right = fields
    return int(left), int(right)

"""Hugging Face's `tokenizer.json`, run by the `tokenizers` library (the extra `hf`)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from ..train.placed import Placed
from ..train.recovery import byte_characters
from .files import ModelError, read_json
from .foreign import ForeignEncoding
from .probes import refuse_slow_pattern

_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")


class HuggingFaceEncoding(ForeignEncoding):
    """A `tokenizer.json` as an encoding. Special tokens are those that the file marks so.

    Added tokens that are not special belong to the vocabulary and are always found in a text.
    """

    def __init__(self, name: str, document: dict[str, Any]) -> None:
        super().__init__(name, _special_tokens(document))
        self._text_engine = _engine(name, document)
        # The library can be told to read special tokens as text, but not call by call.
        self._text_engine.encode_special_tokens = True
        self._document = document

    @classmethod
    def load(cls, path: str | os.PathLike[str], name: str) -> HuggingFaceEncoding:
        """Read a file. Raises `ModelError`, also when the library is missing."""
        return cls(name, read_json(path))

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """What each id decodes to by itself, special tokens included."""
        vocab = self._text_engine.get_vocab(with_added_tokens=True)
        added = {token["content"] for token in self._document.get("added_tokens") or ()}
        to_bytes = _decoder_of(self._document)
        return {
            id: text.encode("utf-8", "replace") if text in added else to_bytes(text)
            for text, id in vocab.items()
        }

    def count(self, text: str, special: str = "text") -> int:
        """How many tokens a text has. Raises as `encode` does."""
        return len(self.encode(text, special))  # type: ignore[arg-type]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, as the library decodes it. Raises ValueError for an unknown id."""
        ids = list(ids)
        for id in ids:
            if id not in self.token_bytes:
                raise ValueError(f"{self.name} has no token with the id {id}")
        text: str = self._text_engine.decode(ids, skip_special_tokens=False)
        return text

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids: exact for byte-level models. Raises ValueError for an unknown id."""
        if _is_byte_level(self._document):
            return super().decode_bytes(ids)
        return self.decode(ids).encode()

    def _place(self, text: str) -> Iterable[Placed]:
        encoded = self._text_engine.encode(text, add_special_tokens=False)
        return map(_placed, encoded.ids, encoded.offsets)


def _placed(id: int, span: tuple[int, int]) -> Placed:
    return Placed(id, *span)


def _engine(name: str, document: dict[str, Any]) -> Any:
    """The library's tokenizer, without what changes places or lengths."""
    try:
        import tokenizers
    except ImportError:
        raise ModelError(
            f"{name}: needs the tokenizers library; install promptls with the extra hf: "
            "pip install 'promptls[hf]'"
        ) from None
    for pattern in _patterns(document):
        refuse_slow_pattern(name, pattern)
    # Truncation and padding change counts; post-processors add tokens and trim places.
    plain = {**document, "truncation": None, "padding": None, "post_processor": None}
    try:
        return tokenizers.Tokenizer.from_str(json.dumps(plain))
    except BaseException as error:
        # The library raises a bare Exception, and a panic is a BaseException.
        if isinstance(error, (KeyboardInterrupt, SystemExit, MemoryError)):
            raise
        raise ModelError(f"{name}: not a tokenizer.json ({error})") from None


def _special_tokens(document: dict[str, Any]) -> dict[str, int]:
    try:
        return {
            token["content"]: token["id"]
            for token in document.get("added_tokens") or ()
            if token["special"]
        }
    except (LookupError, TypeError):
        raise ModelError("the added tokens of the tokenizer.json are damaged") from None


def _patterns(part: Any) -> Iterator[str]:
    """Every regular expression in a document."""
    stack = [part]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if isinstance(part.get("Regex"), str):
                yield part["Regex"]
            stack.extend(value for key, value in part.items() if key not in ("vocab", "merges"))
        elif isinstance(part, list):
            stack.extend(part)


def _steps(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """A pre-tokenizer, normalizer or decoder as the list of its steps."""
    part = document.get(key) or {}
    nested = [part.get(name) for name in ("pretokenizers", "normalizers", "decoders")]
    return next((steps for steps in nested if steps), [part])


def _is_byte_level(document: dict[str, Any]) -> bool:
    return any(step.get("type") == "ByteLevel" for step in _steps(document, "decoder"))


def _decoder_of(document: dict[str, Any]) -> Any:
    """What turns a token of the vocabulary into bytes."""
    if _is_byte_level(document):
        byte_of = {character: byte for byte, character in byte_characters().items()}

        def from_byte_level(token: str) -> bytes:
            # A token that isn't written in byte characters stands for itself.
            known = all(character in byte_of for character in token)
            return bytes(map(byte_of.__getitem__, token)) if known else token.encode()

        return from_byte_level
    prefix = document.get("model", {}).get("continuing_subword_prefix") or ""

    def from_pieces(token: str) -> bytes:
        if byte := _BYTE_TOKEN.fullmatch(token):
            return bytes([int(byte[1], 16)])
        return (token.removeprefix(prefix) if prefix else token).replace("▁", " ").encode()

    return from_pieces

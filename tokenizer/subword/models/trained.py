"""The models that are trained here, other than byte BPE, as encodings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from ..encoding import SpecialMode
from ..foreign import ForeignEncoding
from ..placed import Placed


class Model(Protocol):
    """What a trained model must be able to do to be counted with."""

    def place(self, text: str) -> Iterable[Placed]:
        """The tokens of a text and where they stand."""

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids."""


class TrainedTokenizer:
    """A trained model as a tokenizer; it has no special tokens."""

    special_tokens: Mapping[str, int] = {}

    def __init__(self, model: Model, token_bytes: Mapping[int, bytes]) -> None:
        self.model = model
        self.token_bytes = token_bytes

    def place(self, text: str, special: SpecialMode) -> Iterable[Placed]:
        return self.model.place(text)

    def encode(self, text: str, special: SpecialMode) -> list[int]:
        return [token.id for token in self.model.place(text)]

    def decode(self, ids: list[int]) -> str:
        return self.model.decode(ids)

    def decode_bytes(self, ids: list[int]) -> bytes:
        return self.decode(ids).encode("utf-8", "replace")


def trained_encoding(name: str, model: Model, tokens: Iterable[bytes]) -> ForeignEncoding:
    """A model as an encoding; `tokens` are the bytes of its ids, from 0 on."""
    return ForeignEncoding(name, TrainedTokenizer(model, dict(enumerate(tokens))))

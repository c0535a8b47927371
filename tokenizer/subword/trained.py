"""The models that `subword` trains, other than byte BPE, as encodings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Protocol

from .foreign import ForeignEncoding
from .placed import Placed


class TrainedModel(Protocol):
    """What a trained model must be able to do to be counted with."""

    def place(self, text: str) -> Iterable[Placed]:
        """The tokens of a text and where they stand."""

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids."""


class TrainedEncoding(ForeignEncoding):
    """A trained model as an encoding; `tokens` are the bytes of its ids, from 0 on."""

    def __init__(self, name: str, model: TrainedModel, tokens: Iterable[bytes]) -> None:
        super().__init__(name, {})
        self.model = model
        self._tokens = list(tokens)

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """What each id decodes to by itself."""
        return dict(enumerate(self._tokens))

    def _place(self, text: str) -> Iterable[Placed]:
        return self.model.place(text)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids. Raises ValueError for an unknown id."""
        return self.model.decode(ids)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The text of ids in UTF-8. Raises ValueError for an unknown id."""
        return self.decode(ids).encode("utf-8", "replace")

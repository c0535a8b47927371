"""What subwords are compared with: whole words from a closed vocabulary, characters, and bytes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar, TypeVar

from ..files.saved import ModelError, load_model, save_model
from ..foreign import ForeignEncoding
from ..placed import Placed
from ..pre_tokenizer import find_pieces
from ..surrogates import join_surrogates
from .trained import trained_encoding
from .wordpiece import WORDS

UNKNOWN = "<unk>"

Model = TypeVar("Model", bound="ClosedVocabulary")


class ClosedVocabulary:
    """A list of units that were frequent in a corpus; id 0 is `<unk>`, for all others."""

    algorithm: ClassVar[str]
    separator: ClassVar[str]

    def __init__(self) -> None:
        self._set([])

    def _set(self, units: list[str]) -> None:
        self.vocab = [UNKNOWN, *units]
        self._ids = {unit: id for id, unit in enumerate(units, 1)}

    @staticmethod
    def find(text: str) -> Iterator[tuple[int, str]]:
        """The units of a text, known or not, each with the character at which it begins."""
        raise NotImplementedError

    def units(self, text: str) -> list[str]:
        """The units of a text, known or not."""
        return [unit for _, unit in self.find(text)]

    def place(self, text: str) -> list[Placed]:
        """The tokens of a text and where they stand."""
        return [
            Placed(self._ids.get(unit, 0), start, start + len(unit))
            for start, unit in self.find(text)
        ]

    def train(self, texts: str | Iterable[str], vocab_size: int) -> None:
        """Keep the most frequent units, `vocab_size` with `<unk>`; of equals those seen first."""
        counts: Counter[str] = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            counts.update(self.units(text))
        self._set([unit for unit, _ in counts.most_common(vocab_size - 1)])

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return [self._ids.get(unit, 0) for unit in self.units(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The units of ids. Raises ValueError for an unknown id."""
        return self.separator.join(self._unit(id) for id in ids)

    def unknown_rate(self, text: str) -> float:
        """The share of a text's units that the vocabulary doesn't have."""
        ids = self.encode(text)
        return ids.count(0) / len(ids) if ids else 0.0

    def encoding(self, name: str) -> ForeignEncoding:
        """The model as an encoding."""
        return trained_encoding(name, self, map(str.encode, self.vocab))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the units, one a line."""
        save_model(path, self.algorithm, {"units": self.vocab[1:]})

    @classmethod
    def load(cls: type[Model], path: str | os.PathLike[str]) -> Model:
        """Read what `save` wrote. Raises `ModelError`."""
        units = load_model(path, cls.algorithm).get("units")
        if not isinstance(units, list) or not all(isinstance(unit, str) for unit in units):
            raise ModelError(f"{Path(path).name}: damaged (no list of units)")
        model = cls()
        model._set(units)
        return model

    def _unit(self, id: int) -> str:
        if not 0 <= id < len(self.vocab):
            raise ValueError(f"the vocabulary has no token with the id {id}")
        return self.vocab[id]


class Words(ClosedVocabulary):
    """Words and punctuation marks, as before there were subwords.

    >>> model = Words()
    >>> model.train("der Hund und der Igel", 3)
    >>> model.vocab, model.encode("der Igel")
    (['<unk>', 'der', 'Hund'], [1, 0])
    """

    algorithm = "words"
    separator = " "

    @staticmethod
    def find(text: str) -> Iterator[tuple[int, str]]:
        """Runs of letters, marks and numbers, and each other character but whitespace."""
        return find_pieces(WORDS, join_surrogates(text))


class Characters(ClosedVocabulary):
    """Characters (code points).

    >>> model = Characters()
    >>> model.train("été", 4)
    >>> model.encode("tête")
    [2, 0, 2, 0]
    """

    algorithm = "characters"
    separator = ""

    @staticmethod
    def find(text: str) -> Iterator[tuple[int, str]]:
        """The characters, lone surrogates as U+FFFD."""
        return iter(enumerate(join_surrogates(text)))


class Bytes:
    """UTF-8 bytes with ByT5's ids (Xue et al. 2022): the byte and 3, after pad, end and unknown.

    >>> Bytes().encode("ñ")
    [198, 180]
    """

    OFFSET = 3
    n_vocab = 256 + OFFSET

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return [byte + self.OFFSET for byte in join_surrogates(text).encode()]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; the three special ids have none. Raises ValueError for an unknown id."""
        ids = list(ids)
        if any(not 0 <= id < self.n_vocab for id in ids):
            raise ValueError(f"the ids are from 0 to {self.n_vocab - 1}")
        data = bytes(id - self.OFFSET for id in ids if id >= self.OFFSET)
        return data.decode("utf-8", "replace")

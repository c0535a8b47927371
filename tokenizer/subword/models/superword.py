"""Superwords: BPE that in a second stage merges across spaces (SuperBPE, Liu et al. 2025).

The first stage is byte BPE within pre-tokens. The second goes on with the tokens of whole lines,
so that frequent phrases (` of the`) become one token. (The paper's limits on superwords, such as
four words at most, are not made here.)
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from ..corpus.counting import Progress
from ..files.saved import load_model, save_model, whole
from ..foreign import ForeignEncoding
from ..placed import Placed, place_bytes
from ..surrogates import join_surrogates
from .bpe import BPE
from .merges import Pair, Ties, apply_merges, learn_merges
from .trained import trained_encoding


class SuperBPE:
    """A byte BPE, `base`, and merges of its tokens that may cross spaces but no line end.

    >>> model = SuperBPE()
    >>> model.train("de la casa de la cama de la cara", 266, transition=261)
    >>> model.superwords()[0]
    b'de la'
    """

    def __init__(self, pattern: str | None = "gpt2", ties: Ties = "first") -> None:
        self._set(BPE(pattern, ties), {})

    def _set(self, base: BPE, merges: dict[Pair, int]) -> None:
        self.base = base
        self.merges = merges
        self.vocab = dict(base.vocab)
        for (left, right), id in merges.items():
            self.vocab[id] = self.vocab[left] + self.vocab[right]

    def train(
        self,
        texts: str | Iterable[str],
        vocab_size: int,
        transition: int,
        min_count: int = 1,
        progress: Progress | None = None,
    ) -> None:
        """Learn `transition` tokens within words, then the rest across them.

        Stops early when no pair occurs `min_count` times. `texts` are gone through twice. Raises
        ValueError unless 256 ≤ transition ≤ vocab_size.
        """
        if not 256 <= transition <= vocab_size:
            raise ValueError("the transition is from 256 to the vocabulary's size")
        texts = [texts] if isinstance(texts, str) else list(texts)
        base = BPE(self.base.pattern, self.base.ties)
        base.train(texts, transition, min_count, progress)
        first = len(base.vocab)
        lines = Counter(tuple(line) for text in texts for line in _lines(base, text))
        learnt = learn_merges(
            lines.items(), vocab_size - first, first, base.ties, min_count, progress
        )
        self._set(base, {(merge.left, merge.right): merge.id for merge in learnt})

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return [id for line in _lines(self.base, text) for id in apply_merges(line, self.merges)]

    def place(self, text: str) -> list[Placed]:
        """The tokens of a text and where they stand."""
        tokens = ((id, len(self.vocab[id])) for id in self.encode(text))
        return list(place_bytes(join_surrogates(text), tokens))

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, with U+FFFD for what isn't UTF-8. Raises ValueError."""
        try:
            data = b"".join(map(self.vocab.__getitem__, ids))
        except KeyError as error:
            raise ValueError(f"the vocabulary has no token with the id {error.args[0]}") from None
        return data.decode("utf-8", "replace")

    def superwords(self) -> list[bytes]:
        """The tokens of the second stage that hold a space between other bytes, as learnt."""
        return [self.vocab[id] for id in self.merges.values() if b" " in self.vocab[id].strip()]

    def encoding(self, name: str) -> ForeignEncoding:
        """The model as an encoding."""
        return trained_encoding(name, self, self.vocab.values())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write both stages, one merge a line with its text for people."""
        rows = [
            [left, right, self.vocab[id].decode("utf-8", "backslashreplace")]
            for (left, right), id in [*self.base.merges.items(), *self.merges.items()]
        ]
        fields = {
            "pattern": self.base.pattern,
            "ties": self.base.ties,
            "transition": len(self.base.vocab),
            "merges": rows,
        }
        save_model(path, "super-bpe", fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SuperBPE:
        """Read what `save` wrote. Raises `ModelError`."""
        fields = load_model(path, "super-bpe")
        with whole(path):
            pairs = [(int(row[0]), int(row[1])) for row in fields["merges"]]
            first = int(fields["transition"]) - 256
            base = BPE.from_merges(pairs[:first], fields["pattern"], fields["ties"])
            # All merges at once, which also refuses what can't be.
            joined = BPE.from_merges(pairs)
            model = cls()
            model._set(base, {pair: joined.merges[pair] for pair in pairs[first:]})
        return model


def _lines(base: BPE, text: str) -> Iterator[list[int]]:
    """The base tokens of a text, line by line; a pre-token with a line end ends its line."""
    line: list[int] = []
    for piece in base.pieces(text):
        line += base.encode(piece)
        if "\n" in piece:
            yield line
            line = []
    if line:
        yield line

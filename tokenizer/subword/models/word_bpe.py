"""Word BPE after Sennrich, Haddow and Birch (2016, arXiv:1508.07909), section 3.2.

A word is its characters and a mark, `</w>`, for where it ends; merges never cross words. With the
tie break of the paper's own code (the pair seen first), `low`, `lower`, `newest` and `widest`
give the merges that the paper and its many retellings print.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..corpus.counting import Progress
from ..files.saved import MAX_TOKEN, load_model, save_model, whole
from ..foreign import ForeignEncoding
from ..patterns import WHITESPACE
from ..placed import Placed
from ..surrogates import join_surrogates
from .merges import Merge, Pair, Ties, apply_merges, learn_merges
from .trained import trained_encoding

END_OF_WORD = "</w>"
UNKNOWN = "<unk>"

_WORD = re.compile(f"[^{WHITESPACE}]+")


class WordBPE:
    """A vocabulary of characters, the end-of-word mark, and what was merged from them.

    Id 0 is `<unk>`, for characters that the corpus didn't have, and id 1 `</w>`.

    >>> model = WordBPE()
    >>> model.train("low low lower newest newest widest", 3)
    >>> model.merges
    [('l', 'o'), ('lo', 'w'), ('e', 's')]
    """

    def __init__(self, ties: Ties = "first") -> None:
        self.ties = ties
        self._set([], [])

    def _set(self, alphabet: list[str], learnt: list[Merge]) -> None:
        self.vocab: list[str] = [UNKNOWN, END_OF_WORD, *alphabet]
        for merge in learnt:
            self.vocab.append(self.vocab[merge.left] + self.vocab[merge.right])
        self._learnt = learnt
        # A text can spell the mark, so which tokens end a word is known by id and not by text.
        self._ending = {1}
        for merge in learnt:
            if merge.right in self._ending:
                self._ending.add(merge.id)
        self._lengths = [1, 0] + [1] * len(alphabet)
        for merge in learnt:
            self._lengths.append(self._lengths[merge.left] + self._lengths[merge.right])
        self._rank: dict[Pair, int] = {(merge.left, merge.right): merge.id for merge in learnt}
        self._ids = {symbol: id for id, symbol in enumerate(self.vocab[: 2 + len(alphabet)])}

    @property
    def merges(self) -> list[tuple[str, str]]:
        """The pairs merged, as text, in the order learnt."""
        return [(self.vocab[merge.left], self.vocab[merge.right]) for merge in self._learnt]

    def train(
        self,
        texts: str | Iterable[str],
        merges: int,
        min_count: int = 1,
        progress: Progress | None = None,
    ) -> None:
        """Learn merges from the words (runs of characters that aren't whitespace) of texts."""
        words: Counter[str] = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            words.update(_WORD.findall(text))
        self.train_counts(words, merges, min_count, progress)

    def train_counts(
        self,
        words: dict[str, int],
        merges: int,
        min_count: int = 1,
        progress: Progress | None = None,
    ) -> None:
        """`train` from words and how often each occurs, in the order first seen."""
        alphabet = list(dict.fromkeys(character for word in words for character in word))
        ids = {character: id for id, character in enumerate(alphabet, 2)}
        rows = (([*map(ids.__getitem__, word), 1], count) for word, count in words.items())
        first = 2 + len(alphabet)
        learnt = learn_merges(rows, merges, first, self.ties, min_count, progress)
        self._set(alphabet, learnt)

    def trace(self) -> str:
        """The merges as a table: number, how often the pair stood together, left, right."""
        lines = [
            f"{number:4}  {merge.count:6}  {left} + {right} → {left + right}"
            for number, (merge, (left, right)) in enumerate(
                zip(self._learnt, self.merges, strict=True), 1
            )
        ]
        return "\n".join(lines)

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as text, `</w>` included."""
        return [self.vocab[id] for id in self.encode(text)]

    def encode(self, text: str) -> list[int]:
        """The ids of a text. Which whitespace separated the words is lost."""
        return [token.id for token in self.place(text)]

    def place(self, text: str) -> list[Placed]:
        """The tokens of a text and where they stand; a mark by itself takes up no character."""
        found: list[Placed] = []
        for word in _WORD.finditer(join_surrogates(text)):
            at = word.start()
            for id in self._encode_word(word[0]):
                end = at + self._lengths[id]
                found.append(Placed(id, at, end))
                at = end
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """The words of ids with a space between. Raises ValueError for an unknown id."""
        return "".join(map(self._text, ids)).removesuffix(" ")

    def _text(self, id: int) -> str:
        if not 0 <= id < len(self.vocab):
            raise ValueError(f"the vocabulary has no token with the id {id}")
        ends = id in self._ending
        return self.vocab[id].removesuffix(END_OF_WORD) + " " if ends else self.vocab[id]

    def encoding(self, name: str) -> ForeignEncoding:
        """The model as an encoding."""
        tokens = (token.removesuffix(END_OF_WORD).encode() for token in self.vocab)
        return trained_encoding(name, self, tokens)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the characters and the merges with their counts, one a line."""
        alphabet = self.vocab[2 : len(self.vocab) - len(self._learnt)]
        # The text is for people; only the numbers are read.
        merges = [[*merge[:2], merge.count, self.vocab[merge.id]] for merge in self._learnt]
        fields = {"ties": self.ties, "alphabet": "".join(alphabet), "merges": merges}
        save_model(path, "word-bpe", fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WordBPE:
        """Read what `save` wrote. Raises `ModelError`."""
        fields = load_model(path, "word-bpe")
        with whole(path):
            model = cls(fields["ties"])
            alphabet = list(fields["alphabet"])
            model._set(alphabet, list(_read_merges(2 + len(alphabet), fields["merges"])))
        return model

    def _encode_word(self, word: str) -> list[int]:
        ids = [self._ids.get(character, 0) for character in word]
        return apply_merges([*ids, 1], self._rank)


def _read_merges(first_id: int, rows: list[list[Any]]) -> Iterator[Merge]:
    lengths = [1] * first_id
    for id, (left, right, count, _) in enumerate(rows, first_id):
        if not (0 <= left < id and 0 <= right < id):
            raise ValueError(f"the merge of {left} and {right} comes before its parts")
        lengths.append(lengths[left] + lengths[right])
        if lengths[id] > MAX_TOKEN:
            raise ValueError(f"the token {id} has more than {MAX_TOKEN:,} characters")
        yield Merge(left, right, id, int(count))

"""WordPiece (Schuster and Nakajima 2012), as BERT uses it and Hugging Face's course trains it.

Training is BPE with another score: not how often a pair stands together, but that divided by how
often its parts occur, n(ab) / (n(a) · n(b)). So it prefers pairs whose parts are seldom apart.
Encoding forgets the merges: it takes the longest token that begins the word, then the longest
that goes on (`##…`), and gives up on the whole word when there is none.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path

from ..corpus.counting import Progress
from ..files.saved import ModelError, load_model, save_model
from ..foreign import ForeignEncoding
from ..placed import Placed
from ..pre_tokenizer import find_pieces
from ..surrogates import join_surrogates
from .merges import Pair, merge_pair
from .trained import trained_encoding

PREFIX = "##"
UNKNOWN = "[UNK]"
SPECIAL = (UNKNOWN, "[PAD]", "[CLS]", "[SEP]", "[MASK]")
# BERT and `tokenizers` give up on longer words.
MAX_WORD = 100

# A word is a run of letters, marks and numbers; any other character that isn't whitespace is a word
# by itself. (BERT's own rule keeps symbols such as € within words; ours needs only pinned classes.)
WORDS = r"[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]"


class WordPiece:
    """A WordPiece vocabulary: `vocab` maps tokens to ids, special tokens first.

    >>> model = WordPiece()
    >>> model.train("spielen spielt gespielt", 22)
    >>> model.tokens("spielen")
    ['spiel', '##e', '##n']
    """

    def __init__(self, special_tokens: Iterable[str] = SPECIAL) -> None:
        self.special_tokens = {text: id for id, text in enumerate(special_tokens)}
        if UNKNOWN not in self.special_tokens:
            raise ValueError(f"the special tokens must include {UNKNOWN}")
        self._set(list(self.special_tokens))

    def _set(self, tokens: list[str]) -> None:
        self.vocab = {token: id for id, token in enumerate(tokens)}
        self._tokens = tokens
        self._longest = max(map(len, tokens))
        self.merges: list[tuple[str, str]] = []

    def train(
        self, texts: str | Iterable[str], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """Learn tokens from texts until there are `vocab_size`, special ones counted.

        Stops early when all words are whole. Of equal scores the pair seen first wins. Raises
        ValueError when the characters alone are more than `vocab_size`.
        """
        words: Counter[str] = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            words.update(word for _, word in _words(text))
        self.train_counts(words, vocab_size, progress)

    def train_counts(
        self, words: dict[str, int], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """`train` from words and how often each occurs."""
        pieces = [_as_pieces(word) for word in words]
        alphabet = list(dict.fromkeys(piece for word in pieces for piece in word))
        tokens = [*self.special_tokens, *(p for p in alphabet if p not in self.special_tokens)]
        if len(tokens) > vocab_size:
            raise ValueError(
                f"the characters alone are {len(tokens)} tokens, more than {vocab_size}"
            )
        learner = _Learner(pieces, list(words.values()))
        merges = []
        known = set(tokens)
        while len(tokens) < vocab_size and (best := learner.merge_best()):
            merges.append(best)
            token = _join(*best)
            if token not in known:
                known.add(token)
                tokens.append(token)
            if progress is not None and len(tokens) % 256 == 0:
                progress(len(tokens), vocab_size)
        self._set(tokens)
        self.merges = merges

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as text."""
        return [self._tokens[token.id] for token in self.place(text)]

    def encode(self, text: str) -> list[int]:
        """The ids of a text. Which whitespace separated the words is lost."""
        return [token.id for token in self.place(text)]

    def place(self, text: str) -> list[Placed]:
        """The tokens of a text and where they stand; whitespace belongs to none."""
        found: list[Placed] = []
        for start, word in _words(text):
            at = start
            for token in self._split_word(word):
                length = len(word) if token == UNKNOWN else len(token) - len(PREFIX) * (at > start)
                found.append(Placed(self.vocab[token], at, at + length))
                at += length
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """The words of ids with a space between. Raises ValueError for an unknown id."""
        out: list[str] = []
        for id in ids:
            if not 0 <= id < len(self._tokens):
                raise ValueError(f"the vocabulary has no token with the id {id}")
            token = self._tokens[id]
            continues = token.startswith(PREFIX) and len(token) > len(PREFIX) and out
            out.append(token[len(PREFIX) :] if continues else f" {token}")
        return "".join(out).removeprefix(" ")

    def encoding(self, name: str) -> ForeignEncoding:
        """The model as an encoding."""
        tokens = (token.removeprefix(PREFIX).encode() for token in self.vocab)
        return trained_encoding(name, self, tokens)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tokens, one a line."""
        fields = {"special_tokens": list(self.special_tokens), "tokens": self._tokens}
        save_model(path, "wordpiece", fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WordPiece:
        """Read what `save` wrote. Raises `ModelError`."""
        fields = load_model(path, "wordpiece")
        special, tokens = fields.get("special_tokens"), fields.get("tokens")
        if not isinstance(special, list) or not isinstance(tokens, list):
            raise ModelError(f"{Path(path).name}: damaged (no lists of tokens)")
        if tokens[: len(special)] != special or not all(isinstance(t, str) and t for t in tokens):
            raise ModelError(f"{Path(path).name}: damaged (its tokens are not as they should be)")
        model = cls(special)
        model._set(tokens)
        return model

    def _split_word(self, word: str) -> list[str]:
        if len(word) > MAX_WORD:
            return [UNKNOWN]
        found: list[str] = []
        start = 0
        while start < len(word):
            prefix = PREFIX if start else ""
            ends = range(min(len(word), start + self._longest), start, -1)
            token = next((t for end in ends if (t := prefix + word[start:end]) in self.vocab), None)
            if token is None:
                return [UNKNOWN]
            found.append(token)
            start += len(token) - len(prefix)
        return found


class _Learner:
    """Words as pieces, and the counts that scores need, kept up to date merge by merge.

    A merge changes the scores of all pairs of its two parts, which get new entries in the heap. An
    old entry no longer says what is true of its pair and is dropped when it comes up.
    """

    def __init__(self, words: list[list[str]], counts: list[int]) -> None:
        self.names = list(dict.fromkeys(piece for word in words for piece in word))
        ids = {name: id for id, name in enumerate(self.names)}
        self.words = [[ids[piece] for piece in word] for word in words]
        self.counts = counts
        self.single: defaultdict[int, int] = defaultdict(int)
        self.pairs: defaultdict[Pair, int] = defaultdict(int)
        # The words in which a pair stands or stood, in order.
        self.where: defaultdict[Pair, list[int]] = defaultdict(list)
        self.pairs_of: defaultdict[int, set[Pair]] = defaultdict(set)
        for index in range(len(self.words)):
            self._add(index)
        self.heap = [self._entry(pair) for pair in self.pairs]
        heapify(self.heap)

    def merge_best(self) -> tuple[str, str] | None:
        """Merge the pair of the highest score everywhere; None when no pair is left."""
        while self.heap:
            entry = heappop(self.heap)
            pair = entry[-1]
            if pair not in self.pairs:
                continue
            if entry == self._entry(pair):
                self._merge(pair)
                return self.names[pair[0]], self.names[pair[1]]
        return None

    def _entry(self, pair: Pair) -> tuple[float, tuple[int, int], Pair]:
        """The score, negative, and where the pair stands first, which decides between equals."""
        score = self.pairs[pair] / (self.single[pair[0]] * self.single[pair[1]])
        places = self.where[pair]
        while (offset := self._offset(places[0], pair)) is None:
            del places[0]
        return -score, (places[0], offset), pair

    def _offset(self, index: int, pair: Pair) -> int | None:
        """The character of a word at which a pair stands first."""
        offset = 0
        for left, right in pairwise(self.words[index]):
            if (left, right) == pair:
                return offset
            offset += len(self.names[left].removeprefix(PREFIX))
        return None

    def _merge(self, pair: Pair) -> None:
        new = len(self.names)
        self.names.append(_join(self.names[pair[0]], self.names[pair[1]]))
        for index in dict.fromkeys(self.where[pair]):
            if pair in pairwise(self.words[index]):
                self._remove(index)
                self.words[index] = merge_pair(self.words[index], pair, new)
                self._add(index)
        for changed in self.pairs_of[pair[0]] | self.pairs_of[pair[1]] | self.pairs_of[new]:
            heappush(self.heap, self._entry(changed))

    def _add(self, index: int) -> None:
        word, count = self.words[index], self.counts[index]
        for piece in word:
            self.single[piece] += count
        for pair in pairwise(word):
            self.pairs[pair] += count
            self.where[pair].append(index)
            self.pairs_of[pair[0]].add(pair)
            self.pairs_of[pair[1]].add(pair)

    def _remove(self, index: int) -> None:
        word, count = self.words[index], self.counts[index]
        for piece in word:
            self.single[piece] -= count
        for pair in pairwise(word):
            self.pairs[pair] -= count
            if not self.pairs[pair]:
                del self.pairs[pair]
                self.pairs_of[pair[0]].discard(pair)
                self.pairs_of[pair[1]].discard(pair)


def _words(text: str) -> Iterator[tuple[int, str]]:
    """The words of a text, each with the character at which it begins."""
    return find_pieces(WORDS, join_surrogates(text))


def _as_pieces(word: str) -> list[str]:
    return [word[0], *(PREFIX + character for character in word[1:])]


def _join(left: str, right: str) -> str:
    return left + right.removeprefix(PREFIX)

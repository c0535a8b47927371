"""What SentencePiece's two models share: pieces with `▁`, unknown characters, bytes, and spans."""

from __future__ import annotations

import math
import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple, TypeVar

from ..files.saved import load_model, save_model, whole
from ..foreign import ForeignEncoding
from ..placed import Placed
from ..spelling import SPACE_MARK, piece_bytes
from ..surrogates import join_surrogates
from .normalizer import Options, denormalize, normalize
from .trained import trained_encoding

UNKNOWN = "<unk>"
UNKNOWN_SURFACE = " ⁇ "
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]

# Pieces never cross words. A word begins with its space and ends with its line.
_WORD = re.compile(f"[\r\n]+|{SPACE_MARK}[^{SPACE_MARK}\r\n]*|[^{SPACE_MARK}\r\n]+")
_WORDS_KEPT = 1 << 16

Model = TypeVar("Model", bound="PieceModel")


class Loss(NamedTuple):
    """What a text loses on its way through a model: what comes back, and what can't."""

    decoded: str
    unknown: dict[str, int]
    exact: bool


class PieceModel(ABC):
    """Pieces with scores. Id 0 is `<unk>`, the next 256 are bytes if there is a fallback."""

    algorithm: ClassVar[str]

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._set({})

    def _set(self, scores: Mapping[str, float]) -> None:
        self.scores = dict(scores)
        self.vocab: list[str] = [UNKNOWN, *(BYTES if self.options.byte_fallback else []), *scores]
        first = len(self.vocab) - len(scores)
        self._ids = {piece: id for id, piece in enumerate(scores, first)}
        self._longest = max(map(len, scores), default=0)
        self._words: dict[str, list[tuple[int, int]]] = {}

    @abstractmethod
    def segment(self, word: str) -> list[str]:
        """The pieces of a normalized word; a character that is no piece stands alone."""

    def words(self, text: str) -> list[str]:
        """The normalized words of a text, each with the `▁` before it."""
        return _WORD.findall(normalize(join_surrogates(text), self.options).text)

    def count_words(self, texts: str | Iterable[str]) -> Counter[str]:
        """How often each word occurs in texts, in the order first seen."""
        words: Counter[str] = Counter()
        for text in [texts] if isinstance(texts, str) else texts:
            words.update(self.words(text))
        return words

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text as text."""
        return [self.vocab[id] for id in self.encode(text)]

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return [token.id for token in self.place(text)]

    def place(self, text: str) -> list[Placed]:
        """The tokens of a text and the source characters, counted from 0, that each stands for.

        Several byte tokens can stand for one character, and a dummy prefix for none.
        """
        normalized = normalize(join_surrogates(text), self.options)
        found: list[Placed] = []
        for word in _WORD.finditer(normalized.text):
            at = word.start()
            for id, length in self._word(word[0]):
                end = max(at + length, at + 1)
                found.append(Placed(id, normalized.starts[at], normalized.ends[end - 1]))
                at += length
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; `<unk>` becomes ` ⁇ `. Raises ValueError for an unknown id."""
        return denormalize("".join(self._decoded(ids)), self.options)

    def loss(self, text: str) -> Loss:
        """What a text loses: unknown characters, and whether it comes back exactly."""
        joined = join_surrogates(text)
        unknown: Counter[str] = Counter()
        for token in self.place(joined):
            if token.id == 0:
                unknown[joined[token.start : token.end]] += 1
        decoded = self.decode(self.encode(joined))
        return Loss(decoded, dict(unknown), decoded == joined)

    def encoding(self, name: str) -> ForeignEncoding:
        """The model as an encoding."""
        return trained_encoding(name, self, map(piece_bytes, self.vocab))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the options, and the pieces with their scores, one a line."""
        save_model(path, self.algorithm, {**asdict(self.options), "pieces": self.scores})

    @classmethod
    def load(cls: type[Model], path: str | os.PathLike[str]) -> Model:
        """Read what `save` wrote. Raises `ModelError`."""
        fields = load_model(path, cls.algorithm)
        with whole(path):
            options = {name: fields[name] for name in asdict(Options())}
            model = cls(Options(**options))
            model._set(_read_scores(fields["pieces"]))
        return model

    def _word(self, word: str) -> list[tuple[int, int]]:
        """The ids of a word, each with how many characters of the word it takes up."""
        found = self._words.get(word)
        if found is None:
            found = list(self._identified(self.segment(word)))
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            self._words[word] = found
        return found

    def _identified(self, pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
        unknown = 0
        for piece in pieces:
            id = self._ids.get(piece)
            if id is None and not self.options.byte_fallback:
                # Neighbours that are unknown are one token, as in SentencePiece.
                unknown += len(piece)
                continue
            if unknown:
                yield 0, unknown
                unknown = 0
            if id is not None:
                yield id, len(piece)
                continue
            # The last byte takes up the character, so that all of them stand at it.
            *others, last = piece.encode()
            yield from ((1 + byte, 0) for byte in others)
            yield 1 + last, len(piece)
        if unknown:
            yield 0, unknown

    def _decoded(self, ids: Iterable[int]) -> Iterator[str]:
        first = 1 + (256 if self.options.byte_fallback else 0)
        pending = bytearray()
        for id in ids:
            if not 0 <= id < len(self.vocab):
                raise ValueError(f"the vocabulary has no token with the id {id}")
            if 0 < id < first:
                pending.append(id - 1)
                continue
            yield pending.decode("utf-8", "replace")
            pending.clear()
            yield self.vocab[id] if id else UNKNOWN_SURFACE
        yield pending.decode("utf-8", "replace")


def alphabet_of(words: Mapping[str, int], coverage: float) -> dict[str, int]:
    """The most frequent characters, as many as cover that share of the text, with their counts."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            counts[character] += count
    total, covered = sum(counts.values()), 0
    alphabet: dict[str, int] = {}
    for character, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        if covered >= coverage * total:
            break
        alphabet[character] = count
        covered += count
    return alphabet


def within_alphabet(words: Mapping[str, int], alphabet: Mapping[str, object]) -> dict[str, int]:
    """Words cut where a character is not in the alphabet, with their counts."""
    kept: Counter[str] = Counter()
    for word, count in words.items():
        if all(map(alphabet.__contains__, word)):
            kept[word] += count
            continue
        marked = "".join(c if c in alphabet else "\0" for c in word)
        for part in marked.split("\0"):
            if part:
                kept[part] += count
    return dict(kept)


def _read_scores(pieces: dict[str, Any]) -> dict[str, float]:
    if "" in pieces:
        raise ValueError("a piece is empty")
    scores = {piece: float(score) for piece, score in pieces.items()}
    if not all(map(math.isfinite, scores.values())):
        raise ValueError("a score is not a number")
    return scores

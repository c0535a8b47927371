"""How far a tokenizer compresses texts: by encoding, by vocabulary size, by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..corpus.counting import Progress
from ..models.bpe import BPE
from ..surrogates import join_surrogates


class Tokenizer(Protocol):
    """Anything that encodes a text."""

    def encode(self, text: str, /) -> list[int]:
        """The ids of a text."""


class Compression(NamedTuple):
    """What texts cost. A word is what whitespace separates. A ratio of nothing is 0."""

    tokens: int
    characters: int
    bytes: int
    words: int

    @property
    def characters_per_token(self) -> float:
        return ratio(self.characters, self.tokens)

    @property
    def bytes_per_token(self) -> float:
        return ratio(self.bytes, self.tokens)

    @property
    def tokens_per_word(self) -> float:
        """Also called fertility."""
        return ratio(self.tokens, self.words)


class CurvePoint(NamedTuple):
    """What the held-out text costs with a vocabulary of a size."""

    vocab_size: int
    tokens: int
    bytes_per_token: float


class LanguageCost(NamedTuple):
    """What the same content costs in a language; `premium` is relative to the baseline."""

    language: str
    tokens: int
    characters: int
    bytes: int
    premium: float


def compression(tokenizer: Tokenizer, texts: Iterable[str]) -> Compression:
    """What texts cost, all together."""
    tokens = characters = size = words = 0
    for text in texts:
        tokens += len(tokenizer.encode(text))
        characters += len(text)
        size += len(join_surrogates(text).encode())
        words += len(text.split())
    return Compression(tokens, characters, size, words)


def compression_curve(
    train: Iterable[str],
    held_out: Sequence[str],
    sizes: Sequence[int],
    pattern: str | None = "gpt2",
    progress: Progress | None = None,
) -> list[CurvePoint]:
    """What held-out texts cost as a byte BPE's vocabulary grows to each of `sizes`.

    One training is enough: a smaller vocabulary is a beginning of the larger one. Sizes that the
    training texts are too small for are left out.
    """
    model = BPE(pattern)
    model.train(train, max(sizes), progress=progress)
    merges = list(model.merges)
    points = []
    for size in sorted(set(sizes)):
        if size - 256 > len(merges):
            break
        cost = compression(BPE.from_merges(merges[: size - 256], pattern), held_out)
        points.append(CurvePoint(size, cost.tokens, cost.bytes_per_token))
    return points


def language_costs(
    tokenizer: Tokenizer, parallel: Mapping[str, Sequence[str]], baseline: str
) -> list[LanguageCost]:
    """What translations of the same texts cost, in relation to one language, cheapest first.

    Raises ValueError unless each language has as many texts as the baseline, which exists.
    """
    if baseline not in parallel:
        raise ValueError(f"the baseline {baseline!r} is none of {', '.join(parallel)}")
    if len({len(texts) for texts in parallel.values()}) != 1:
        raise ValueError("parallel texts must be as many in each language")
    base = compression(tokenizer, parallel[baseline]).tokens
    costs = {language: compression(tokenizer, texts) for language, texts in parallel.items()}
    rows = [
        LanguageCost(language, cost.tokens, cost.characters, cost.bytes, ratio(cost.tokens, base))
        for language, cost in costs.items()
    ]
    return sorted(rows, key=lambda row: (row.tokens, row.language))


def ratio(amount: float, count: float) -> float:
    """A quotient, 0 where there is nothing to divide by."""
    return amount / count if count else 0.0

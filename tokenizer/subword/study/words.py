"""The statistics of words that explain why subwords are needed: Zipf, Heaps, and unknown words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..models.baselines import Words


class ZipfFit(NamedTuple):
    """Zipf's law: the word of rank r occurs about `constant` / r^`alpha` times."""

    alpha: float
    constant: float
    r_squared: float
    words: int
    distinct: int


class HeapsFit(NamedTuple):
    """Heaps' law: among the first n words about `k` · n^`beta` are distinct."""

    k: float
    beta: float
    r_squared: float


class UnknownRate(NamedTuple):
    """Words of the last part of a corpus that a vocabulary from its first part doesn't have."""

    vocab_size: int
    unknown: int
    words: int
    rate: float


def word_list(texts: Iterable[str]) -> list[str]:
    """The words of texts in order, lower case, without punctuation and numbers."""
    units = (unit.lower() for text in texts for unit in Words().units(text))
    return [unit for unit in units if unit[0].isalpha()]


def rank_frequency(words: Iterable[str]) -> list[int]:
    """How often each word occurs, the most frequent first."""
    return sorted(Counter(words).values(), reverse=True)


def growth(words: Sequence[str], points: int = 50) -> list[tuple[int, int]]:
    """How many distinct words there are among the first n, for values of n evenly in the log."""
    at = {round(len(words) ** (step / points)) for step in range(1, points + 1)}
    seen: set[str] = set()
    found = []
    for number, word in enumerate(words, 1):
        seen.add(word)
        if number in at:
            found.append((number, len(seen)))
    return found


def zipf(words: Sequence[str]) -> ZipfFit:
    """Fit Zipf's law by least squares in the logs, over ranks spread evenly in the log.

    Rare words, nearly all of the ranks, would otherwise decide alone. Raises ValueError for fewer
    than 3 distinct words.
    """
    counts = rank_frequency(words)
    ranks = sorted({round(len(counts) ** (step / 100)) for step in range(101)}) if counts else []
    line = _fit([(math.log(r), math.log(counts[r - 1])) for r in ranks])
    return ZipfFit(-line[0], math.exp(line[1]), line[2], len(words), len(counts))


def heaps(words: Sequence[str]) -> HeapsFit:
    """Fit Heaps' law by least squares in the logs. Raises ValueError for too few words."""
    line = _fit([(math.log(n), math.log(distinct)) for n, distinct in growth(words)])
    return HeapsFit(math.exp(line[1]), line[0], line[2])


def unknown_rate(texts: Sequence[str], vocab_size: int, share: float = 0.9) -> UnknownRate:
    """How many words of the last tenth of texts a vocabulary of the first nine doesn't have.

    The vocabulary holds the most frequent words as they are written. `share` is the first part,
    by words.
    """
    words = [word for text in texts for word in Words().units(text)]
    cut = int(len(words) * share)
    known = {word for word, _ in Counter(words[:cut]).most_common(vocab_size)}
    held_out = words[cut:]
    unknown = sum(word not in known for word in held_out)
    rate = unknown / len(held_out) if held_out else 0.0
    return UnknownRate(vocab_size, unknown, len(held_out), rate)


def _fit(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Slope, intercept and R² of the line through points that misses them least."""
    if len(points) < 3:
        raise ValueError("too few words to fit a law to")
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    along = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / along
    intercept = mean_y - slope * mean_x
    missed = sum((y - slope * x - intercept) ** 2 for x, y in points)
    spread = sum((y - mean_y) ** 2 for _, y in points)
    return slope, intercept, 1 - missed / spread if spread else 1.0

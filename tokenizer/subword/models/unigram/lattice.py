"""All ways to cut a word into known pieces: the best, the n best, one at random, or all of them.

The pieces of a word are the edges of a lattice from its first character to its last. Every search
here takes O(n · L) steps for n characters and pieces of up to L (n-best: times n log n). Scores
are log probabilities (Kudo 2018, arXiv:1804.10959).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from heapq import nlargest
from random import Random

Scores = Mapping[str, float]

# How much worse than the worst piece a character is that no piece covers, as in SentencePiece.
UNKNOWN_PENALTY = 10.0


def unknown_score(scores: Scores) -> float:
    """The score of a single character that is no piece."""
    return min(scores.values(), default=0.0) - UNKNOWN_PENALTY


def with_prefixes(scores: Scores, absent: float) -> dict[str, float]:
    """Scores, and `absent` for whatever only begins a piece.

    A search that lengthens a stretch of a word character by character can stop where it finds
    neither, as in a trie.
    """
    found = {piece[:end]: absent for piece in scores for end in range(1, len(piece))}
    found.update(scores)
    return found


def viterbi(word: str, scores: Scores, unknown: float, whole: bool = True) -> list[str]:
    """The pieces of the best segmentation. Of equals, the one with the longer last piece.

    `scores` are `with_prefixes`, -∞ where absent. `whole` says whether all of the word may be one
    piece.
    """
    length = len(word)
    best = [0.0, *[-math.inf] * length]
    back = [0] * (length + 1)
    known = scores.get
    # Written out and not by `_edges`: training spends most of its time here and below.
    for start in range(length):
        here = best[start]
        if here + unknown > best[start + 1]:
            best[start + 1], back[start + 1] = here + unknown, start
        last = length if start or whole else length - 1
        for end in range(start + 1, last + 1):
            score = known(word[start:end])
            if score is None:
                break
            if here + score > best[end]:
                best[end], back[end] = here + score, start
    return _trace(word, back)


def n_best(
    word: str, scores: Scores, longest: int, unknown: float, n: int
) -> list[tuple[float, list[str]]]:
    """The `n` best segmentations with their scores, best first."""
    # For each position, the n best (score, where its last piece starts, which path to there).
    paths: list[list[tuple[float, int, int]]] = [[(0.0, -1, 0)], *([] for _ in word)]
    arriving: list[list[tuple[float, int, int]]] = [[] for _ in range(len(word) + 1)]
    for start in range(len(word)):
        if start:
            paths[start] = nlargest(n, arriving[start])
        for end, score in _edges(word, start, scores, longest, unknown):
            arriving[end].extend(
                (before + score, start, rank) for rank, (before, _, _) in enumerate(paths[start])
            )
    if word:
        paths[-1] = nlargest(n, arriving[-1])
    return [(path[0], _follow(word, paths, rank)) for rank, path in enumerate(paths[-1])]


def sample(
    word: str, scores: Scores, longest: int, unknown: float, alpha: float, random: Random
) -> list[str]:
    """A segmentation drawn with a probability that is proportional to its own, to the `alpha`."""
    forward = _forward(word, scores, longest, unknown, alpha)
    pieces: list[str] = []
    end = len(word)
    while end:
        starts, weights = [], []
        for start in range(max(0, end - max(longest, 1)), end):
            score = scores.get(word[start:end], unknown if end - start == 1 else None)
            if score is not None:
                starts.append(start)
                weights.append(math.exp(forward[start] + alpha * score - forward[end]))
        start = random.choices(starts, weights)[0]
        pieces.append(word[start:end])
        end = start
    return pieces[::-1]


def log_likelihood(word: str, scores: Scores, longest: int, unknown: float) -> float:
    """The log of the summed probability of all segmentations."""
    return _forward(word, scores, longest, unknown, 1.0)[-1]


def expected_counts(
    words: Iterable[tuple[str, int]], weights: Scores, counts: MutableMapping[str, float]
) -> float:
    """Add to `counts` how often each piece is expected in words; return the log likelihood.

    `weights` are probabilities (not logs) `with_prefixes`, 0 where absent, each times any constant
    to the power of the piece's length: that changes all segmentations of a word alike, cancels out
    in the counts, and keeps the products of long words in the range of a float. Words must have a
    segmentation.
    """
    total = 0.0
    known = weights.get
    for word, count in words:
        length = len(word)
        forward = [1.0] + [0.0] * length
        edges: list[tuple[int, int, str, float]] = []
        for start in range(length):
            here = forward[start]
            for end in range(start + 1, length + 1):
                piece = word[start:end]
                weight = known(piece)
                if weight is None:
                    break
                if weight:
                    forward[end] += here * weight
                    edges.append((start, end, piece, weight))
        backward = [0.0] * length + [count / forward[-1]]
        for start, end, piece, weight in reversed(edges):
            rest = weight * backward[end]
            backward[start] += rest
            counts[piece] += forward[start] * rest
        total += count * math.log(forward[-1])
    return total


def _edges(
    word: str, start: int, scores: Scores, longest: int, unknown: float
) -> Iterator[tuple[int, float]]:
    """Where the pieces that begin at `start` end, and their scores."""
    for end in range(start + 1, min(start + longest, len(word)) + 1):
        score = scores.get(word[start:end])
        if score is not None:
            yield end, score
        elif end == start + 1:
            yield end, unknown
    if longest < 1:
        yield start + 1, unknown


def _forward(word: str, scores: Scores, longest: int, unknown: float, alpha: float) -> list[float]:
    """For each position, the log of the summed probability of the ways to get there."""
    forward = [0.0] + [-math.inf] * len(word)
    for start in range(len(word)):
        for end, score in _edges(word, start, scores, longest, unknown):
            forward[end] = _log_add(forward[end], forward[start] + alpha * score)
    return forward


def _log_add(a: float, b: float) -> float:
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def _trace(word: str, back: list[int]) -> list[str]:
    pieces = []
    end = len(word)
    while end:
        pieces.append(word[back[end] : end])
        end = back[end]
    return pieces[::-1]


def _follow(word: str, paths: list[list[tuple[float, int, int]]], rank: int) -> list[str]:
    pieces = []
    end = len(word)
    while end:
        _, start, rank = paths[end][rank]
        pieces.append(word[start:end])
        end = start
    return pieces[::-1]

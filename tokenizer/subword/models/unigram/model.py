"""The unigram language model (Kudo 2018, arXiv:1804.10959), trained as SentencePiece does.

Start with far too many pieces; give them probabilities by expectation and maximization over all
segmentations of the corpus; drop those whose loss costs the likelihood least; repeat until few
enough are left. A text's tokens are its most probable segmentation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random

from ...corpus.counting import Progress
from ..normalizer import Options
from ..pieces import BYTES, PieceModel, alphabet_of, within_alphabet
from . import lattice

# SentencePiece's defaults: seeds, the longest piece, steps of EM between prunings, the share that
# a pruning keeps, and how many more pieces than asked for the last pruning leaves.
SEEDS = 1_000_000
LONGEST = 16
EM_STEPS = 2
SHRINKING = 0.75
LEEWAY = 1.1
# A piece expected less often than this is dropped.
LEAST_EXPECTED = 0.5

# Words are cut to this length for training, so that products of probabilities stay in range.
_LONGEST_WORD = 100


class Unigram(PieceModel):
    """A unigram model: `scores` maps each piece to its log probability.

    >>> model = Unigram()
    >>> model.train("kissa kissan kissat kissalle kissoille", 20)
    >>> model.tokens("kissalla")
    ['▁kissa', 'l', 'l', 'a']
    """

    algorithm = "unigram"

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self.history: list[tuple[int, float]] = []

    def _set(self, scores: Mapping[str, float]) -> None:
        super()._set(scores)
        self._unknown = lattice.unknown_score(self.scores)
        self._prefixes = lattice.with_prefixes(self.scores, -math.inf)

    def train(
        self, texts: str | Iterable[str], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """Learn pieces from texts until `vocab_size` are left, `<unk>` and bytes counted.

        Raises ValueError when the alphabet alone has more. `history` then has, for each step of
        EM, the number of pieces and the log likelihood of the corpus per word.
        """
        self.train_counts(self.count_words(texts), vocab_size, progress)

    def train_counts(
        self, words: Mapping[str, int], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """`train` from normalized words (see `words`) and how often each occurs."""
        alphabet = alphabet_of(words, self.options.character_coverage)
        wanted = vocab_size - 1 - (len(BYTES) if self.options.byte_fallback else 0)
        if len(alphabet) > wanted:
            least = vocab_size - wanted + len(alphabet)
            raise ValueError(f"the vocabulary must have room for its alphabet: {least} or more")
        trainer = _Trainer(within_alphabet(words, alphabet), alphabet)
        while True:
            for _ in range(EM_STEPS):
                trainer.expect_and_maximize()
            if progress is not None:
                progress(wanted, len(trainer.scores))
            if len(trainer.scores) <= LEEWAY * wanted:
                break
            if not trainer.prune(max(int(LEEWAY * wanted), int(SHRINKING * len(trainer.scores)))):
                break
        self._set(trainer.best(wanted))
        self.history = trainer.history

    def segment(self, word: str) -> list[str]:
        """The most probable pieces of a normalized word."""
        return lattice.viterbi(word, self._prefixes, self._unknown)

    def n_best(self, word: str, n: int) -> list[tuple[float, list[str]]]:
        """The `n` most probable segmentations of a normalized word, with log probabilities."""
        return lattice.n_best(word, self.scores, self._longest, self._unknown, n)

    def sample(self, word: str, random: Random, alpha: float = 1.0) -> list[str]:
        """A segmentation of a normalized word, drawn with a probability to the power `alpha`."""
        return lattice.sample(word, self.scores, self._longest, self._unknown, alpha, random)

    def log_likelihood(self, text: str) -> float:
        """The log of a text's probability, all segmentations of its words summed."""
        return sum(
            lattice.log_likelihood(word, self.scores, self._longest, self._unknown)
            for word in self.words(text)
        )


class _Trainer:
    """The corpus, and the pieces that are left with their log probabilities."""

    def __init__(self, words: Mapping[str, int], alphabet: Mapping[str, int]) -> None:
        self.words = [
            (word[at : at + _LONGEST_WORD], count)
            for word, count in words.items()
            for at in range(0, len(word), _LONGEST_WORD)
        ]
        self.alphabet = alphabet
        self.history: list[tuple[int, float]] = []
        seeds = _seeds(self.words, alphabet)
        total = math.log(sum(seeds.values()))
        self.scores = {piece: math.log(score) - total for piece, score in seeds.items()}

    def expect_and_maximize(self) -> None:
        """One step of EM; with the digamma function, which starves rare pieces (Bayesian EM)."""
        constant = self._scale()
        weights = {p: math.exp(score + constant * len(p)) for p, score in self.scores.items()}
        counts: defaultdict[str, float] = defaultdict(float)
        likelihood = lattice.expected_counts(
            self.words, lattice.with_prefixes(weights, 0.0), counts
        )
        characters = sum(len(word) * count for word, count in self.words)
        words = sum(count for _, count in self.words) or 1
        self.history.append((len(self.scores), (likelihood - constant * characters) / words))
        kept = {
            piece: max(counts[piece], LEAST_EXPECTED)
            for piece in self.scores
            if counts[piece] >= LEAST_EXPECTED or piece in self.alphabet
        }
        total = _digamma(sum(kept.values()))
        self.scores = {piece: _digamma(count) - total for piece, count in kept.items()}

    def prune(self, size: int) -> bool:
        """Keep the alphabet and the pieces that matter most, `size` in all. False if all stay."""
        unknown = lattice.unknown_score(self.scores)
        scores = lattice.with_prefixes(self.scores, -math.inf)
        counts: Counter[str] = Counter()
        for word, count in self.words:
            for piece in lattice.viterbi(word, scores, unknown):
                counts[piece] += count
        total = sum(counts.values())
        losses = {}
        for piece in self.scores:
            if piece in self.alphabet or not counts[piece]:
                continue
            instead = lattice.viterbi(piece, scores, unknown, whole=False)
            # A piece that its own parts beat is never used, and needs no vote.
            if self.scores[piece] >= sum(self.scores.get(part, unknown) for part in instead):
                losses[piece] = _loss(piece, instead, counts, total)
        before = len(self.scores)
        room = max(size - len(self.alphabet), 0)
        kept = set(sorted(losses, key=lambda piece: (-losses[piece], piece))[:room])
        self.scores = {p: s for p, s in self.scores.items() if p in kept or p in self.alphabet}
        return len(self.scores) < before

    def best(self, size: int) -> dict[str, float]:
        """The alphabet and the most probable pieces, `size` in all, most probable first."""
        ranked = sorted(self.scores, key=lambda piece: (-self.scores[piece], piece))
        others = [piece for piece in ranked if piece not in self.alphabet]
        kept = {*self.alphabet, *others[: size - len(self.alphabet)]}
        return {piece: self.scores[piece] for piece in ranked if piece in kept}

    def _scale(self) -> float:
        """The loss per character of some words: what brings the weights near 1."""
        longest = max(map(len, self.scores), default=0)
        some = [word for word, _ in self.words[: len(self.words) : len(self.words) // 500 + 1]]
        likelihood = sum(lattice.log_likelihood(word, self.scores, longest, 0.0) for word in some)
        return -likelihood / (sum(map(len, some)) or 1)


def _seeds(words: list[tuple[str, int]], alphabet: Mapping[str, int]) -> dict[str, float]:
    """Every character, and the substrings of words that cover most: count times length.

    A substring that is always followed by the same character is left out for the longer one, as
    in SentencePiece, whose suffix array finds only where the text branches.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    for word, count in words:
        for start in range(len(word)):
            for end in range(start + 2, min(start + LONGEST, len(word)) + 1):
                counts[word[start:end]] += count
    for piece, count in list(counts.items()):
        if len(piece) > 2 and counts.get(piece[:-1]) == count:
            counts[piece[:-1]] = 0
    scored = ((count * len(piece), piece) for piece, count in counts.items() if count > 1)
    ranked = sorted(scored, key=lambda row: (-row[0], row[1]))
    return {**alphabet, **{piece: float(score) for score, piece in ranked[:SEEDS]}}


def _loss(piece: str, instead: list[str], counts: Counter[str], total: int) -> float:
    """How much likelihood the corpus loses when a piece is replaced by the next best pieces."""
    count = counts[piece]
    here = math.log(count / total)
    there_total = math.log(total + count * (len(instead) - 1))
    there = sum(math.log(counts[other] + count) - there_total for other in instead)
    return count * (here - there)


def _digamma(x: float) -> float:
    """The derivative of log Γ, by its recurrence and asymptotic series."""
    result = 0.0
    while x < 7:
        result -= 1 / x
        x += 1
    x -= 0.5
    square = 1 / (x * x)
    series = square * (1 / 24 - square * (7 / 960 - square * (31 / 8064 - square * 127 / 30720)))
    return result + math.log(x) + series

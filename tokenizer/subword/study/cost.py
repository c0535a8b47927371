"""What a tokenizer costs a model: parameters for its vocabulary, and attention over its tokens.

The counts are those of a decoder-only transformer as Kaplan et al. (2020, arXiv:2001.08361,
table 1) give them: 12 · layers · width² parameters outside the vocabulary, and 2 operations for
each parameter and token; attention over n tokens adds 4 · layers · n · width for each token.
"""

from __future__ import annotations

from typing import NamedTuple


class VocabularyShare(NamedTuple):
    """How many parameters a vocabulary takes, of how many in all."""

    vocabulary: int
    total: int
    share: float


class SequenceCost(NamedTuple):
    """Operations for reading n tokens: those that grow with n, and those that grow with n²."""

    tokens: int
    linear: int
    attention: int

    @property
    def total(self) -> int:
        return self.linear + self.attention

    @property
    def attention_share(self) -> float:
        return self.attention / self.total if self.total else 0.0


def vocabulary_share(
    vocab_size: int, width: int, layers: int, tied: bool = True
) -> VocabularyShare:
    """The parameters of the embedding, and of the output layer unless it shares them (`tied`)."""
    vocabulary = vocab_size * width * (1 if tied else 2)
    total = vocabulary + 12 * layers * width**2
    return VocabularyShare(vocabulary, total, vocabulary / total)


def sequence_cost(tokens: int, width: int, layers: int, vocab_size: int = 0) -> SequenceCost:
    """Operations of one pass over a sequence. The output layer counts, the embedding doesn't."""
    linear = 2 * tokens * (12 * layers * width**2 + vocab_size * width)
    # The full square: an implementation that doesn't skip what the mask hides computes it all.
    attention = 4 * layers * tokens**2 * width
    return SequenceCost(tokens, linear, attention)

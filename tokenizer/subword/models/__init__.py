"""The algorithms that make a vocabulary from a corpus: each its model and its trainer."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# The name that an algorithm has in files and in `train`, and where its model is.
ALGORITHMS = {
    "bpe": "bpe.BPE",
    "word-bpe": "word_bpe.WordBPE",
    "wordpiece": "wordpiece.WordPiece",
    "unigram": "unigram.model.Unigram",
    "character-bpe": "character_bpe.CharacterBPE",
    "super-bpe": "superword.SuperBPE",
    "words": "baselines.Words",
    "characters": "baselines.Characters",
    "entropy-patches": "patches.EntropyPatcher",
}


def model_class(algorithm: str) -> Any:
    """The class of an algorithm's models, of which only this one is imported."""
    module, _, name = ALGORITHMS[algorithm].rpartition(".")
    return getattr(import_module(f".{module}", __package__), name)

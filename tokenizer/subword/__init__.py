"""subword: text in, tokens out. A tokenizer engine that agrees with tiktoken id for id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .encoding import Encoding, SpecialMode, SpecialTokenError, Token, UncountableError
    from .encodings import (
        UnknownEncodingError,
        UnknownModelError,
        encoding_for_model,
        encoding_name_for_model,
        get_encoding,
        list_encodings,
    )
    from .index import TokenIndex
    from .models.files import ModelError
    from .models.load import load_encoding
    from .train.baselines import Bytes, Characters, Words
    from .train.bpe import BPE
    from .train.character_bpe import CharacterBPE
    from .train.healing import heal
    from .train.patches import EntropyPatcher
    from .train.recovery import byte_permutation, recover_merges
    from .train.superword import SuperBPE
    from .train.unigram import Unigram
    from .train.word_bpe import WordBPE
    from .train.wordpiece import WordPiece

# Where each public name lives. They are imported on first use, so that `import subword` costs
# nothing and a program that only counts never loads the trainers.
_HOMES = {
    "BPE": "train.bpe",
    "Bytes": "train.baselines",
    "CharacterBPE": "train.character_bpe",
    "Characters": "train.baselines",
    "Encoding": "encoding",
    "EntropyPatcher": "train.patches",
    "ModelError": "models.files",
    "SpecialMode": "encoding",
    "SpecialTokenError": "encoding",
    "SuperBPE": "train.superword",
    "Token": "encoding",
    "TokenIndex": "index",
    "UncountableError": "encoding",
    "Unigram": "train.unigram",
    "UnknownEncodingError": "encodings",
    "UnknownModelError": "encodings",
    "WordBPE": "train.word_bpe",
    "WordPiece": "train.wordpiece",
    "Words": "train.baselines",
    "byte_permutation": "train.recovery",
    "encoding_for_model": "encodings",
    "encoding_name_for_model": "encodings",
    "get_encoding": "encodings",
    "heal": "train.healing",
    "list_encodings": "encodings",
    "load_encoding": "models.load",
    "recover_merges": "train.recovery",
}

__all__ = [
    "BPE",
    "Bytes",
    "CharacterBPE",
    "Characters",
    "Encoding",
    "EntropyPatcher",
    "ModelError",
    "SpecialMode",
    "SpecialTokenError",
    "SuperBPE",
    "Token",
    "TokenIndex",
    "UncountableError",
    "Unigram",
    "UnknownEncodingError",
    "UnknownModelError",
    "WordBPE",
    "WordPiece",
    "Words",
    "byte_permutation",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "heal",
    "list_encodings",
    "load_encoding",
    "recover_merges",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

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
    from .files.saved import ModelError
    from .healing import heal
    from .index import TokenIndex
    from .load import load_encoding
    from .models.baselines import Bytes, Characters, Words
    from .models.bpe import BPE
    from .models.character_bpe import CharacterBPE
    from .models.patches import EntropyPatcher
    from .models.recovery import byte_permutation, recover_merges
    from .models.superword import SuperBPE
    from .models.unigram.model import Unigram
    from .models.word_bpe import WordBPE
    from .models.wordpiece import WordPiece

# Where each public name lives. They are imported on first use, so that `import subword` costs
# nothing and a program that only counts never loads the trainers.
_HOMES = {
    "BPE": "models.bpe",
    "Bytes": "models.baselines",
    "CharacterBPE": "models.character_bpe",
    "Characters": "models.baselines",
    "Encoding": "encoding",
    "EntropyPatcher": "models.patches",
    "ModelError": "files.saved",
    "SpecialMode": "encoding",
    "SpecialTokenError": "encoding",
    "SuperBPE": "models.superword",
    "Token": "encoding",
    "TokenIndex": "index",
    "UncountableError": "encoding",
    "Unigram": "models.unigram.model",
    "UnknownEncodingError": "encodings",
    "UnknownModelError": "encodings",
    "WordBPE": "models.word_bpe",
    "WordPiece": "models.wordpiece",
    "Words": "models.baselines",
    "byte_permutation": "models.recovery",
    "encoding_for_model": "encodings",
    "encoding_name_for_model": "encodings",
    "get_encoding": "encodings",
    "heal": "healing",
    "list_encodings": "encodings",
    "load_encoding": "load",
    "recover_merges": "models.recovery",
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

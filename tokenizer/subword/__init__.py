"""subword: text in, tokens out. A tokenizer engine that agrees with tiktoken id for id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .encoding import Encoding, SpecialMode, SpecialTokenError, Token
    from .encodings import (
        UnknownEncodingError,
        UnknownModelError,
        encoding_for_model,
        encoding_name_for_model,
        get_encoding,
        list_encodings,
    )
    from .index import TokenIndex

# Where each public name lives. They are imported on first use, so that `import subword` costs
# nothing and a program that only counts never loads the trainers.
_HOMES = {
    "Encoding": "encoding",
    "SpecialMode": "encoding",
    "SpecialTokenError": "encoding",
    "Token": "encoding",
    "TokenIndex": "index",
    "UnknownEncodingError": "encodings",
    "UnknownModelError": "encodings",
    "encoding_for_model": "encodings",
    "encoding_name_for_model": "encodings",
    "get_encoding": "encodings",
    "list_encodings": "encodings",
}

__all__ = [
    "Encoding",
    "SpecialMode",
    "SpecialTokenError",
    "Token",
    "TokenIndex",
    "UnknownEncodingError",
    "UnknownModelError",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encodings",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

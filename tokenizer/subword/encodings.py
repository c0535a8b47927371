"""Names and models → a loaded `Encoding`. Each is loaded once, when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from threading import Lock

from .encoding import Encoding
from .patterns import PATTERNS
from .vocab import Ranks, load_table, with_space_runs

END_OF_TEXT = {"<|endoftext|>": 50256}

# As tiktoken 0.14 has them in tiktoken_ext/openai_public.py; a test compares them.
SPECIAL_TOKENS: dict[str, dict[str, int]] = {
    "gpt2": END_OF_TEXT,
    "r50k_base": END_OF_TEXT,
    "p50k_base": END_OF_TEXT,
    "p50k_edit": END_OF_TEXT
    | {"<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283},
    "cl100k_base": {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    "o200k_harmony": {
        "<|endoftext|>": 199999,
        "<|endofprompt|>": 200018,
        "<|startoftext|>": 199998,
        "<|reserved_200000|>": 200000,
        "<|reserved_200001|>": 200001,
        "<|return|>": 200002,
        "<|constrain|>": 200003,
        "<|reserved_200004|>": 200004,
        "<|channel|>": 200005,
        "<|start|>": 200006,
        "<|end|>": 200007,
        "<|message|>": 200008,
        "<|reserved_200009|>": 200009,
        "<|reserved_200010|>": 200010,
        "<|reserved_200011|>": 200011,
        "<|call|>": 200012,
    }
    | {f"<|reserved_{id}|>": id for id in range(200013, 201088)},
}

# Encoding → packed table and split pattern.
_PARTS = {
    "o200k_base": ("o200k", "o200k"),
    "o200k_harmony": ("o200k", "o200k"),
    "cl100k_base": ("cl100k", "cl100k"),
    "p50k_base": ("r50k", "gpt2"),
    "p50k_edit": ("r50k", "gpt2"),
    "r50k_base": ("r50k", "gpt2"),
    "gpt2": ("r50k", "gpt2"),
}

# Highest id + 1 of each, so that listing them loads none.
VOCABULARY_SIZES = {
    "o200k_base": 200_019,
    "o200k_harmony": 201_088,
    "cl100k_base": 100_277,
    "p50k_base": 50_281,
    "p50k_edit": 50_284,
    "r50k_base": 50_257,
    "gpt2": 50_257,
}

_loaded: dict[str, Encoding] = {}
_loading = {name: Lock() for name in _PARTS}


class UnknownEncodingError(LookupError):
    """No encoding has this name."""


class UnknownModelError(LookupError):
    """It is not known which encoding this model uses."""


def list_encodings() -> list[str]:
    """The names of the encodings that come with the package, newest first."""
    return list(_PARTS)


def get_encoding(name: str) -> Encoding:
    """The encoding of that name. Safe to call from several threads.

    Raises `UnknownEncodingError`, which says the nearest names.
    """
    if name not in _PARTS:
        raise UnknownEncodingError(
            f"unknown encoding {name!r}.{_suggestion(name, _PARTS)} "
            f"The encodings are {', '.join(_PARTS)}"
        )
    with _loading[name]:
        if name not in _loaded:
            _loaded[name] = _load(name)
        return _loaded[name]


def _load(name: str) -> Encoding:
    table, pattern = _PARTS[name]
    ranks = _ranks(table)
    if name.startswith("p50k"):
        ranks = with_space_runs(ranks)
    # tiktoken is imported by those who count.
    from .core import CoreEncoding

    return CoreEncoding(name, ranks, PATTERNS[pattern], SPECIAL_TOKENS[name])


@cache
def _ranks(table: str) -> Ranks:
    return load_table(table)


def encoding_for_model(model: str) -> Encoding:
    """The encoding that a model uses. Raises `UnknownModelError`."""
    return get_encoding(encoding_name_for_model(model))


def encoding_name_for_model(model: str) -> str:
    """The name of the encoding that a model uses, by tiktoken's own table.

    Understands any case, a provider before a slash (`openai/gpt-4o`), a variant after a colon
    (`gpt-4o:free`), dated names, and fine-tuned ones (`ft:gpt-4o-2024-08-06:acme::id`), which
    use the encoding of the model that was tuned.

    Raises `UnknownModelError` rather than guess: `gpt-50foo` is not a gpt-5.
    """
    # tiktoken's package costs 40 ms with its dependencies; only a model name needs it.
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

    name = re.sub(r"^([^:]*/)?(ft:)?", "", model.strip().lower())
    base = name.partition(":")[0]
    if base in MODEL_TO_ENCODING:
        return MODEL_TO_ENCODING[base]
    for prefix, encoding in MODEL_PREFIX_TO_ENCODING.items():
        # The one prefix without a dash, "gpt-5", must still end where a word ends.
        if base.startswith(prefix) and (prefix.endswith("-") or base[len(prefix)] in "-."):
            return encoding
    raise UnknownModelError(
        f"unknown model {model!r}.{_suggestion(base, MODEL_TO_ENCODING)} The known ones are "
        "OpenAI's, from gpt-2 to gpt-5 (`promptls encodings` lists them): for another model, "
        "name the encoding to count with"
    )


def known_models(encoding: str) -> list[str]:
    """The models that are known to use an encoding: names, and how others begin (`gpt-oss-*`)."""
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

    named = [model for model, name in MODEL_TO_ENCODING.items() if name == encoding]
    # A tuned model is named by the one that was tuned, and a version of a named model by that.
    begun = [
        f"{prefix}*"
        for prefix, name in MODEL_PREFIX_TO_ENCODING.items()
        if name == encoding and prefix.endswith("-") and prefix[:-1] not in MODEL_TO_ENCODING
    ]
    return [*named, *begun]


def _suggestion(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name.lower(), known, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(close)}?" if close else ""

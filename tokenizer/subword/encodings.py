"""The encodings that come with the package, a row for each; names and models → one, loaded once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from threading import Lock
from typing import NamedTuple

from . import vocab
from .encoding import Encoding
from .patterns import PATTERNS


class Table(NamedTuple):
    """A packed table of ranks in `data/`, `NAME.ranks`."""

    sha256: str
    """Of its unpacked bytes; `scripts/pack_vocab.py` prints it."""
    source: str
    licence: str


class Row(NamedTuple):
    """All that is said of an encoding; whatever lists encodings is made of these rows."""

    table: str
    pattern: str
    """A name in `PATTERNS`."""
    size: int
    """Its highest id + 1, so that listing encodings loads none."""
    special_tokens: Mapping[str, int]
    family: str
    """Whose control tokens in `data/special_tokens.json` are its special tokens."""
    same_ids: str = ""
    """The encoding whose ids, and so whose glitch tokens, it has."""
    space_runs: bool = False
    """Whether runs of 2 to 25 spaces follow the table, as in p50k."""
    models: tuple[str, ...] = ()
    """Models that tiktoken doesn't know; `name-*` for all that begin so."""
    has_chat_wrapper: bool = False
    """Whether what its models' chats add to each message is documented."""
    is_compared: bool = False
    """Whether comparisons show it when nobody says which to show."""


_TIKTOKEN = "OpenAI's .tiktoken file, as tiktoken 0.14 fetches it; npm's gpt-tokenizer 4.0.0 has it"

TABLES = {
    "o200k": Table(
        "ba55b38e477b631966c2496061ecd7d10108501c7c47358222d9dc27c22f9422", _TIKTOKEN, "MIT"
    ),
    "cl100k": Table(
        "79045c4dbf49c4e3b90893afbcbfd80cf94cf2b99256bd84b19ffcace49d9bd2", _TIKTOKEN, "MIT"
    ),
    "r50k": Table(
        "7ab5f4f1859a7c2b14951e8c720b58d3941be6b7b10e7b002208edda8d9e57cf", _TIKTOKEN, "MIT"
    ),
}

_END_OF_TEXT = {"<|endoftext|>": 50256}
_O200K = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}

# Newest first. Patterns and special tokens are those of tiktoken 0.14's openai_public.py; tests
# compare them.
ENCODINGS = {
    "o200k_base": Row(
        "o200k", "o200k", 200_019, _O200K, "openai-o200k", has_chat_wrapper=True, is_compared=True
    ),
    "o200k_harmony": Row(
        "o200k",
        "o200k",
        201_088,
        _O200K
        | {
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
        "harmony",
        same_ids="o200k_base",
        has_chat_wrapper=True,
    ),
    "cl100k_base": Row(
        "cl100k",
        "cl100k",
        100_277,
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
        "openai-cl100k",
        has_chat_wrapper=True,
        is_compared=True,
    ),
    "p50k_base": Row(
        "r50k", "gpt2", 50_281, _END_OF_TEXT, "openai-p50k", "r50k_base", True, is_compared=True
    ),
    "p50k_edit": Row(
        "r50k",
        "gpt2",
        50_284,
        _END_OF_TEXT | {"<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283},
        "openai-p50k-edit",
        "r50k_base",
        space_runs=True,
    ),
    "r50k_base": Row("r50k", "gpt2", 50_257, _END_OF_TEXT, "openai-r50k", is_compared=True),
    "gpt2": Row("r50k", "gpt2", 50_257, _END_OF_TEXT, "openai-r50k", "r50k_base"),
}

_loaded: dict[str, Encoding] = {}
_loading = {name: Lock() for name in ENCODINGS}


class UnknownEncodingError(LookupError):
    """No encoding has this name."""


class UnknownModelError(LookupError):
    """It is not known which encoding this model uses."""


def list_encodings() -> list[str]:
    """The names of the encodings that come with the package, newest first.

    >>> "o200k_base" in list_encodings()
    True
    """
    return list(ENCODINGS)


def get_encoding(name: str) -> Encoding:
    """The encoding of that name. Safe to call from several threads.

    Raises `UnknownEncodingError`, which says the nearest names.

    >>> get_encoding("gpt2").encode("¿Qué tal?")
    [126, 123, 4507, 2634, 3305, 30]
    """
    if name not in ENCODINGS:
        raise UnknownEncodingError(
            f"unknown encoding {name!r}.{_suggestion(name, ENCODINGS)} "
            f"The encodings are {', '.join(ENCODINGS)}"
        )
    with _loading[name]:
        if name not in _loaded:
            _loaded[name] = _load(name)
        return _loaded[name]


def _load(name: str) -> Encoding:
    # tiktoken is imported by those who count.
    from .core import CoreEncoding

    row = ENCODINGS[name]
    ranks = _ranks(row.table)
    if row.space_runs:
        ranks = vocab.with_space_runs(ranks)
    return CoreEncoding(name, ranks, PATTERNS[row.pattern], row.special_tokens)


def load_table(name: str) -> vocab.Ranks:
    """The ranks of a table of `TABLES`. Raises `VocabularyError` when it is damaged."""
    return vocab.load_table(name, TABLES[name].sha256)


_ranks = cache(load_table)


def encoding_for_model(model: str) -> Encoding:
    """The encoding that a model uses. Raises `UnknownModelError`.

    >>> encoding_for_model("gpt-4o")
    <Encoding 'o200k_base'>
    """
    return get_encoding(encoding_name_for_model(model))


def encoding_name_for_model(model: str) -> str:
    """The name of the encoding that a model uses, by tiktoken's own table.

    Understands any case, a provider before a slash (`openai/gpt-4o`), a variant after a colon
    (`gpt-4o:free`), dated names, and fine-tuned ones (`ft:gpt-4o-2024-08-06:acme::id`), which
    use the encoding of the model that was tuned.

    Raises `UnknownModelError` rather than guess: `gpt-50foo` is not a gpt-5.

    >>> encoding_name_for_model("openai/GPT-4o")
    'o200k_base'
    """
    # tiktoken's package costs 40 ms with its dependencies; only a model name needs it.
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

    name = re.sub(r"^([^:]*/)?(ft:)?", "", model.strip().lower())
    base = name.partition(":")[0]
    if base in MODEL_TO_ENCODING:
        return MODEL_TO_ENCODING[base]
    for encoding, row in ENCODINGS.items():
        if any(fnmatchcase(base, model) for model in row.models):
            return encoding
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
    return [*named, *begun, *ENCODINGS[encoding].models] if encoding in ENCODINGS else []


def _suggestion(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name.lower(), known, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(close)}?" if close else ""

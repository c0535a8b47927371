"""The options of `train`: which algorithms have each, and what holds without it."""

from __future__ import annotations

import argparse
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any

from .shared import CommandError, positive


@dataclass(frozen=True)
class Option:
    """An option of some algorithms: its value if it isn't given, and what argparse needs."""

    algorithms: tuple[str, ...]
    default: object
    help: str
    details: dict[str, Any] = field(default_factory=dict)

    def add_to(self, parser: argparse._ActionsContainer, flag: str) -> None:
        """Add it without its default, so that what the user gave can be told from it."""
        shown = "" if self.default in (None, False, ()) else f" (default: {self.default})"
        parser.add_argument(flag, default=None, help=self.help + shown, **self.details)


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1")


def _length(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) < inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")


_MERGED = ("bpe", "super-bpe", "word-bpe")
_BYTES = ("bpe", "super-bpe")
_PIECES = ("unigram", "character-bpe")
_SIZED = (*_BYTES, "wordpiece", *_PIECES, "words", "characters")
_NUMBER = {"type": positive, "metavar": "N"}
_FLAG = {"action": "store_true"}

OPTIONS = {
    "--vocab-size": Option(_SIZED, 8192, "how many tokens to learn", _NUMBER),
    "--merges": Option(("word-bpe",), 8192, "how many merges to learn", _NUMBER),
    "--min-count": Option(_MERGED, 2, "merge no pair that is less frequent", _NUMBER),
    "--ties": Option(
        (*_MERGED, "character-bpe"),
        "first",
        "which of equally frequent pairs is merged first",
        {"choices": ("first", "smallest")},
    ),
    "--trace": Option(("bpe", "word-bpe"), False, "print each merge and its count", _FLAG),
    "--pattern": Option(
        _BYTES,
        "o200k",
        "what cuts the text first: gpt2, cl100k, o200k, none, or a regular expression",
    ),
    "--byte-order": Option(
        ("bpe",), "value", "which ids the single bytes get", {"choices": ("value", "gpt2")}
    ),
    "--special": Option(
        ("bpe",),
        (),
        "add a special token above the vocabulary; can be given again",
        {"action": "append", "metavar": "TOKEN"},
    ),
    "--format": Option(
        ("bpe",),
        None,
        "how to write the model (default: by the name of FILE, else subword)",
        {"choices": ("subword", "minbpe", "tiktoken", "huggingface")},
    ),
    "--cluster": Option(
        ("bpe",),
        None,
        "count on Dask: the scheduler's address, or none for processes of this machine",
        {"nargs": "?", "const": "", "metavar": "ADDRESS"},
    ),
    "--transition": Option(
        ("super-bpe",),
        None,
        "tokens before superwords (default: three quarters of --vocab-size)",
        _NUMBER,
    ),
    "--normalization": Option(
        _PIECES, "nfkc", "what is done to characters first", {"choices": ("identity", "nfkc")}
    ),
    "--no-dummy-prefix": Option(_PIECES, False, "put no space before the text", _FLAG),
    "--keep-spaces": Option(_PIECES, False, "don't collapse runs of spaces", _FLAG),
    "--character-coverage": Option(
        _PIECES,
        0.9995,
        "the share of the text whose characters are in the alphabet",
        {"type": _share, "metavar": "SHARE"},
    ),
    "--byte-fallback": Option(_PIECES, False, "write unknown characters as bytes", _FLAG),
    "--patch-bytes": Option(
        ("patches",), 4.5, "how long patches are in the mean", {"type": _length, "metavar": "N"}
    ),
}


def add_algorithm_options(parser: argparse.ArgumentParser) -> None:
    """Add the options, in a group for those that the same algorithms have."""
    for algorithms in dict.fromkeys(option.algorithms for option in OPTIONS.values()):
        group = parser.add_argument_group(", ".join(algorithms))
        for flag, option in OPTIONS.items():
            if option.algorithms == algorithms:
                option.add_to(group, flag)


def settle_options(args: argparse.Namespace) -> None:
    """Fill in defaults. Raises `CommandError` for an option that the algorithm doesn't have."""
    for flag, option in OPTIONS.items():
        name = flag[2:].replace("-", "_")
        if getattr(args, name) is None:
            setattr(args, name, option.default)
        elif args.algorithm not in option.algorithms:
            others = [flag for flag, each in OPTIONS.items() if args.algorithm in each.algorithms]
            raise CommandError(
                f"{flag} does not apply to {args.algorithm}, whose options are {', '.join(others)}"
            )

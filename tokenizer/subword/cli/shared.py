"""What the engine's commands have in common with those of their host: options and results."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from ..encoding import Encoding

# A part is a text and rich's name for its style; a line is its parts.
Part = tuple[str, str]
Line = Sequence[Part]


# How a command ends, as the shell sees it: with nothing to report, with findings, with an error.
EXIT_OK, EXIT_FINDINGS, EXIT_ERROR = 0, 1, 2


class Result(NamedTuple):
    """What a command has found, for programs and for people; only one of them is looked at."""

    json: object
    lines: Iterable[Line]


class CommandError(Exception):
    """The command can't go on; the message is one line that says why and what to do."""


class Host(Protocol):
    """What a command asks of the program that it is part of."""

    def encoding(self, name: str | None = None) -> Encoding:
        """The encoding of a name, or the one that the options and settings ask for."""

    def standard_input(self) -> str:
        """The text of standard input. Raises `CommandError`."""

    def visible(self, text: str) -> str:
        """A text with signs for what can't be seen."""


def add_encoding(parser: argparse.ArgumentParser) -> None:
    """Which tokenizer counts; these win over every settings file."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--encoding", metavar="NAME", help="the encoding to count with, such as o200k_base"
    )
    group.add_argument(
        "--model", metavar="NAME", help="the model whose encoding to count with, such as gpt-4o"
    )
    add_special_tokens(parser)


def add_special_tokens(parser: argparse.ArgumentParser) -> None:
    """How text that spells a special token is read."""
    parser.add_argument(
        "--special-tokens",
        choices=("text", "control"),
        help="count text that spells a special token as text, or as that one token",
    )


def add_json(parser: argparse._ActionsContainer) -> None:
    """The same result for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def positive(text: str) -> int:
    """The value of an option that is a number above 0."""
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")

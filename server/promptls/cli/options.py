"""The options that several commands have, each with the same meaning in all of them."""

from __future__ import annotations

import argparse


def add_path(parser: argparse.ArgumentParser) -> None:
    """The one prompt file to work on."""
    parser.add_argument("path", metavar="PATH", help="a prompt file; - for standard input")
    _add_stdin_filename(parser)


def add_paths(parser: argparse.ArgumentParser) -> None:
    """The prompt files to work on."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a prompt file; a folder, for all in it that Git does not ignore; - for "
        "standard input",
    )
    _add_stdin_filename(parser)


def _add_stdin_filename(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="the name that tells the format and the settings of standard input",
    )


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

"""`promptls split`: where the tokens of a prompt file fall."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..reports.json import TokenRow, token_rows
from ..reports.text import Line
from ..wording import visible
from .command import (
    EXIT_OK,
    Complaints,
    add_encoding_options,
    add_json_option,
    add_path_options,
)
from .inputs import load_or_fail, single_source
from .terminal import print_json, print_lines

if TYPE_CHECKING:
    from .command import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "split",
        help="show the tokens of a prompt file",
        description="Show each token of a prompt file's messages: its id, its place in the file "
        "in characters, and its text, or its bytes where it is a part of a character.",
    )
    add_path_options(parser, many=False)
    add_encoding_options(parser)
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    analysis = load_or_fail(single_source(args, Complaints()))
    rows = token_rows(analysis.prompt, analysis.encoding, analysis.settings.special_tokens)
    if args.json:
        print_json({"encoding": analysis.encoding.name, "tokens": list(rows)})
    else:
        print_lines(_report(rows))
    return EXIT_OK


def _report(rows: Iterable[TokenRow]) -> Iterator[Line]:
    for row in rows:
        place = f"{row['start']}–{row['end']}"
        yield (f"{row['id']:>7}", "cyan"), (f"  {place:<13} ", "dim"), (_shown(row), "")


def _shown(row: TokenRow) -> str:
    """A token's text in quotes, with line ends as escapes; the bytes of a partial character."""
    text = row["text"]
    if text is None:
        return f"bytes {row['bytes']}"
    for character, escape in (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(character, escape)
    return f'"{visible(text)}"'

"""`promptls compare`: what a prompt file costs in several encodings, side by side."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..amounts import Amount
from ..encodings import load_encoding
from ..reports.json import ComparisonRow, choice_row, comparison_row
from ..reports.text import Line, enumerated
from ..wording import visible
from .command import (
    EXIT_OK,
    CommandError,
    Complaints,
    add_json_option,
    add_path_options,
    add_special_option,
)
from .sources import load_or_fail, single_source
from .terminal import print_json, print_lines

if TYPE_CHECKING:
    from .command import Subparsers


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "compare",
        help="compare what a prompt file costs in several encodings",
        description="Compare what a prompt file's messages cost in several encodings.",
    )
    add_path_options(parser, many=False)
    parser.add_argument(
        "--encodings",
        metavar="A,B,…",
        help="the encodings to compare (default: those of the setting compareEncodings)",
    )
    add_special_option(parser)
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    analysis = load_or_fail(single_source(args, Complaints()))
    settings = analysis.settings
    names = settings.compare_encodings
    if args.encodings is not None:
        names = tuple(filter(None, map(str.strip, args.encodings.split(","))))
    if not names:
        raise CommandError("no encodings to compare: name some, such as o200k_base,cl100k_base")
    try:
        encodings = [load_encoding(settings, name) for name in dict.fromkeys(names)]
    except (LookupError, ValueError) as error:
        raise CommandError(str(error)) from None
    texts = [message.text for message in analysis.prompt.messages]
    rows = [
        comparison_row(encoding, texts, settings.special_tokens, analysis.counts.range_in(encoding))
        for encoding in encodings
    ]
    choice = analysis.choice
    if args.json:
        print_json({**choice_row(choice), "exactness": choice.exactness, "rows": rows})
    else:
        print_lines(table(rows))
        if choice.exactness != "exact":
            models = visible(enumerated(choice.models))
            note = f"The file is for {models}: no row is known to be its own count."
            print_lines([[(note, "dim")]])
    return EXIT_OK


def table(rows: list[ComparisonRow]) -> Iterator[Line]:
    """The rows below a head, the fewest tokens marked."""
    width = max(len("encoding"), *(len(visible(row["encoding"])) for row in rows))
    counts = [str(Amount(row["tokens"], "exact", row.get("low"), row.get("high"))) for row in rows]
    digits = max(8, *map(len, counts)) + 1
    head = f"{'encoding':<{width}}{'tokens':>{digits}}"
    yield [(f"{head}  characters/token  bytes/token  tokens/word", "dim")]
    fewest = min(row["tokens"] for row in rows)
    for row, count in zip(rows, counts, strict=True):
        yield (
            (f"{visible(row['encoding']):<{width}}", ""),
            (f"{count:>{digits}}", "bold green" if row["tokens"] == fewest else "cyan"),
            (f"{row['characters_per_token']:>18.2f}{row['bytes_per_token']:>13.2f}", ""),
            (f"{row['tokens_per_word']:>13.2f}", ""),
        )

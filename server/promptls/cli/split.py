"""`promptls split`: where the tokens of a prompt file fall."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from subword.cli.shared import Line, Result
from subword.wording import with_signs

from ..rows import TokenRow, token_rows
from .inputs import Complaints, load_or_fail, single_source


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show each token of a prompt file's messages: its id, its place in the file in characters, "
        "and its text, or its bytes where it is a part of a character."
    )


def run(args: argparse.Namespace, complaints: Complaints) -> Result:
    reading = load_or_fail(single_source(args, complaints))
    special = reading.settings.special_tokens
    rows = list(token_rows(reading.prompt, reading.encoding, special))
    return Result({"encoding": reading.encoding.name, "tokens": rows}, _report(rows))


def _report(rows: Iterable[TokenRow]) -> Iterator[Line]:
    for row in rows:
        place = f"{row['start']}–{row['end']}"
        yield (f"{row['id']:>7}", "cyan"), (f"  {place:<13} ", "dim"), (_shown(row), "")


def _shown(row: TokenRow) -> str:
    """A token's text in quotes, signs for what isn't seen; the bytes of part of a character."""
    return f"bytes {row['bytes']}" if row["text"] is None else f'"{with_signs(row["text"])}"'

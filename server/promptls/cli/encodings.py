"""`promptls encodings`: the encodings that can be counted with, and the models that use them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, TypedDict

from subword import list_encodings
from subword.encodings import known_models

from ..reading.encodings import load_encoding
from ..reports.text import Line
from ..settings import DEFAULT_ENCODING, Settings
from ..settings.files import settings_in
from ..wording import visible
from .command import Complaints, add_json_option
from .terminal import columns, print_json, print_lines

if TYPE_CHECKING:
    from .command import Subparsers


class EncodingRow(TypedDict):
    name: str
    vocabulary_size: int
    models: list[str]


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "encodings",
        help="list the encodings",
        description="List the encodings that can be counted with: those that come with promptls "
        "and those that the settings here define.",
    )
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    complaints = Complaints()
    settings, bad = settings_in(Path())
    for fault in bad:
        complaints.warn_once(str(fault))
    rows: list[EncodingRow] = []
    for name in (*list_encodings(), *settings.encodings):
        try:
            rows.append(_row(settings, name))
        except (LookupError, ValueError) as error:
            complaints.add(str(error))
    if args.json:
        print_json({"encodings": rows})
    else:
        print_lines(_report(rows))
    return complaints.exit_code()


def _row(settings: Settings, name: str) -> EncodingRow:
    encoding = load_encoding(settings, name)
    return EncodingRow(name=name, vocabulary_size=encoding.n_vocab, models=known_models(name))


def _report(rows: list[EncodingRow]) -> Iterator[Line]:
    width = max(len(visible(row["name"])) for row in rows)
    indent = width + 11
    room = max(columns() - indent, 30)
    for row in rows:
        name = visible(row["name"])
        models, *more = wrap(", ".join(row["models"]), room, break_on_hyphens=False) or [""]
        yield (
            (f"{name:<{width}}", "bold" if name == DEFAULT_ENCODING else ""),
            (f"{row['vocabulary_size']:>9}", "cyan"),
            (f"  {models}", "dim"),
        )
        for line in more:
            yield [(f"{'':>{indent}}{line}", "dim")]

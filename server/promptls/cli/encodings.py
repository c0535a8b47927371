"""`promptls encodings`: the encodings that can be counted with, and the models that use them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TypedDict

from subword.cli.shared import Line, Result
from subword.encodings import known_models, list_encodings

from ..reading.encodings import load_encoding
from ..settings import DEFAULT_ENCODING, Settings
from .inputs import Complaints, settings_here
from .terminal import columns


class EncodingRow(TypedDict):
    name: str
    vocabulary_size: int
    models: list[str]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the encodings that can be counted with: those that come with promptls and those that "
        "the settings here define."
    )


def run(args: argparse.Namespace, complaints: Complaints) -> Result:
    settings = settings_here(Path(), args, complaints)
    rows: list[EncodingRow] = []
    for name in (*list_encodings(), *settings.encodings):
        try:
            rows.append(_row(settings, name))
        except (LookupError, ValueError) as error:
            complaints.add(str(error))
    return Result({"encodings": rows}, _report(rows))


def _row(settings: Settings, name: str) -> EncodingRow:
    encoding = load_encoding(settings, name)
    return EncodingRow(name=name, vocabulary_size=encoding.n_vocab, models=known_models(name))


def _report(rows: list[EncodingRow]) -> Iterator[Line]:
    width = max(len(row["name"]) for row in rows)
    indent = width + 11
    room = max(columns() - indent, 30)
    for row in rows:
        name = row["name"]
        models, *more = wrap(", ".join(row["models"]), room, break_on_hyphens=False) or [""]
        yield (
            (f"{name:<{width}}", "bold" if name == DEFAULT_ENCODING else ""),
            (f"{row['vocabulary_size']:>9}", "cyan"),
            (f"  {models}", "dim"),
        )
        for line in more:
            yield [(f"{'':>{indent}}{line}", "dim")]

"""`promptls compare`: what prompt files cost in several encodings, side by side."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from subword.cli.shared import EXIT_OK, CommandError, Line, Result
from subword.wording import enumerated

from ..reading.encodings import load_encoding
from ..reading.ranges import Range
from ..reading.reading import Reading
from ..rows import ComparisonRow, amount_of, choice_row, comparison_row
from .inputs import Complaints, Failure, load, sources


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare what the messages of prompt files cost in several encodings."
    parser.add_argument(
        "--encodings",
        metavar="A,B,…",
        help="the encodings to compare (default: those of the setting compareEncodings)",
    )


def run(args: argparse.Namespace, complaints: Complaints) -> Result | int:
    readings = dict(_readings(args, complaints))
    if not readings:
        return EXIT_OK
    names = _names(args, readings.values())
    try:
        files = {path: _rows(reading, names) for path, reading in readings.items()}
        rows = _totals(list(readings.values()), list(files.values()), names)
    except (LookupError, ValueError) as error:
        raise CommandError(str(error)) from None
    apart = [
        {"path": path, **_chosen(readings[path]), "rows": rows} for path, rows in files.items()
    ]
    # What all files cost together stands where it stands for one, whose choice is its own.
    beside = {"files": apart} if len(files) > 1 else _chosen(*readings.values())
    by_file = [*_by_file(files, rows), ()] if len(files) > 1 else []
    return Result({**beside, "rows": rows}, [*by_file, *_table(rows), *_notes(readings)])


def _readings(args: argparse.Namespace, complaints: Complaints) -> Iterator[tuple[str, Reading]]:
    for source in sources(args, complaints):
        reading = load(source)
        if isinstance(reading, Failure):
            complaints.add(reading.message)
        elif reading:
            yield source.name, reading


def _chosen(reading: Reading) -> dict[str, object]:
    """Which encoding the file itself is counted with, and how sure that is."""
    return {**choice_row(reading.choice), "exactness": reading.choice.exactness}


def _notes(readings: dict[str, Reading]) -> Iterator[Line]:
    """A word for each file whose own model has no encoding here."""
    for path, reading in readings.items():
        if reading.choice.exactness != "exact":
            who = "The file" if len(readings) == 1 else path
            models = enumerated(reading.choice.models)
            yield [(f"{who} is for {models}: no row is known to be its own count.", "dim")]


def _names(args: argparse.Namespace, readings: Iterable[Reading]) -> list[str]:
    """The encodings to compare, each once: those of the option, or of the files' settings."""
    names = [name for each in readings for name in each.settings.compare_encodings]
    if args.encodings is not None:
        names = list(filter(None, map(str.strip, args.encodings.split(","))))
    if not names:
        raise CommandError("no encodings to compare: name some, such as o200k_base,cl100k_base")
    return list(dict.fromkeys(names))


def _rows(reading: Reading, names: list[str]) -> list[ComparisonRow]:
    settings = reading.settings
    return [
        comparison_row(
            encoding, _texts(reading), settings.special_tokens, reading.range_in(encoding)
        )
        for encoding in (load_encoding(settings, name) for name in names)
    ]


def _totals(
    readings: list[Reading], files: list[list[ComparisonRow]], names: list[str]
) -> list[ComparisonRow]:
    """What all files cost together in each encoding."""
    if len(files) == 1:
        return files[0]
    settings = readings[0].settings
    texts = [text for reading in readings for text in _texts(reading)]
    return [
        comparison_row(
            load_encoding(settings, name),
            texts,
            settings.special_tokens,
            sum((_range(row) for row in rows), Range(0, 0)),
        )
        for name, rows in zip(names, zip(*files, strict=True), strict=True)
    ]


def _texts(reading: Reading) -> list[str]:
    return [message.text for message in reading.prompt.messages]


def _range(row: ComparisonRow) -> Range:
    tokens = row["tokens"]
    return Range(row.get("low", tokens), row.get("high", tokens), row.get("bounded", False))


def _by_file(files: dict[str, list[ComparisonRow]], totals: list[ComparisonRow]) -> Iterator[Line]:
    """The tokens of each file, with a column for each encoding, and of all together."""
    names = [row["encoding"] for row in totals]
    cells = [[str(amount_of(row)) for row in rows] for rows in (*files.values(), totals)]
    widths = [max(map(len, column)) + 2 for column in zip(names, *cells, strict=True)]
    head = "".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    yield [(f"{head}  file", "dim")]
    for path, row in zip((*files, "total"), cells, strict=True):
        numbers = "".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield (numbers, "cyan"), (f"  {path}", "bold" if row is cells[-1] else "")


def _table(rows: list[ComparisonRow]) -> Iterator[Line]:
    """The rows below a head, the fewest tokens marked."""
    width = max(len("encoding"), *(len(row["encoding"]) for row in rows))
    counts = [str(amount_of(row)) for row in rows]
    digits = max(8, *map(len, counts)) + 1
    head = f"{'encoding':<{width}}{'tokens':>{digits}}"
    yield [(f"{head}  characters/token  bytes/token  tokens/word", "dim")]
    fewest = min(row["tokens"] for row in rows)
    for row, count in zip(rows, counts, strict=True):
        yield (
            (f"{row['encoding']:<{width}}", ""),
            (f"{count:>{digits}}", "bold green" if row["tokens"] == fewest else "cyan"),
            (f"{row['characters_per_token']:>18.2f}{row['bytes_per_token']:>13.2f}", ""),
            (f"{row['tokens_per_word']:>13.2f}", ""),
        )

"""`study`: measurements of tokenizers and texts, as tables, JSON and pictures."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from ..corpus.reading import CorpusError, find_files, read_texts
from ..encoding import Encoding
from ..explain.merges import shown
from ..study import compression as compressions
from ..study import cost, plots, vocabulary, words
from ..wording import amount
from .shared import CommandError, Host, Line, Result, add_encoding, add_json

Row = dict[str, Any]

_SIZES = "256,512,1024,2048,4096,8192"
_VOCABULARIES = "32000,50257,100277,200019"


@dataclass(frozen=True)
class Measure:
    """One kind of measurement: its help, its options, what it finds, and how it is drawn."""

    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    rows: Callable[[argparse.Namespace], list[Row]]
    plot: Callable[[argparse.Namespace, Path], None] | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measure tokenizers and texts."
    measures = parser.add_subparsers(
        title="measures", metavar="MEASURE", dest="measure", required=True
    )
    for name, measure in MEASURES.items():
        inner = measures.add_parser(name, help=measure.summary, description=measure.summary)
        measure.add_options(inner)
        add_json(inner)
        if measure.plot:
            inner.add_argument("--plot", type=Path, metavar="FILE", help="draw it: .svg or .png")


def run(args: argparse.Namespace, host: Host) -> Result:
    measure = MEASURES[args.measure]
    args.encoding_of = host.encoding
    try:
        rows = measure.rows(args)
        if measure.plot and args.plot:
            measure.plot(args, args.plot)
    except (CorpusError, LookupError, ValueError, plots.PlotError) as error:
        raise CommandError(str(error)) from None
    return Result({"measure": args.measure, "rows": rows}, table(rows))


def table(rows: Sequence[Row]) -> Iterator[Line]:
    """Rows with the same keys as a table; numbers stand to the right."""
    if not rows:
        yield [("nothing found", "dim")]
        return
    keys = list(rows[0])
    # An id is a name and not an amount.
    cells = [[str(row[k]) if k == "id" else _cell(row[k]) for k in keys] for row in rows]
    heads = [key.replace("_", " ") for key in keys]
    widths = [max(map(cell_len, column)) for column in zip(heads, *cells, strict=True)]
    right = [isinstance(rows[0][key], (int, float)) for key in keys]
    yield [(_joined(heads, widths, right), "dim")]
    for row in cells:
        yield [(_joined(row, widths, right), "")]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


def _joined(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        " " * (size - cell_len(cell)) + cell if to_right else cell + " " * (size - cell_len(cell))
        for cell, size, to_right in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()


def _encoding(args: argparse.Namespace) -> Encoding:
    encoding: Encoding = args.encoding_of()
    return encoding


def _texts(args: argparse.Namespace) -> list[str]:
    """Each file whole: measurements are not of pieces of files."""
    return list(read_texts(find_files(args.paths)))


# --- Compression -------------------------------------------------------------------------------


def _add_compression(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="text files, or folders of them")
    parser.add_argument("--encodings", default="o200k_base,cl100k_base,gpt2", metavar="A,B,…")


def _compression(args: argparse.Namespace) -> list[Row]:
    texts = _texts(args)
    args.encoding = args.model = args.special_tokens = None
    rows: list[Row] = []
    for name in filter(None, map(str.strip, args.encodings.split(","))):
        found = compressions.compression(args.encoding_of(name), texts)
        rows.append(
            {
                "encoding": name,
                "tokens": found.tokens,
                "characters_per_token": round(found.characters_per_token, 4),
                "bytes_per_token": round(found.bytes_per_token, 4),
                "tokens_per_word": round(found.tokens_per_word, 4),
            }
        )
    return rows


def _add_curve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="text files, or folders of them")
    parser.add_argument("--sizes", type=_numbers, default=_SIZES, metavar="N,…")
    parser.add_argument("--pattern", default="gpt2", help="what cuts the text first")


def _curve_points(args: argparse.Namespace) -> list[compressions.CurvePoint]:
    """Every tenth paragraph is held out, and the curve is of those."""
    paragraphs = [part + "\n\n" for text in _texts(args) for part in text.split("\n\n")]
    train = [part for number, part in enumerate(paragraphs) if number % 10]
    pattern = None if args.pattern == "none" else args.pattern
    return compressions.compression_curve(train, paragraphs[::10], args.sizes, pattern)


def _curve(args: argparse.Namespace) -> list[Row]:
    return [
        {
            "vocab_size": point.vocab_size,
            "tokens": point.tokens,
            "bytes_per_token": round(point.bytes_per_token, 4),
        }
        for point in _curve_points(args)
    ]


def _plot_curve(args: argparse.Namespace, path: Path) -> None:
    plots.plot_curve(_curve_points(args), path)


def _add_languages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        nargs="+",
        type=_named,
        metavar="LANGUAGE=PATH",
        help="a translation of the same text; the first is the baseline",
    )
    add_encoding(parser)


def _language_costs(args: argparse.Namespace) -> list[compressions.LanguageCost]:
    parallel = {
        language: ["".join(read_texts(find_files([path])))] for language, path in args.texts
    }
    return compressions.language_costs(_encoding(args), parallel, args.texts[0][0])


def _languages(args: argparse.Namespace) -> list[Row]:
    return [row._asdict() | {"premium": round(row.premium, 4)} for row in _language_costs(args)]


def _plot_languages(args: argparse.Namespace, path: Path) -> None:
    plots.plot_languages(_language_costs(args), args.texts[0][0], path)


# --- Words -------------------------------------------------------------------------------------


def _add_words(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="text files, or folders of them")
    parser.add_argument("--law", choices=("zipf", "heaps"), default="zipf", help="which to draw")


def _words(args: argparse.Namespace) -> list[Row]:
    found = words.word_list(_texts(args))
    zipf, heaps = words.zipf(found), words.heaps(found)
    return [
        {"law": "Zipf", "parameters": f"alpha = {zipf.alpha:.3f}", "r_squared": zipf.r_squared},
        {
            "law": "Heaps",
            "parameters": f"K = {heaps.k:.2f}, beta = {heaps.beta:.3f}",
            "r_squared": heaps.r_squared,
        },
    ]


def _plot_words(args: argparse.Namespace, path: Path) -> None:
    found = words.word_list(_texts(args))
    if args.law == "zipf":
        plots.plot_zipf(words.rank_frequency(found), words.zipf(found), path)
    else:
        plots.plot_heaps(words.growth(found), words.heaps(found), path)


def _add_unknown(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="text files, or folders of them")
    parser.add_argument("--sizes", type=_numbers, default="100,1000,10000,100000", metavar="N,…")


def _unknown(args: argparse.Namespace) -> list[Row]:
    texts = _texts(args)
    found = (words.unknown_rate(texts, size) for size in args.sizes)
    return [row._asdict() | {"rate": round(row.rate, 4)} for row in found]


# --- Vocabularies and models -------------------------------------------------------------------


def _add_vocabulary(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a corpus: tokens it passes by")
    parser.add_argument("--longest", type=int, metavar="N", help="the N longest tokens instead")
    parser.add_argument("--parts", action="store_true", help="list parts of characters too")
    add_encoding(parser)


def _vocabulary(args: argparse.Namespace) -> list[Row]:
    encoding = _encoding(args)
    if args.longest:
        return [
            {"id": row.id, "length": row.length, "token": shown(row.token)}
            for row in vocabulary.longest_tokens(encoding, args.longest)
        ]
    if args.paths:
        suspects = vocabulary.unused_tokens(encoding, _texts(args))
    else:
        suspects = vocabulary.unreachable_tokens(encoding)
    return [
        {"id": row.id, "token": shown(row.token), "reason": row.reason, "instead": row.instead}
        for row in suspects
        if args.parts or row.reason != "part of a character"
    ]


def _digits(args: argparse.Namespace) -> list[Row]:
    return [
        {
            "digits": row.digits,
            "example": row.example,
            "groups": row.groups,
            "mean_tokens": row.mean_tokens,
        }
        for row in vocabulary.digit_groups(_encoding(args))
    ]


def _indentation(args: argparse.Namespace) -> list[Row]:
    return [
        {"indent": _named_indent(row.indent), "tokens": row.tokens}
        for row in vocabulary.indent_costs(_encoding(args))
    ]


def _named_indent(indent: str) -> str:
    return amount(len(indent), "tab" if "\t" in indent else "space")


def _add_cost(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--width", type=int, default=4096, metavar="N")
    parser.add_argument("--layers", type=int, default=32, metavar="N")
    parser.add_argument("--vocab-sizes", type=_numbers, default=_VOCABULARIES, metavar="N,…")
    parser.add_argument("--untied", action="store_true", help="the output layer has its own")


def _cost(args: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    for size in args.vocab_sizes:
        found = cost.vocabulary_share(size, args.width, args.layers, not args.untied)
        rows.append({"vocab_size": size, **found._asdict(), "share": round(found.share, 4)})
    return rows


def _add_length(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--width", type=int, default=4096, metavar="N")
    parser.add_argument("--layers", type=int, default=32, metavar="N")
    parser.add_argument("--tokens", type=_numbers, default="1000,2000,4000,8000,32000,128000")


def _length(args: argparse.Namespace) -> list[Row]:
    found = (cost.sequence_cost(tokens, args.width, args.layers) for tokens in args.tokens)
    return [
        row._asdict() | {"total": row.total, "attention_share": round(row.attention_share, 4)}
        for row in found
    ]


# --- Options -----------------------------------------------------------------------------------


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",") if part.strip().isdecimal()]
    if not numbers or not all(numbers) or len(numbers) != len(text.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers such as 1000,2000")
    return numbers


def _named(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    if not name or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not LANGUAGE=PATH")
    return name, path


MEASURES: Mapping[str, Measure] = {
    "compression": Measure(
        "characters and bytes per token, and tokens per word, of texts in several encodings",
        _add_compression,
        _compression,
    ),
    "curve": Measure(
        "compression of held-out text against the size of a vocabulary that is trained on the rest",
        _add_curve,
        _curve,
        _plot_curve,
    ),
    "languages": Measure(
        "what the same text costs in other languages", _add_languages, _languages, _plot_languages
    ),
    "words": Measure("Zipf's and Heaps' laws, fitted to texts", _add_words, _words, _plot_words),
    "unknown": Measure(
        "words of a corpus's last tenth that a vocabulary of the rest doesn't have",
        _add_unknown,
        _unknown,
    ),
    "vocabulary": Measure(
        "tokens that no text reaches, or that a corpus passes by; the longest tokens",
        _add_vocabulary,
        _vocabulary,
    ),
    "digits": Measure("how numbers are cut", add_encoding, _digits),
    "indentation": Measure("what indentation costs", add_encoding, _indentation),
    "parameters": Measure("the share of a model's parameters in its vocabulary", _add_cost, _cost),
    "length": Measure("what longer sequences cost in attention", _add_length, _length),
}

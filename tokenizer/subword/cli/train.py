"""`train`: a tokenizer from a corpus: the model, its vocabulary to read, and a report."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from ..corpus.reading import CorpusError, find_files, read_texts
from ..files.saved import ModelError, write_bytes
from ..wording import amount
from .shared import CommandError, Host, Result
from .train_options import add_algorithm_options, settle_options

if TYPE_CHECKING:
    from ..corpus.counting import Progress

# How much of the corpus the report measures the compression on, in characters.
_SAMPLE = 1_000_000

# The pattern at whose safe cuts a corpus is streamed when the algorithm has none of its own.
_STREAM = "gpt2"


class Report(TypedDict):
    """What was trained on what; `bytes_per_token` is measured on the corpus's beginning."""

    algorithm: str
    model: str
    vocabulary: str
    vocabulary_size: int
    files: int
    corpus_bytes: int
    seconds: float
    bytes_per_token: float
    shortfall: str


@dataclass(frozen=True)
class Trained:
    """How to save a trained model and encode with it, and its tokens as people read them, by id."""

    save: Callable[[Path], None]
    encode: Callable[[str], Sequence[object]]
    tokens: list[str]
    trace: str = ""
    """The merges in the order learnt, with how often each pair stood together."""
    shortfall: str = ""
    """How many fewer tokens were learnt than asked for, and why."""


class Told(NamedTuple):
    """Who is told how much of the corpus is read, in bytes, and how much is learnt."""

    reading: Progress | None = None
    learning: Progress | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Train a tokenizer on text files. Writes the model, its vocabulary (*.vocab.txt) and a "
        "report (*.report.json). To count with it, set encodings.NAME.path to the model; only "
        "patches can't be counted with."
    )
    parser.add_argument("algorithm", choices=TRAINERS, help="how to train")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="text files, or folders of them")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="where to write the model"
    )
    add_algorithm_options(parser)


def run(args: argparse.Namespace, host: Host) -> Result:
    settle_options(args)
    if not args.output.parent.is_dir():
        raise CommandError(f"{args.output.parent}: there is no such folder to write to")
    try:
        files = find_files(args.paths)
        if os.path.realpath(args.output) in map(os.path.realpath, files):
            raise CommandError(f"{args.output}: is in the corpus; write the model elsewhere")
        start = time.perf_counter()
        with _progress() as told:
            trained = TRAINERS[args.algorithm](args, files, told)
        seconds = time.perf_counter() - start
        trained.save(args.output)
        report = _report(args, files, trained, seconds)
        _write_companions(args.output, [*map(host.visible, trained.tokens)], report)
    except (CorpusError, ModelError, ValueError, RuntimeError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{args.output}: cannot be written ({error.strerror})") from None
    trace = trained.trace.split("\n") if args.trace else ()
    return Result(report, [*([(line, "")] for line in trace), *_lines(report)])


def _bpe(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..explain.merges import shown
    from ..models.bpe import BPE

    model = BPE(_pattern(args), args.ties, args.byte_order)
    if args.cluster is None:
        texts = read_texts(files, model.pattern, told.reading)
        model.train(texts, args.vocab_size, args.min_count, told.learning)
    else:
        from ..corpus.cluster import count_on_cluster

        pieces = count_on_cluster(files, model.pattern, args.cluster or None)
        model.train_counts(pieces, args.vocab_size, args.min_count, told.learning)
    model.register_special_tokens(args.special)
    tokens = [shown(token) for _, token in sorted(model.vocab.items())] + [*args.special]
    trace = "\n".join(
        f"{number:4}  {merge.count:6}  {tokens[merge.left]} + {tokens[merge.right]} → "
        f"{tokens[merge.id]}"
        for number, merge in enumerate(model.history, 1)
    )
    shortfall = _shortfall(args.vocab_size, len(model.vocab), _no_pair(args))
    save = partial(model.save, format=args.format)
    return Trained(save, model.encode, tokens, trace, shortfall)


def _super_bpe(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..explain.merges import shown
    from ..models.superword import SuperBPE

    pattern = _pattern(args)
    model = SuperBPE(pattern, args.ties)
    transition = args.transition or max(256, args.vocab_size * 3 // 4)
    texts = list(read_texts(files, pattern, told.reading))
    model.train(texts, args.vocab_size, transition, args.min_count, told.learning)
    tokens = [shown(token) for token in model.vocab.values()]
    shortfall = _shortfall(args.vocab_size, len(tokens), _no_pair(args))
    return Trained(model.save, model.encode, tokens, shortfall=shortfall)


def _word_bpe(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..models.word_bpe import WordBPE

    model = WordBPE(args.ties)
    model.train(
        read_texts(files, _STREAM, told.reading), args.merges, args.min_count, told.learning
    )
    shortfall = _shortfall(args.merges, len(model.merges), _no_pair(args), "merges")
    return Trained(model.save, model.encode, model.vocab, model.trace(), shortfall)


def _wordpiece(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..models.wordpiece import WordPiece

    model = WordPiece()
    model.train(read_texts(files, _STREAM, told.reading), args.vocab_size, told.learning)
    shortfall = _shortfall(args.vocab_size, len(model.vocab), "every word is a token")
    return Trained(model.save, model.encode, list(model.vocab), shortfall=shortfall)


def _pieces(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..models.character_bpe import CharacterBPE
    from ..models.normalizer import Options
    from ..models.unigram.model import Unigram

    options = Options(
        args.normalization,
        dummy_prefix=not args.no_dummy_prefix,
        collapse_spaces=not args.keep_spaces,
        character_coverage=args.character_coverage,
        byte_fallback=args.byte_fallback,
    )
    model = Unigram(options) if args.algorithm == "unigram" else CharacterBPE(options, args.ties)
    model.train(read_texts(files, _STREAM, told.reading), args.vocab_size, told.learning)
    reason = "no other piece is repeated and used" if args.algorithm == "unigram" else _WHOLE
    shortfall = _shortfall(args.vocab_size, len(model.vocab), reason)
    return Trained(model.save, model.encode, model.vocab, shortfall=shortfall)


def _closed(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..models.baselines import Characters, Words

    model = Words() if args.algorithm == "words" else Characters()
    model.train(read_texts(files, _STREAM, told.reading), args.vocab_size)
    shortfall = _shortfall(args.vocab_size, len(model.vocab), "the corpus has no more of them")
    return Trained(model.save, model.encode, model.vocab, shortfall=shortfall)


def _patches(args: argparse.Namespace, files: list[Path], told: Told) -> Trained:
    from ..models.patches import EntropyPatcher

    model = EntropyPatcher()
    model.train(read_texts(files, _STREAM, told.reading))
    model.fit(read_texts(files, _STREAM, told.reading), args.patch_bytes)
    return Trained(model.save, model.patches, [])


TRAINERS: dict[str, Callable[[argparse.Namespace, list[Path], Told], Trained]] = {
    "bpe": _bpe,
    "word-bpe": _word_bpe,
    "wordpiece": _wordpiece,
    "unigram": _pieces,
    "character-bpe": _pieces,
    "super-bpe": _super_bpe,
    "words": _closed,
    "characters": _closed,
    "patches": _patches,
}


def _pattern(args: argparse.Namespace) -> str | None:
    return None if args.pattern == "none" else args.pattern


_WHOLE = "no pair is left to merge"


def _no_pair(args: argparse.Namespace) -> str:
    """Why merging ended."""
    if args.min_count == 1:
        return _WHOLE
    return f"no other pair occurs {args.min_count} times (--min-count)"


def _shortfall(asked: int, learnt: int, reason: str, unit: str = "tokens") -> str:
    return "" if learnt >= asked else f"{learnt:,} of the {asked:,} {unit} asked for: {reason}"


@contextmanager
def _progress() -> Iterator[Told]:
    """Bars on the terminal; nothing where errors go to a file."""
    if not sys.stderr.isatty():
        yield Told()
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:

        def bar(name: str) -> Progress:
            task = bars.add_task(name, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield Told(bar("reading"), bar("learning"))


def _report(
    args: argparse.Namespace, files: list[Path], trained: Trained, seconds: float
) -> Report:
    sample, left = [], _SAMPLE
    for text in read_texts(files, _STREAM):
        sample.append(text[:left])
        left -= len(sample[-1])
        if left <= 0:
            break
    size = sum(len(text.encode("utf-8", "replace")) for text in sample)
    tokens = sum(len(trained.encode(text)) for text in sample)
    return Report(
        algorithm=args.algorithm,
        model=args.output.name,
        vocabulary=_companion(args.output, "vocab.txt").name,
        vocabulary_size=len(trained.tokens),
        files=len(files),
        corpus_bytes=sum(file.stat().st_size for file in files),
        seconds=round(seconds, 3),
        bytes_per_token=round(size / tokens, 4) if tokens else 0.0,
        shortfall=trained.shortfall,
    )


def _write_companions(output: Path, tokens: list[str], report: Report) -> None:
    """The vocabulary to read, a line for each id, and the report."""
    rows = (f"{id}\t{token}\n" for id, token in enumerate(tokens))
    write_bytes(_companion(output, "vocab.txt"), "".join(rows).encode())
    text = json.dumps(report, ensure_ascii=False, indent=2)
    write_bytes(_companion(output, "report.json"), f"{text}\n".encode())


def _companion(output: Path, suffix: str) -> Path:
    return output.with_name(f"{output.stem}.{suffix}")


def _lines(report: Report) -> Iterator[list[tuple[str, str]]]:
    size = report["vocabulary_size"]
    yield [
        (f"{report['model']}", "bold"),
        (f": {report['algorithm']}" + (f", {amount(size, 'token')}" if size else ""), ""),
        (f" from {report['corpus_bytes']:,} bytes in {amount(report['files'], 'file')}", "dim"),
    ]
    if report["shortfall"]:
        yield [(report["shortfall"], "yellow")]
    unit = "token" if size else "patch"
    yield [(f"{report['bytes_per_token']:.2f} bytes per {unit}, {report['seconds']:.1f} s", "")]
    if size:
        yield [(f"the tokens are listed in {report['vocabulary']}", "dim")]

"""Corpora in files: found, cut into parts that can be counted apart, and read as streams."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..patterns import PATTERNS
from ..regular import open_regular
from .counting import Progress, count_pieces, cut_stream

_BLOCK = 1 << 20

# A place where every known pattern ends a piece, as it looks in UTF-8: ASCII that isn't
# whitespace, then a space.
_CUT = re.compile(rb"(?<=[!-~]) ")


class CorpusError(ValueError):
    """A corpus can't be read; the message says which file and why."""


class Part(NamedTuple):
    """A stretch of a file, in bytes, that can be counted apart from the rest."""

    path: str
    start: int
    end: int


def find_files(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The files that paths name, and those in folders, in order; hidden and binary ones left out.

    Raises `CorpusError` for a path that isn't there or can't be read, for a binary file that is
    named, and when there is no text at all.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inner = (file for file in sorted(path.rglob("*")) if not _is_hidden(file, path))
            found.extend(file for file in inner if file.is_file() and not _binary(file))
        elif not path.exists():
            raise CorpusError(f"{path}: no such file or folder")
        elif reason := _binary(path):
            raise CorpusError(f"{path}: {reason}")
        else:
            found.append(path)
    if not found:
        raise CorpusError("there are no text files in the corpus")
    if not any(file.stat().st_size for file in found):
        raise CorpusError("the corpus is empty")
    return found


def parts_of(files: Iterable[Path], pattern: str | None, size: int = 1 << 25) -> list[Part]:
    """Files cut into parts of about `size` bytes; whole files where the pattern isn't known."""
    parts: list[Part] = []
    for file in files:
        length = file.stat().st_size
        bounds = [0, *(_cuts(file, length, size) if pattern in PATTERNS else ()), length]
        parts.extend(Part(str(file), a, b) for a, b in pairwise(bounds) if a < b)
    return parts


def read_part(part: Part, pattern: str | None) -> Iterator[str]:
    """The texts of a part, of a few million characters at most where the pattern is known.

    Line ends stay as they are. Raises `CorpusError`, also for what isn't UTF-8.
    """
    blocks = _blocks(part)
    if pattern in PATTERNS:
        yield from cut_stream(blocks)
    else:
        yield "".join(blocks)


def read_texts(
    files: Iterable[Path], pattern: str | None = None, progress: Progress | None = None
) -> Iterator[str]:
    """The texts of files, as a stream: no more than a block of a file is in memory.

    `progress` is told how many bytes of how many are done with, after each text.
    """
    parts = parts_of(files, pattern)
    total = sum(part.end - part.start for part in parts)
    done = 0
    for part in parts:
        for text in read_part(part, pattern):
            yield text
            if progress is not None:
                done += len(text.encode())
                progress(done, total)


def count_part(part: Part, pattern: str | None) -> dict[str, int]:
    """The pre-tokens of a part and how often each occurs, in the order first seen."""
    return count_pieces(read_part(part, pattern), pattern)


def add_counts(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    """The sum of counts; the order first seen is kept when they come in the corpus's order."""
    total: dict[str, int] = {}
    for count in counts:
        for piece, number in count.items():
            total[piece] = total.get(piece, 0) + number
    return total


def _cuts(file: Path, length: int, size: int) -> Iterator[int]:
    """Places in a file, in bytes, at which it can be cut: the first after each `size` bytes."""
    with open_regular(file) as stream:
        for start in range(size, length, size):
            stream.seek(start)
            if cut := _CUT.search(stream.read(min(size, _BLOCK))):
                yield start + cut.start()


def _blocks(part: Part) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    at = part.start
    try:
        with open_regular(part.path) as stream:
            stream.seek(part.start)
            while data := stream.read(min(part.end - at, _BLOCK)):
                # The decoder holds back what may be the beginning of a character.
                held = len(decoder.getstate()[0])
                at += len(data)
                yield decoder.decode(data, final=at == part.end)
    except OSError as error:
        raise CorpusError(f"{part.path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{part.path}: isn't UTF-8: byte 0x{error.object[error.start]:02x} at byte offset "
            f"{at - len(data) - held + error.start}; save it as UTF-8"
        ) from None


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _binary(file: Path) -> str | None:
    """Why a file is no text that can be read here, from its beginning; None if it may be."""
    try:
        with open_regular(file) as stream:
            head = stream.read(8192)
    except OSError as error:
        raise CorpusError(f"{file}: cannot be read ({error.strerror})") from None
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "is UTF-16; save it as UTF-8"
    return "is a binary file, not text" if b"\0" in head else None

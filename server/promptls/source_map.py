"""Where each character of a text comes from in its file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """A range of characters of the file, the end not included."""

    start: int
    end: int


class Run(NamedTuple):
    """A stretch of a message's text and the stretch of the file that it comes from.

    When both are equally long, and `verbatim` says so, characters correspond one to one; otherwise
    (an escape such as `\\u00e9`) the whole run corresponds to the whole.
    """

    text_start: int
    file_start: int
    text_length: int
    file_length: int
    verbatim: bool


class SourceMap:
    """Which character of a message's text comes from where in the file."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = tuple(runs)
        self._text_starts = [run.text_start for run in self.runs]
        self._file_starts = [run.file_start for run in self.runs]

    def to_file(self, text_offset: int) -> int:
        """The file offset of a text offset: of the escape's start if it is inside one."""
        run = self._run_at(self._text_starts, text_offset)
        if run is None:
            return 0
        inside = text_offset - run.text_start
        if run.verbatim or inside == 0:
            return run.file_start + min(inside, run.file_length)
        return run.file_start + (run.file_length if inside >= run.text_length else 0)

    def to_file_end(self, text_offset: int) -> int:
        """The file offset at which a range of text ends: after the escape that it ends in."""
        if text_offset == 0:
            return self.to_file(0)
        run = self._run_at(self._text_starts, text_offset - 1)
        if run is None:
            return 0
        if run.verbatim:
            return run.file_start + text_offset - run.text_start
        return run.file_start + run.file_length

    def to_text(self, file_offset: int) -> int:
        """The text offset of a file offset; of the next text if none comes from there."""
        run = self._run_at(self._file_starts, file_offset)
        if run is None or file_offset <= run.file_start:
            return run.text_start if run else 0
        inside = file_offset - run.file_start
        if run.verbatim:
            return run.text_start + min(inside, run.text_length)
        return run.text_start + run.text_length

    def span(self, text_start: int, text_end: int) -> Span:
        """The range of the file that text[text_start:text_end] comes from."""
        start = self.to_file(text_start)
        return Span(start, max(start, self.to_file_end(text_end)))

    def between(self, start: int, end: int) -> Iterator[Run]:
        """The runs that text[start:end] touches."""
        first = max(bisect_right(self._text_starts, start) - 1, 0)
        for index in range(first, bisect_left(self._text_starts, end)):
            run = self.runs[index]
            if run.text_start + run.text_length > start:
                yield run

    def verbatim_around(self, start: int, end: int) -> Run | None:
        """The run that has file[start:end] as it stands, and what is next to it unless it ends."""
        run = self._run_at(self._file_starts, start - 1)
        if run is None or not run.verbatim or start <= run.file_start:
            return None
        stop = run.file_start + run.file_length
        return run if end < stop or (end == stop and run is self.runs[-1]) else None

    def edited(self, run: Run, length: int) -> SourceMap:
        """The map after an edit in a verbatim run that makes it, and the file, so much longer."""
        at = self.runs.index(run)
        longer = run._replace(
            text_length=run.text_length + length, file_length=run.file_length + length
        )
        later = (
            each._replace(text_start=each.text_start + length, file_start=each.file_start + length)
            for each in self.runs[at + 1 :]
        )
        return SourceMap([*self.runs[:at], longer, *later])

    def _run_at(self, starts: list[int], offset: int) -> Run | None:
        if not self.runs:
            return None
        return self.runs[max(bisect_right(starts, offset) - 1, 0)]

"""Passages: text that is becoming a message, whose way back to the file is never lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .prompt import Message
from .source_map import Run, SourceMap, Span
from .text import Edit


@dataclass(frozen=True)
class Passage:
    """Text that is becoming a message, and where in the file it comes from.

    Formats cut passages apart, decode them and take things out of them; the way back to the file
    is never lost.
    """

    text: str = field(repr=False)
    source: SourceMap = field(repr=False)
    start: int
    """Where it begins in the file, with what has been taken out at its edges."""
    end: int

    def slice(self, start: int, end: int) -> Passage:
        """The part text[start:end]."""
        runs = _Runs()
        runs.copy(self, start, end)
        at = self.source.to_file(start) if self.text else self.start
        return runs.passage(at, max(at, self.source.to_file_end(end)) if start < end else at)

    def edited(self, edits: Iterable[Edit]) -> Passage:
        """The passage with edits made, which are in ascending order.

        Of two edits that overlap, the second is cut short.
        """
        runs = _Runs()
        at = 0
        for edit in edits:
            runs.copy(self, at, edit.start)
            if edit.text and edit.end > at:
                runs.decode(self, max(at, edit.start), edit)
            at = max(at, edit.end)
        runs.copy(self, at, len(self.text))
        return runs.passage(self.start, self.end)

    def without(self, spans: Iterable[tuple[int, int]]) -> Passage:
        """The passage without stretches of the file, in ascending order."""
        to_text = self.source.to_text
        return self.edited(
            Edit(to_text(start), to_text(end))
            for start, end in spans
            if self.start <= start and end <= self.end
        )

    def seen_through(self, outer: Passage) -> Passage:
        """The passage, if what it takes for the file is really the text of `outer`."""
        runs = _Runs()
        for run in self.source.runs:
            text = self.text[run.text_start : run.text_start + run.text_length]
            if run.verbatim:
                runs.copy(outer, run.file_start, run.file_start + run.file_length)
            elif text:
                end = run.file_start + run.file_length
                runs.decode(outer, run.file_start, Edit(run.file_start, end, text))
        return runs.passage(*outer.file_span(self.start, self.end))

    def stripped(self, characters: str) -> Passage:
        """The passage without such characters at its edges."""
        start = len(self.text) - len(self.text.lstrip(characters))
        return self.slice(start, max(start, len(self.text.rstrip(characters))))

    def file_span(self, text_start: int, text_end: int) -> Span:
        """The range of the file that text[text_start:text_end] comes from."""
        return self.source.span(text_start, text_end) if self.text else Span(self.start, self.start)

    def message(self, role: str | None) -> Message:
        """The passage as a message."""
        return Message(role, self.start, self.end, self.text, self.source)


def joined(passages: Iterable[Passage]) -> Passage:
    """Passages of one file, in its order, as one. At least one."""
    parts = list(passages)
    runs = _Runs()
    for part in parts:
        runs.copy(part, 0, len(part.text))
    return runs.passage(parts[0].start, parts[-1].end)


class PassageBuilder:
    """Collects a passage from the file, keeping track of where each part comes from."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._runs = _Runs()

    def keep(self, start: int, end: int) -> None:
        """Append file[start:end] as it stands."""
        if start < end:
            self._runs.append(self._file[start:end], start, end - start, verbatim=True)

    def decode(self, start: int, end: int, text: str) -> None:
        """Append `text`, which is what file[start:end] (such as an escape) stands for."""
        if text:
            self._runs.append(text, start, end - start, verbatim=False)

    def passage(self, start: int, end: int) -> Passage:
        """The passage, which stands in file[start:end]."""
        return self._runs.passage(start, end)


class _Runs:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._runs: list[Run] = []
        self._length = 0

    def append(self, text: str, file_start: int, file_length: int, verbatim: bool) -> None:
        self._parts.append(text)
        self._runs.append(Run(self._length, file_start, len(text), file_length, verbatim))
        self._length += len(text)

    def copy(self, passage: Passage, start: int, end: int) -> None:
        for run in passage.source.between(start, end):
            first = max(start - run.text_start, 0)
            last = min(end - run.text_start, run.text_length)
            text = passage.text[run.text_start + first : run.text_start + last]
            if run.verbatim:
                self.append(text, run.file_start + first, last - first, verbatim=True)
            else:
                self.append(text, run.file_start, run.file_length, verbatim=False)

    def decode(self, passage: Passage, start: int, edit: Edit) -> None:
        span = passage.file_span(start, edit.end)
        self.append(edit.text, span.start, span.end - span.start, verbatim=False)

    def passage(self, start: int, end: int) -> Passage:
        runs = list(_joined(self._runs)) or [Run(0, start, 0, 0, True)]
        return Passage("".join(self._parts), SourceMap(runs), start, end)


def passage(file: str, start: int, end: int) -> Passage:
    """file[start:end] as it stands."""
    builder = PassageBuilder(file)
    builder.keep(start, end)
    return builder.passage(start, end)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Neighbours as one run: verbatim ones that touch, and parts of one that is not verbatim."""
    last: Run | None = None
    for run in runs:
        if last and last.verbatim and run.verbatim and _touch(last, run):
            length = last.text_length + run.text_length
            last = last._replace(text_length=length, file_length=length)
        elif last and not last.verbatim and not run.verbatim and _same_place(last, run):
            last = last._replace(text_length=last.text_length + run.text_length)
        else:
            if last:
                yield last
            last = run
    if last:
        yield last


def _touch(last: Run, run: Run) -> bool:
    return last.file_start + last.file_length == run.file_start


def _same_place(last: Run, run: Run) -> bool:
    return last.file_start == run.file_start and last.file_length == run.file_length

"""What a model will see of a prompt file: messages, placeholders and what stands around them.

A format turns a file's text into a `Prompt`. All offsets are characters of the file, except where
a name says "text": those are characters of a message's text, which is what the model sees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


class Span(NamedTuple):
    """A range of characters of the file, the end not included."""

    start: int
    end: int


class Placeholder(NamedTuple):
    """A part of the file that is replaced or removed before the prompt is sent."""

    start: int
    end: int
    name: str
    """What it stands for, such as `topic` in `{{topic}}`; empty for tags and comments."""
    kind: str = "variable"
    """`variable`, `tag` (control flow, partials, helpers) or `comment`."""


class Problem(NamedTuple):
    """What a format could not read, and where. The rest of the file still counts."""

    start: int
    end: int
    message: str


class Section(NamedTuple):
    """A part with a title inside a message: a Markdown heading or an XML-like tag."""

    start: int
    end: int
    title: str
    level: int
    """1 for the outermost; deeper ones lie within."""


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

    def _run_at(self, starts: list[int], offset: int) -> Run | None:
        if not self.runs:
            return None
        return self.runs[max(bisect_right(starts, offset) - 1, 0)]


@dataclass(frozen=True)
class Message:
    """One message of a prompt: a role and the text that the model is given."""

    role: str | None
    """`system`, `user`, `assistant`, … in the format's own word; None where it has no roles."""
    start: int
    """Where the message's body begins in the file."""
    end: int
    text: str = field(repr=False)
    """Decoded, with placeholders and tags taken out."""
    source: SourceMap = field(repr=False, compare=False)

    @cached_property
    def is_verbatim(self) -> bool:
        """Whether the text is one unchanged stretch of the file."""
        runs = self.source.runs
        return len(runs) <= 1 and all(run.verbatim for run in runs)

    def file_span(self, text_start: int, text_end: int) -> Span:
        """The range of the file that a range of the text comes from."""
        start = self.source.to_file(text_start)
        return Span(start, max(start, self.source.to_file_end(text_end)))


@dataclass(frozen=True)
class Prompt:
    """A prompt file, understood. Whatever lies in no message is not sent."""

    format: str
    messages: tuple[Message, ...]
    header: Span | None = None
    placeholders: tuple[Placeholder, ...] = ()
    structure: tuple[Span, ...] = ()
    """Markers that the format itself is made of, such as ChatML's: no defects."""
    sections: tuple[Section, ...] = ()
    problems: tuple[Problem, ...] = ()
    inputs: tuple[str, ...] | None = None
    """The inputs that the header declares; None when it declares none."""
    samples: tuple[tuple[str, str], ...] = ()
    """Sample values of inputs, from the header."""
    is_chat: bool = False
    """Whether the messages are sent as a chat, each inside the family's wrapper."""


class MessageBuilder:
    """Collects a message's text from the file, keeping track of where each part comes from."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._parts: list[str] = []
        self._runs: list[Run] = []
        self._length = 0

    def keep(self, start: int, end: int) -> None:
        """Append file[start:end] as it stands."""
        if start < end:
            self._append(self._file[start:end], Span(start, end), verbatim=True)

    def decode(self, start: int, end: int, text: str) -> None:
        """Append `text`, which is what file[start:end] (such as an escape) stands for."""
        self._append(text, Span(start, end), verbatim=False)

    def _append(self, text: str, span: Span, verbatim: bool) -> None:
        self._parts.append(text)
        self._runs.append(Run(self._length, span.start, len(text), span.end - span.start, verbatim))
        self._length += len(text)

    def build(self, role: str | None, start: int, end: int) -> Message:
        """The message, whose body is file[start:end]."""
        runs = list(_joined(self._runs)) or [Run(0, start, 0, 0, True)]
        return Message(role, start, end, "".join(self._parts), SourceMap(runs))


def verbatim_message(file: str, role: str | None, start: int, end: int) -> Message:
    """A message that is an unchanged stretch of the file."""
    builder = MessageBuilder(file)
    builder.keep(start, end)
    return builder.build(role, start, end)


def message_without(
    file: str, role: str | None, start: int, end: int, placeholders: Iterable[Placeholder]
) -> Message:
    """A message that is a stretch of the file with its placeholders taken out.

    `placeholders` are in ascending order; those outside the stretch are ignored.
    """
    builder = MessageBuilder(file)
    at = start
    for placeholder in placeholders:
        if start <= placeholder.start and placeholder.end <= end:
            builder.keep(at, placeholder.start)
            at = max(at, placeholder.end)
    builder.keep(at, end)
    return builder.build(role, start, end)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Neighbouring verbatim runs as one."""
    last: Run | None = None
    for run in runs:
        if last and last.verbatim and run.verbatim and _follows(last, run):
            length = last.text_length + run.text_length
            last = last._replace(text_length=length, file_length=length)
            continue
        if last:
            yield last
        last = run
    if last:
        yield last


def _follows(last: Run, run: Run) -> bool:
    return last.file_start + last.file_length == run.file_start

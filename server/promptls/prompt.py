"""What a model will see of a prompt file: messages, placeholders and what stands around them.

A format turns a file's text into a `Prompt`. All offsets are characters of the file, except where
a name says "text": those are characters of a message's text, which is what the model sees.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .conditions import Condition
from .text import Edit


class Span(NamedTuple):
    """A range of characters of the file, the end not included."""

    start: int
    end: int


VALUES = frozenset({"variable", "local"})
"""The kinds of placeholders in whose place some value is sent."""


class Placeholder(NamedTuple):
    """A part of the file that is replaced or removed before the prompt is sent."""

    start: int
    end: int
    name: str
    """What it stands for, such as `topic` in `{{topic}}`; empty for tags and comments."""
    kind: str = "variable"
    """`variable` (from outside), `local` (a value that the template itself makes, such as a loop's
    item or a helper's result), `partial` (another template), `tag` (control flow, settings) or
    `comment`."""
    uses: tuple[str, ...] = ()
    """The names of all values that it refers to, a condition's and a helper's arguments too."""

    @property
    def is_value(self) -> bool:
        """Whether some value is sent in its place."""
        return self.kind in VALUES


@dataclass(frozen=True)
class Uncounted:
    """What the model is given, too, in a form that isn't documented or from another file."""

    what: str
    """A noun in the singular, such as `tool call` or `image`."""
    count: int


ProblemKind = Literal[
    "syntax", "unclosed", "unopened", "header", "aftermath", "misread", "unsent", "empty"
]
"""What is wrong with a file, for rules to go by: messages are for people.

- `syntax`: against the grammar of the format: JSON, YAML, XML, an expression of a template
- `unclosed`: a tag, block, turn or string that is opened, but never closed
- `unopened`: the end of what was never opened
- `header`: where the header ends isn't clear, so it may be read as prompt
- `aftermath`: what a problem before it may have caused; it isn't reported
- `misread`: readable, but the format's tool makes something else of it than it looks like
- `unsent`: text that looks like prompt, but isn't sent
- `empty`: no message is found in a file that isn't empty
"""

_BREAKING = frozenset[ProblemKind]({"syntax", "unclosed", "unopened", "header", "aftermath"})


class Problem(NamedTuple):
    """What a format could not read, and where. The rest of the file still counts."""

    start: int
    end: int
    message: str
    """What is wrong, as a clause that begins in lower case."""
    kind: ProblemKind

    @property
    def is_breaking(self) -> bool:
        """Whether what stands after it may be read otherwise once it is mended."""
        return self.kind in _BREAKING


class Option(NamedTuple):
    """One of the parts of a file of which at most one is sent."""

    start: int
    end: int
    condition: Condition
    """When it is sent, if no option before it is."""


class Branch(NamedTuple):
    """A place of a template that sends one of several parts of the file, or none of them."""

    options: tuple[Option, ...]
    """In the order of the file. At least one."""

    @property
    def start(self) -> int:
        return self.options[0].start

    @property
    def end(self) -> int:
        return self.options[-1].end


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
    """Decoded, with placeholders and tags taken out; of branches, every option is in it."""
    source: SourceMap = field(repr=False, compare=False)
    branches: tuple[Branch, ...] = ()
    """The branches that some of the text stands in, an outer one before those in it."""
    values: tuple[Span, ...] = ()
    """Where in the file the values stand that were taken out of the text."""
    trims: str = ""
    """The characters that are taken from the edges of what is left of the text when it is sent."""
    needs_text: bool = False
    """Whether no message is sent where there is nothing but whitespace and no value."""
    name: str | None = None
    """The name of who says it, where the format has one."""
    loops: tuple[Span, ...] = ()
    """What in the file is sent once for each item, and counted once: in it, or around it."""
    goes_on: bool = False
    """Whether what is no text, such as an image, follows its text."""

    def file_span(self, text_start: int, text_end: int) -> Span:
        """The range of the file that a range of the text comes from."""
        return self.source.span(text_start, text_end)


class Alternative(NamedTuple):
    """One of several prompts that a file holds, of which one is sent at a time."""

    label: str
    """What tells it from the others, such as `line 3`."""
    start: int
    """Where it begins in the file."""
    end: int
    first: int
    """Its messages are `messages[first:stop]` of the whole file's."""
    stop: int


@dataclass(frozen=True)
class Prompt:
    """A prompt file, understood. Whatever lies in no message is not sent."""

    messages: tuple[Message, ...]
    header: Span | None = None
    placeholders: tuple[Placeholder, ...] = ()
    structure: tuple[Span, ...] = ()
    """Markers that the format itself is made of, such as ChatML's: no defects."""
    problems: tuple[Problem, ...] = ()
    inputs: tuple[str, ...] | None = None
    """The inputs that the header declares; None when it declares none."""
    samples: tuple[tuple[str, str], ...] = ()
    """Sample values of inputs, from the header, as they are written into the text."""
    used: tuple[str, ...] = ()
    """The inputs that the header itself uses, such as for a tool."""
    given: tuple[tuple[str, object], ...] = ()
    """The same values as conditions see them: numbers, truth values, lists and mappings, too."""
    is_chat: bool = False
    """Whether the messages are sent as a chat, each inside the family's wrapper."""
    markers: str | None = None
    """The family in whose own markers the messages are written, such as `ChatML`."""
    has_open_turn: bool = False
    """Whether the last message is written in a model's own markers and is left open for it."""
    is_continued: bool = True
    """Whether the model goes on with an assistant message that comes last."""
    uncounted: tuple[Uncounted, ...] = ()
    """What no count includes though the model is given it, each kind once, partials among it."""
    alternatives: tuple[Alternative, ...] = ()
    """The prompts of a file that holds several; together they have all the messages."""
    models: tuple[str, ...] = ()
    """The models that the file itself names, as it writes them."""
    format: str = ""
    """The name of its format, which the registry says."""

    @property
    def said(self) -> tuple[Message, ...]:
        """The messages without a last turn that is open and empty: there the model answers."""
        last = self.messages[-1] if self.has_open_turn else None
        is_waiting = last is not None and not (last.text.strip() or last.values)
        return self.messages[:-1] if is_waiting else self.messages

    @property
    def value_count(self) -> int:
        """How many places are filled before the prompt is sent; they count nothing."""
        return sum(placeholder.is_value for placeholder in self.placeholders)

    @property
    def loop_count(self) -> int:
        """How many loops there are, whose items are each sent and counted once together."""
        return len({loop for message in self.messages for loop in message.loops})


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

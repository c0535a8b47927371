"""What a model will see of a prompt file: messages, placeholders and what stands around them.

A format turns a file's text into a `Prompt`. All offsets are characters of the file, except where
a name says "text": those are characters of a message's text, which is what the model sees.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .conditions import Condition
from .source_map import SourceMap, Span

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

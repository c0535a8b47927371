"""What the server says beyond standard LSP: the one source of the client's `contract.ts`.

`make generate` writes that file from here: a class becomes an interface, the
text below a field its comment, and `ServerCommands` the table of the commands. Offsets are
characters from 0; a `Position`'s columns are in the negotiated encoding.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypedDict

from ..reading.amounts import Exactness
from ..rows import AmountRow, ChoiceRow, ComparisonRow, CountRow, SpreadRow, SummaryRow


class Problem(TypedDict):
    """What keeps a document from being counted, and where that can be changed."""

    message: str
    """For people: what is wrong and what to do."""
    setting: str
    """The setting to change, such as `encoding`, `model` or `encodings.mine.path`."""
    value: str
    """What it says now."""
    source: str | None
    """The uri of the settings file that says it; null when it is the editor's settings."""
    needs_trust: bool
    """Whether it would work in a workspace that is trusted."""


class Status(SummaryRow):
    """What `promptls/status` says when a version of a document is counted."""

    uri: str
    version: int
    state: Literal["done"]
    exact: bool
    prompts: SpreadRow | None
    """How the prompts of a file that holds several differ; the budget is for each."""
    messages: int
    budget: int | None


class NoCounts(TypedDict):
    """What `promptls/status` says when there are no counts; those of before may not stay."""

    uri: str
    version: int
    state: Literal["counting", "unavailable"]
    """`counting`: it takes a while; `unavailable`: `problem` says why."""
    problem: Problem | None


StatusNotification = Status | NoCounts


class Counts(CountRow):
    """The answer to `promptls.countTokens`."""

    exact: bool
    budget: int | None
    ranges: list[AmountRow]
    """What each selection costs as a text of its own."""


class Comparison(ChoiceRow):
    """The answer to `promptls.compareEncodings`."""

    exactness: Exactness
    """How sure the count of `encoding` is for the document's own model."""
    rows: list[ComparisonRow]


class Position(TypedDict):
    """A position of the protocol."""

    line: int
    character: int
    """In the negotiated encoding: UTF-16 units in VS Code."""


class Range(TypedDict):
    """A range of the protocol."""

    start: Position
    end: Position


class Token(TypedDict):
    """A token and where it comes from."""

    id: int
    text: str | None
    """Null when the token holds only a part of a character."""
    bytes: str
    """In hexadecimal."""
    start: int
    end: int
    special: bool
    range: Range


class Tokens(TypedDict):
    """The answer to `promptls.tokens`."""

    encoding: str
    tokens: list[Token]


class ChosenEncoding(TypedDict):
    """The answer to `promptls.setEncoding`: the encoding that is counted with now."""

    encoding: str


class EncodingRow(TypedDict):
    """An encoding that can be chosen."""

    name: str
    vocabulary_size: int | None
    """Null for a tokenizer of the user's own, which isn't loaded yet."""
    models: list[str]


class Encodings(TypedDict):
    """The answer to `promptls.encodings`."""

    encodings: list[EncodingRow]


class ServerCommands(Protocol):
    """The server's commands: their arguments and their results."""

    def countTokens(self, uri: str, ranges: list[Range] | None = None) -> Counts: ...

    def compareEncodings(self, uri: str, range: Range | None = None) -> Comparison: ...

    def tokens(self, uri: str, range: Range | None = None) -> Tokens: ...

    def setEncoding(self, uri: str | None, name: str | None) -> ChosenEncoding: ...

    def encodings(self) -> Encodings: ...

"""Counts, tokens, comparisons and findings as plain data, in the shapes that programs rely on.

The command line prints them as JSON and the language server returns them from its commands.
Offsets and columns are characters (code points) from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict

from subword import Encoding, SpecialMode, Token

from ..analysis import Analysis
from ..estimates import Filled, Wrapper, chat_wrapper, count_filled
from ..prompt import Message, Prompt, Uncounted
from .located import Located, Place


class MessageRow(TypedDict):
    role: str | None
    tokens: int
    start: int
    end: int


class WrapperRow(TypedDict):
    """What a chat's wrapper adds, about; never part of `tokens`."""

    per_message: int
    per_answer: int
    total: int


class FilledRow(TypedDict):
    """The count with sample values in placeholders."""

    tokens: int
    filled: int
    left: int


class ImportsRow(TypedDict):
    """The files that a CLAUDE.md imports; never part of `tokens`."""

    files: int
    tokens: int
    missing: int


class UncountedRow(TypedDict):
    """What the model is given beside the messages' texts; never part of `tokens`."""

    what: str
    count: int


class CountRow(TypedDict, total=False):
    path: str
    format: str
    encoding: str
    tokens: int
    """What the model is given."""
    raw_tokens: int
    """The file as it stands."""
    characters: int
    bytes: int
    lines: int
    messages: list[MessageRow]
    placeholders: int
    uncounted: list[UncountedRow]
    wrapper: WrapperRow | None
    filled: FilledRow | None
    imports: ImportsRow | None
    line_tokens: list[int]


class TokenRow(TypedDict):
    id: int
    text: str | None
    """None for a token that holds a part of a character only."""
    bytes: str
    """In hexadecimal."""
    start: int
    end: int


class ComparisonRow(TypedDict):
    encoding: str
    tokens: int
    characters_per_token: float
    bytes_per_token: float
    tokens_per_word: float


def count_row(analysis: Analysis, name: str, lines: bool = False, raw: bool = True) -> CountRow:
    """The counts of a file that the user knows as `name`; with `lines`, of each line too."""
    row = CountRow(
        path=name,
        format=analysis.format.name,
        encoding=analysis.encoding.name,
        tokens=analysis.tokens,
    )
    row |= beside_rows(
        chat_wrapper(analysis.prompt, analysis.encoding),
        count_filled(analysis.prompt, analysis.encoding, analysis.settings),
    )
    if raw:
        row["raw_tokens"] = analysis.raw_tokens
    row["characters"] = len(analysis.text)
    row["bytes"] = len(analysis.text.encode("utf-8", "replace"))
    row["lines"] = _line_count(analysis.text)
    row["messages"] = [
        MessageRow(role=message.role, tokens=tokens, start=message.start, end=message.end)
        for message, tokens in zip(analysis.prompt.messages, analysis.message_tokens, strict=True)
    ]
    row["placeholders"] = analysis.prompt.value_count
    row["uncounted"] = uncounted_rows(analysis.prompt.uncounted)
    if lines:
        row["line_tokens"] = analysis.line_tokens
    return row


def uncounted_rows(uncounted: Iterable[Uncounted]) -> list[UncountedRow]:
    """What stands beside a count because nobody can count it."""
    return [UncountedRow(what=each.what, count=each.count) for each in uncounted]


def beside_rows(wrapper: Wrapper | None, filled: Filled | None) -> CountRow:
    """The figures that stand beside a count."""
    row = CountRow(wrapper=None, filled=None)
    if wrapper:
        row["wrapper"] = WrapperRow(
            per_message=wrapper.per_message, per_answer=wrapper.per_answer, total=wrapper.total
        )
    if filled:
        row["filled"] = FilledRow(tokens=filled.tokens, filled=filled.filled, left=filled.left)
    return row


def token_rows(
    prompt: Prompt, encoding: Encoding, special: SpecialMode = "text"
) -> Iterator[TokenRow]:
    """The tokens of a prompt's messages in order, each with its place in the file."""
    for message in prompt.messages:
        for token in encoding.split(message.text, special):
            yield _token_row(message, token)


def comparison_row(
    encoding: Encoding,
    texts: Iterable[str],
    special: SpecialMode = "text",
    tokens: int | None = None,
) -> ComparisonRow:
    """What texts cost in one encoding. A word is what white space separates.

    `tokens` is their count where it is known already. A ratio whose divisor is 0 is 0.
    """
    texts = list(texts)
    if tokens is None:
        tokens = sum(encoding.count(text, special) for text in texts)
    words = sum(len(text.split()) for text in texts)
    return ComparisonRow(
        encoding=encoding.name,
        tokens=tokens,
        characters_per_token=_ratio(sum(map(len, texts)), tokens),
        bytes_per_token=_ratio(sum(len(t.encode("utf-8", "replace")) for t in texts), tokens),
        tokens_per_word=_ratio(tokens, words),
    )


def _line_count(text: str) -> int:
    """As many as `line_starts` has, in a fiftieth of the time."""
    returns = text.count("\r")
    return 1 + text.count("\n") + returns - (text.count("\r\n") if returns else 0)


def _token_row(message: Message, token: Token) -> TokenRow:
    start, end = message.file_span(token.start, token.end)
    return TokenRow(id=token.id, text=token.text, bytes=token.bytes.hex(), start=start, end=end)


def _ratio(amount: int, count: int) -> float:
    return round(amount / count, 4) if count else 0.0


class PlaceRow(TypedDict):
    line: int
    character: int


class RangeRow(TypedDict):
    start: PlaceRow
    end: PlaceRow


class FindingRow(TypedDict):
    rule: str
    severity: str
    message: str
    path: str
    range: RangeRow
    fixable: bool


def finding_row(finding: Located) -> FindingRow:
    """A finding; `fixable` says whether `--fix` mends it."""
    return FindingRow(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        path=finding.path,
        range=RangeRow(start=_place(finding.start), end=_place(finding.end)),
        fixable=finding.is_fixable,
    )


def _place(place: Place) -> PlaceRow:
    return PlaceRow(line=place.line, character=place.character)

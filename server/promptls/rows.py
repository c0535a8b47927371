"""Counts, tokens, comparisons and findings as plain data, in the shapes that programs rely on.

The command line prints them as JSON and the language server returns them from its commands.
Offsets and columns are characters (code points) from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TypedDict

from subword import Encoding, SpecialMode, Token

from .prompt import Message, Prompt, Uncounted
from .reading.amounts import Amount, Exactness
from .reading.estimates import Filled, Wrapper
from .reading.models import Choice, Origin
from .reading.ranges import Range
from .reading.reading import Reading


class BoundsRow(TypedDict, total=False):
    """The least and the most that a number can be; absent where it is no range."""

    low: int
    high: int
    bounded: bool
    """True where more can be combined than is tried: it has no less and no more than these, but
    perhaps never as much."""


class AmountRow(BoundsRow):
    """A number of tokens and how sure it is."""

    tokens: int
    exactness: Exactness


class MessageRow(AmountRow):
    role: str | None
    start: int
    end: int


class PromptRow(AmountRow):
    """One of several prompts that a file holds, of which one is sent at a time."""

    label: str
    file: str | None
    """The file in which it stands, if that is another one: then it is no part of the total."""
    start: int
    """Where it begins, or where its file is named."""
    end: int
    messages: list[MessageRow]


class WrapperRow(TypedDict):
    """What a chat's wrapper adds, about; never part of `tokens`."""

    per_message: int
    per_answer: int
    names: int
    """What the names of those who speak add."""
    total: int


class MarkersRow(TypedDict):
    """A chat that is written in a model's own markers: these are no part of `tokens`."""

    family: str
    tokens: int
    """The whole with its markers, each one token."""


class FilledRow(BoundsRow):
    """The count with sample values in placeholders."""

    tokens: int | None
    """None where the samples make more text than any prompt has."""
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


class ChoiceRow(TypedDict):
    """Which encoding counts, and why."""

    encoding: str
    chosen_by: Origin
    """`command` (an option, or Select Encoding), `settings`, `file` (the file's own model) or
    `default`."""
    models: list[str]
    """The models that decided, if any did: the first one's encoding counts, or it stands in."""


class SpreadRow(TypedDict):
    """How the prompts of a file that holds several differ; a budget is for each of them."""

    count: int
    least: AmountRow
    most: AmountRow


class SummaryRow(ChoiceRow, AmountRow):
    """What is said of every count. `tokens` is what the model is given, the most where that is a
    range; of a file that holds several prompts, the total of all."""

    format: str
    placeholders: int
    uncounted: list[UncountedRow]
    lines: int
    characters: int


class _MoreOfCount(TypedDict, total=False):
    raw_tokens: int
    """Of the file as it stands."""
    loops: int
    """How many loops of a template are counted once, as if there were one item."""
    imports: ImportsRow | None
    line_tokens: list[int]


class CountRow(SummaryRow, _MoreOfCount):
    """The counts of a file."""

    path: str
    bytes: int
    messages: list[MessageRow]
    prompts: list[PromptRow]
    """The prompts of a file that holds several; empty for all other files."""
    wrapper: WrapperRow | None
    markers: MarkersRow | None
    filled: FilledRow | None


class TokenRow(TypedDict):
    id: int
    text: str | None
    """None for a token that holds a part of a character only."""
    bytes: str
    """In hexadecimal."""
    start: int
    end: int


class ComparisonRow(BoundsRow):
    encoding: str
    tokens: int
    """The most where that is a range."""
    characters_per_token: float
    bytes_per_token: float
    tokens_per_word: float


def count_row(reading: Reading, name: str, lines: bool = False, raw: bool = True) -> CountRow:
    """The counts of a file that the user knows as `name`; with `lines`, of each line too."""
    messages = message_rows(reading.prompt, reading.message_amounts)
    row: CountRow = {
        "path": name,
        **summary_row(reading),  # type: ignore[typeddict-item]
        "bytes": reading.utf8_length,
        "messages": messages,
        "prompts": prompt_rows(reading.prompt, reading.alternative_amounts, messages),
        "wrapper": wrapper_row(reading.wrapper),
        "markers": markers_row(reading.prompt, reading.with_markers),
        "filled": filled_row(reading.filled),
    }
    if raw:
        row["raw_tokens"] = reading.raw_tokens
    if reading.prompt.loop_count:
        row["loops"] = reading.prompt.loop_count
    if lines:
        row["line_tokens"] = reading.line_tokens
    return row


def summary_row(reading: Reading) -> SummaryRow:
    """What is said of every count, at no cost that grows with a file that is its own prompt."""
    return {
        "format": reading.format.name,
        **choice_row(reading.choice),
        **amount_row(reading.amount),
        "placeholders": reading.frame.value_count,
        "uncounted": uncounted_rows(reading.frame.uncounted),
        "lines": reading.line_count,
        "characters": len(reading.source),
    }


def amount_row(amount: Amount) -> AmountRow:
    """A number of tokens; `low` and `high` only where it is a range."""
    row = AmountRow(tokens=amount.tokens, exactness=amount.exactness)
    if amount.low is not None and amount.high is not None and amount.is_range:
        row |= {"low": amount.low, "high": amount.high}
    if amount.is_bounds:
        row["bounded"] = True
    return row


def bounds_row(tokens: Range) -> BoundsRow:
    """The ends of a range, nothing where they are the same."""
    if tokens.low == tokens.high:
        return BoundsRow()
    bounds = BoundsRow(low=tokens.low, high=tokens.high)
    return {**bounds, "bounded": True} if tokens.is_bounds else bounds


def amount_of(row: CountRow | AmountRow | FilledRow | ComparisonRow) -> Amount:
    """The number of a row, for people; 0 where it has none."""
    is_bounds = row.get("bounded", False)
    exactness: Exactness = "about" if is_bounds else "exact"
    exactness = row.get("exactness", exactness)  # type: ignore[assignment]
    return Amount(row["tokens"] or 0, exactness, row.get("low"), row.get("high"), is_bounds)


def choice_row(choice: Choice) -> ChoiceRow:
    """Which encoding counts, and why."""
    name = choice.encoding.name
    return ChoiceRow(encoding=name, chosen_by=choice.origin, models=choice.models)


def spread_row(amounts: Sequence[Amount]) -> SpreadRow | None:
    """How the prompts of a file differ; None for a file that is one prompt."""
    if not amounts:
        return None
    least, most = min(amounts, key=attrgetter("least")), max(amounts, key=attrgetter("most"))
    return SpreadRow(count=len(amounts), least=amount_row(least), most=amount_row(most))


def message_rows(prompt: Prompt, amounts: Iterable[Amount]) -> list[MessageRow]:
    """The messages of a prompt with their counts; a turn that waits for the model is none."""
    return [
        {"role": message.role, **amount_row(amount), "start": message.start, "end": message.end}
        for message, amount in zip(prompt.said, amounts, strict=False)
    ]


def prompt_rows(
    prompt: Prompt, amounts: Iterable[Amount], messages: list[MessageRow]
) -> list[PromptRow]:
    """The prompts of a file that holds several, with their counts and their messages."""
    return [
        {
            "label": each.label,
            "file": None,
            **amount_row(amount),
            "start": each.start,
            "end": each.end,
            "messages": messages[each.first : each.stop],
        }
        for each, amount in zip(prompt.alternatives, amounts, strict=True)
    ]


def uncounted_rows(uncounted: Iterable[Uncounted]) -> list[UncountedRow]:
    """What stands beside a count because nobody can count it."""
    return [UncountedRow(what=each.what, count=each.count) for each in uncounted]


def wrapper_row(wrapper: Wrapper | None) -> WrapperRow | None:
    """What a chat's wrapper adds; None where that isn't known."""
    if wrapper is None:
        return None
    return WrapperRow(
        per_message=wrapper.per_message,
        per_answer=wrapper.per_answer,
        names=wrapper.names,
        total=wrapper.total,
    )


def filled_row(filled: Filled | None) -> FilledRow | None:
    """The count with sample values; None where no sample is of use."""
    if filled is None:
        return None
    bounds = bounds_row(filled.tokens) if filled.tokens else BoundsRow()
    tokens = filled.tokens.high if filled.tokens else None
    return FilledRow(tokens=tokens, filled=filled.filled, left=filled.left, **bounds)


def markers_row(prompt: Prompt, tokens: int | None) -> MarkersRow | None:
    """The count with a chat's own markers; None for a prompt that has none."""
    if prompt.markers is None or tokens is None:
        return None
    return MarkersRow(family=prompt.markers, tokens=tokens)


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
    sent: Range | None = None,
) -> ComparisonRow:
    """What texts cost in one encoding. A word is what white space separates.

    `sent` is what is sent of them where that is known already; the ratios are those of the whole
    texts. A ratio whose divisor is 0 is 0.
    """
    texts = list(texts)
    if sent and sent.low == sent.high:
        tokens = sent.high
    else:
        tokens = sum(encoding.count(text, special) for text in texts)
    sent = sent or Range(tokens, tokens)
    words = sum(len(text.split()) for text in texts)
    return ComparisonRow(
        encoding=encoding.name,
        tokens=sent.high,
        characters_per_token=_ratio(sum(map(len, texts)), tokens),
        bytes_per_token=_ratio(sum(len(t.encode("utf-8", "replace")) for t in texts), tokens),
        tokens_per_word=_ratio(tokens, words),
        **bounds_row(sent),
    )


def _token_row(message: Message, token: Token) -> TokenRow:
    start, end = message.file_span(token.start, token.end)
    return TokenRow(id=token.id, text=token.text, bytes=token.bytes.hex(), start=start, end=end)


def _ratio(amount: int, count: int) -> float:
    return round(amount / count, 4) if count else 0.0

"""`textDocument/inlayHint`: how many tokens each line has, at the line's end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from ...reading.amounts import BOUNDS, Amount
from ...reading.reading import Reading
from ...text import Text, units
from ..client import Client
from ..session import Session
from ..snapshot import Snapshot

Labels = Iterable[tuple[int, str]]
"""The lines that get a hint, by number, and what it says."""


async def inlay_hint(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    document = session.document(params.text_document.uri)
    await document.configured.wait()
    first, stop = params.range.start.line, params.range.end.line + 1
    if document.settings.hint_mode == "off":
        return []
    session.show(document)
    is_by_line = document.settings.hint_mode == "line"
    # At once also where a large text isn't counted as a whole yet.
    if is_by_line and (lines := await session.visible_lines(document, first, stop)):
        labels = _line_labels(first, lines.amounts)
        return _hints(document.uri, lines.text, session.client, first, stop, labels)
    return await session.answer(document, lambda snapshot: _in_lines(snapshot, first, stop)) or []


def _in_lines(snapshot: Snapshot, first: int, stop: int) -> list[types.InlayHint]:
    labels = _labels(snapshot, first, min(stop, snapshot.text.line_count))
    return _hints(snapshot.uri, snapshot.text, snapshot.client, first, stop, labels)


def _hints(
    uri: str, text: Text, client: Client, first: int, stop: int, labels: Labels
) -> list[types.InlayHint]:
    lines = {line.number: line.content for line in text.lines(first, stop)}
    return [
        types.InlayHint(
            types.Position(number, units(lines[number], client.position_encoding)),
            label,
            padding_left=True,
            data={"uri": uri, "line": number},
        )
        for number, label in labels
        if number in lines
    ]


async def resolve(session: Session, hint: types.InlayHint) -> types.InlayHint:
    """Say more of a hint, unless it is of a line that the text has lost since, or of none."""
    uri, line = (
        (hint.data.get("uri"), hint.data.get("line")) if isinstance(hint.data, dict) else (None, 0)
    )
    document = session.documents.get(uri) if isinstance(uri, str) else None
    if document and isinstance(line, int):
        hint.tooltip = await session.answer(document, lambda snapshot: _tooltip(snapshot, line))
    return hint


def _labels(snapshot: Snapshot, first: int, stop: int) -> Labels:
    """The labels of some lines. Lines without tokens get none."""
    mode, reading = snapshot.settings.hint_mode, snapshot.reading
    if mode == "off":
        return []
    if mode == "message":
        return _message_labels(reading, snapshot.text)
    amount, by_line = reading.choice.amount, reading.lines(first, stop)
    if mode == "line":
        return _line_labels(first, map(amount, by_line))
    sums = _sums(reading, snapshot.text, first, by_line)
    return [
        (line, f"{amount(count).brief} · {amount(total).brief}")
        for line, (count, total) in enumerate(zip(by_line, sums, strict=True), first)
        if count
    ]


def _line_labels(first: int, amounts: Iterable[Amount]) -> Labels:
    return [(line, amount.brief) for line, amount in enumerate(amounts, first) if amount.tokens]


def _sums(reading: Reading, text: Text, first: int, tokens: Sequence[int]) -> Iterator[int]:
    """The tokens up to the end of each line from `first` on; each prompt of several begins anew."""
    start, stop = text.line_start(first), text.line_start(first + len(tokens))
    begun = [each.start for each in reading.frame.alternatives if each.start < stop]
    beginnings = {text.line_at(each) for each in begun if each >= start}
    before = max((each for each in begun if each < start), default=0)
    total = reading.in_file_range(before, start)
    for line, count in enumerate(tokens, first):
        total = count if line in beginnings else total + count
        yield total


def _message_labels(reading: Reading, text: Text) -> Labels:
    for message, amount in zip(reading.prompt.said, reading.message_amounts, strict=False):
        yield text.line_at(message.start), f"{message.role or 'prompt'}: {amount.brief}"


def _tooltip(snapshot: Snapshot, line: int) -> str | None:
    text, reading = snapshot.text, snapshot.reading
    if not 0 <= line < text.line_count:
        return None
    start, stop = text.line_start(line), text.line_start(line + 1)
    here = reading.in_file_range(start, stop)
    prompts = reading.frame.alternatives
    prompt = next((each for each in prompts if start < each.end and each.start < stop), None)
    so_far = reading.choice.amount(reading.in_file_range(prompt.start if prompt else 0, stop))
    total = reading.amount
    begin = "token begins" if here == 1 else "tokens begin"
    return (
        f"{reading.choice.amount(here)} {begin} on this line, "
        f"{so_far} up to its end{f' in {prompt.label}' if prompt else ''}, "
        f"{total} in all{', loops per item' if reading.frame.loop_count else ''}"
        f"{f', {BOUNDS}' if total.is_bounds else ''} ({reading.choice})"
    )

"""`textDocument/inlayHint`: how many tokens each line has, at the line's end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ...reading.amounts import BOUNDS
from ...reading.reading import Reading
from ...text import Text, units

if TYPE_CHECKING:
    from ..app import Server
    from ..documents import Document
    from ..session import Session


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = session.document(params.text_document.uri)
        await document.configured.wait()
        if document.settings.hint_mode == "off":
            return []
        first, stop = params.range.start.line, params.range.end.line + 1
        labels = await _labels(session, document, first, min(stop, document.text.line_count))
        lines = {line.number: line.content for line in document.text.lines(first, stop)}
        encoding = session.client.position_encoding
        return [
            types.InlayHint(
                types.Position(number, units(lines[number], encoding)),
                label,
                padding_left=True,
                data={"uri": document.uri, "line": number},
            )
            for number, label in labels
            if number in lines
        ]

    @server.feature(types.INLAY_HINT_RESOLVE)
    async def resolve(hint: types.InlayHint) -> types.InlayHint:
        document, line = _place(session, hint.data)
        counts = await session.counts(document) if document else None
        # The text may have lost lines since the hint was made.
        if document and counts and 0 <= line < document.text.line_count:
            hint.tooltip = _tooltip(document, counts, line)
        return hint


def _place(session: Session, data: object) -> tuple[Document | None, int]:
    """The document and the line that a hint is of; no document for what a hint never held."""
    uri, line = (data.get("uri"), data.get("line")) if isinstance(data, dict) else (None, None)
    if isinstance(uri, str) and isinstance(line, int):
        return session.documents.get(uri), line
    return None, 0


async def _labels(
    session: Session, document: Document, first: int, stop: int
) -> list[tuple[int, str]]:
    """The lines that get a hint and what it says. Lines without tokens get none.

    They are those of the document's text when this returns.
    """
    mode = document.settings.hint_mode
    if mode == "line":
        tokens = await session.line_counts(document, first, stop) or []
        return [(first + n, count.brief) for n, count in enumerate(tokens) if count.tokens]
    counts = await session.counts(document)
    if counts is None or mode == "off":
        return []
    if mode == "message":
        return _message_labels(counts, document.text)
    by_line = counts.lines(first, stop)
    sums = _sums(counts, document.text, first, by_line)
    return [
        (first + n, f"{counts.choice.amount(count).brief} · {counts.choice.amount(total).brief}")
        for n, (count, total) in enumerate(zip(by_line, sums, strict=True))
        if count
    ]


def _sums(counts: Reading, text: Text, first: int, tokens: Sequence[int]) -> Iterator[int]:
    """The tokens up to the end of each line from `first` on; each prompt of several begins anew."""
    start, stop = text.line_start(first), text.line_start(first + len(tokens))
    begun = [each.start for each in counts.frame.alternatives if each.start < stop]
    beginnings = {text.line_at(each) for each in begun if each >= start}
    before = max((each for each in begun if each < start), default=0)
    total = counts.in_file_range(before, start)
    for line, count in enumerate(tokens, first):
        total = count if line in beginnings else total + count
        yield total


def _message_labels(counts: Reading, text: Text) -> list[tuple[int, str]]:
    return [
        (
            text.line_at(message.start),
            f"{message.role or 'prompt'}: {amount.brief}",
        )
        for message, amount in zip(counts.prompt.said, counts.message_amounts, strict=False)
    ]


def _tooltip(document: Document, counts: Reading, line: int) -> str:
    start, stop = document.text.line_start(line), document.text.line_start(line + 1)
    here = counts.in_file_range(start, stop)
    prompt = next(
        (each for each in counts.frame.alternatives if start < each.end and each.start < stop), None
    )
    so_far = counts.choice.amount(counts.in_file_range(prompt.start if prompt else 0, stop))
    total, begins = counts.amount, "begins" if here == 1 else "begin"
    return (
        f"{counts.choice.amount(here)} {'token' if here == 1 else 'tokens'} {begins} on this line, "
        f"{so_far} up to its end{f' in {prompt.label}' if prompt else ''}, "
        f"{total} in all{', loops per item' if counts.frame.loop_count else ''}"
        f"{f', {BOUNDS}' if total.is_bounds else ''} ({counts.choice})"
    )

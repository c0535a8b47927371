"""`textDocument/selectionRange`: token, line, section, message, file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ...reading.outline import Part
from ..documents import Document
from ..protocol import DEEPEST

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Outlined


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection_range(params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        document = session.document(params.text_document.uri)
        outlined = await session.outline(document)
        encoding = session.client.position_encoding
        ranges = []
        for position in params.positions:
            offset = document.offset(position, encoding)
            selection: types.SelectionRange | None = None
            whole, *within = _nested(document, outlined, offset)
            for start, end in (whole, *within[-DEEPEST:]):
                selection = types.SelectionRange(document.range(start, end, encoding), selection)
            ranges.append(selection or types.SelectionRange(types.Range(position, position)))
        return ranges


def _nested(
    document: Document, outlined: Outlined | None, offset: int
) -> Iterator[tuple[int, int]]:
    """The ranges around an offset, from the file inwards, each strictly within the one before."""
    text = document.text
    line = text.line_at(offset)
    spans = [(0, len(text)), (text.line_start(line), text.line_end(line))]
    if outlined:
        spans += _around(outlined.parts, offset)
        spans += [(t.start, t.end) for t in outlined.counts.tokens_in(offset, offset + 1)]
    last: tuple[int, int] | None = None
    for span in sorted(set(spans), key=lambda span: (span[0] - span[1], span)):
        if span[0] <= offset <= span[1] and (
            last is None or (last[0] <= span[0] and span[1] <= last[1])
        ):
            last = span
            yield span


def _around(parts: Sequence[Part], offset: int) -> Iterator[tuple[int, int]]:
    """The last part that begins before an offset, and those that it lies in.

    Parts lie within each other or apart, so no others can hold the offset.
    """
    index = bisect_right(parts, offset, key=lambda part: part.start) - 1
    part = parts[index] if index >= 0 else None
    while part:
        yield part.start, part.end
        part = part.parent

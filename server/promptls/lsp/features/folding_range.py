"""`textDocument/foldingRange`: messages, sections and the header fold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from ...reading.outline import Part
from ...reading.reading import Reading
from ...text import Text

if TYPE_CHECKING:
    from ..app import Server


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        document = session.document(params.text_document.uri)
        outlined = await session.outline(document)
        if outlined is None:
            return []
        lines = sorted(set(_line_ranges(*outlined, document.text)))
        return [types.FoldingRange(first, last) for first, last in lines]


def _line_ranges(counts: Reading, parts: list[Part], text: Text) -> Iterator[tuple[int, int]]:
    """The first and the last line of each part that has more than one."""
    spans = [(part.start, part.end) for part in parts]
    if header := counts.prompt.header:
        spans.append((header.start, header.end))
    for start, end in spans:
        first, last = text.line_at(start), text.line_at(max(start, end - 1))
        if first < last:
            yield first, last

"""`textDocument/semanticTokens`: where the tokens fall, for editors that colour by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from ...counts import Counts
from ...text import PositionEncoding, Text, units
from ..documents import Document

if TYPE_CHECKING:
    from ..app import Server

EVEN, ODD, CONTROL = range(3)
LEGEND = types.SemanticTokensLegend(
    ["promptlsTokenEven", "promptlsTokenOdd", "promptlsTokenControl"], []
)


def register(server: Server) -> None:
    session = server.session

    async def tokens(uri: str, range_: types.Range | None) -> types.SemanticTokens:
        document = session.document(uri)
        counts = await session.counts(document)
        if counts is None:
            return types.SemanticTokens([])
        encoding = session.client.position_encoding
        start, end = 0, len(document.text)
        if range_ is not None:
            start = document.offset(range_.start, encoding)
            end = document.offset(range_.end, encoding)
        return types.SemanticTokens(list(_encoded(_spans(document, counts, start, end), encoding)))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def full(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return await tokens(params.text_document.uri, None)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
    async def in_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        return await tokens(params.text_document.uri, params.range)


def _spans(
    document: Document, counts: Counts, start: int, end: int
) -> Iterator[tuple[int, str, str, int]]:
    """Line, the text before on that line, the text and the kind of each token, line by line.

    Tokens that share a character are one; a token over several lines is one for each.
    """
    text = document.text
    number = counts.in_file_range(0, start)
    at = start
    for placed in counts.tokens_in(start, end):
        number += 1
        kind = CONTROL if counts.is_special(placed.token.id) else number % 2
        if placed.start < at or placed.start >= placed.end:
            continue
        at = placed.end
        yield from _by_line(text, placed.start, placed.end, kind)


def _by_line(text: Text, start: int, end: int, kind: int) -> Iterator[tuple[int, str, str, int]]:
    first, last = text.line_at(start), text.line_at(end - 1)
    for line in text.lines(first, last + 1):
        before = line.content[: max(0, start - line.start)]
        part = line.content[max(0, start - line.start) : end - line.start]
        if part:
            yield line.number, before, part, kind


def _encoded(
    spans: Iterator[tuple[int, str, str, int]], encoding: PositionEncoding
) -> Iterator[int]:
    """The five numbers of each token, relative to the one before, as the protocol has them."""
    last_line = last_column = 0
    for line, before, part, kind in spans:
        column = units(before, encoding)
        yield line - last_line
        yield column - last_column if line == last_line else column
        yield units(part, encoding)
        yield kind
        yield 0
        last_line, last_column = line, column

"""`textDocument/semanticTokens`: where the tokens fall, for editors that colour by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ...reading.reading import Reading
from ...text import Position, PositionEncoding, Text
from ..documents import to_span

if TYPE_CHECKING:
    from ..app import Server

EVEN, ODD, CONTROL = range(3)
LEGEND = types.SemanticTokensLegend(
    ["promptlsTokenEven", "promptlsTokenOdd", "promptlsTokenControl"], []
)


def register(server: Server) -> None:
    session = server.session

    async def tokens(uri: str, range_: types.Range | None) -> types.SemanticTokens:
        document, encoding = session.document(uri), session.client.position_encoding

        def derive(counts: Reading, text: Text) -> list[int]:
            start, end = to_span(text, range_, encoding)
            return list(_encoded(list(_spans(counts, text, start, end)), text, encoding))

        return types.SemanticTokens(await session.derived(document, derive) or [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def full(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return await tokens(params.text_document.uri, None)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
    async def in_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        return await tokens(params.text_document.uri, params.range)


def _spans(counts: Reading, text: Text, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The start, the end and the kind of each token, line by line, in characters.

    Of tokens that share a character, the first has it; a token over several lines is one for each.
    """
    lines = text.lines(text.line_at(start), text.line_at(end) + 1)
    tokens = counts.tokens_in(start, end)
    # A token has the same colour in every range, also one that begins before it.
    number = counts.in_file_range(0, tokens[0].start) if tokens else 0
    at, index = start, 0
    for placed in tokens:
        number += 1
        kind = CONTROL if placed.token.id in counts.encoding.special_ids else number % 2
        first_of_token, at = max(placed.start, at), max(placed.end, at)
        while index + 1 < len(lines) and lines[index + 1].start <= first_of_token:
            index += 1
        for line_number in range(index, len(lines)):
            line = lines[line_number]
            if line.start >= placed.end:
                break
            first = max(first_of_token, line.start)
            last = min(placed.end, line.start + len(line.content))
            if first < last:
                yield first, last, kind


def _encoded(
    spans: Sequence[tuple[int, int, int]], text: Text, encoding: PositionEncoding
) -> Iterator[int]:
    """The five numbers of each token, relative to the one before, as the protocol has them."""
    offsets = [offset for start, end, _ in spans for offset in (start, end)]
    positions = iter(text.positions_at(offsets, encoding))
    last = Position(0, 0)
    for start, end, (_, _, kind) in zip(positions, positions, spans, strict=True):
        yield start.line - last.line
        yield start.column - (last.column if start.line == last.line else 0)
        yield end.column - start.column
        yield kind
        yield 0
        last = start

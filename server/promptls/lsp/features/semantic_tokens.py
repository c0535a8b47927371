"""`textDocument/semanticTokens`: where the tokens fall, for editors that colour by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from ...reading.reading import Reading
from ...text import Position, PositionEncoding, Text
from ..snapshot import Snapshot

EVEN, ODD, CONTROL = range(3)
LEGEND = types.SemanticTokensLegend(
    ["promptlsTokenEven", "promptlsTokenOdd", "promptlsTokenControl"], []
)


def full(snapshot: Snapshot, _: types.SemanticTokensParams) -> types.SemanticTokens:
    return _tokens(snapshot, 0, len(snapshot.text))


def in_range(snapshot: Snapshot, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    return _tokens(snapshot, *snapshot.span(params.range))


def _tokens(snapshot: Snapshot, start: int, end: int) -> types.SemanticTokens:
    text, encoding = snapshot.text, snapshot.client.position_encoding
    spans = list(_spans(snapshot.reading, text, start, end))
    return types.SemanticTokens(list(_encoded(spans, text, encoding)))


def _spans(reading: Reading, text: Text, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The start, the end and the kind of each token, line by line, in characters.

    Of tokens that share a character, the first has it; a token over several lines is one for each.
    """
    lines = text.lines(text.line_at(start), text.line_at(end) + 1)
    tokens = reading.tokens_in(start, end)
    # A token has the same colour in every range, also one that begins before it.
    number = reading.in_file_range(0, tokens[0].start) if tokens else 0
    at, index = start, 0
    for placed in tokens:
        number += 1
        kind = CONTROL if placed.token.id in reading.encoding.special_ids else number % 2
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

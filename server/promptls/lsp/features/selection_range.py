"""`textDocument/selectionRange`: token, line, section, message, file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lsprotocol import types

from ...reading.outline import Part
from ..protocol import DEEPEST
from ..snapshot import Snapshot


def selection_range(
    snapshot: Snapshot, params: types.SelectionRangeParams
) -> list[types.SelectionRange]:
    ranges = []
    for position in params.positions:
        selection: types.SelectionRange | None = None
        whole, *within = _nested(snapshot, snapshot.offset(position))
        for start, end in (whole, *within[-DEEPEST:]):
            selection = types.SelectionRange(snapshot.range(start, end), selection)
        ranges.append(selection or types.SelectionRange(types.Range(position, position)))
    return ranges


def _nested(snapshot: Snapshot, offset: int) -> Iterator[tuple[int, int]]:
    """The ranges around an offset, from the file inwards, each strictly within the one before."""
    text = snapshot.text
    line = text.line_at(offset)
    tokens = snapshot.reading.tokens_in(offset, offset + 1)
    spans = [
        (0, len(text)),
        (text.line_start(line), text.line_end(line)),
        *_around(snapshot.outline, offset),
        *((token.start, token.end) for token in tokens),
    ]
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

"""`textDocument/foldingRange`: messages, sections and the header fold."""

from __future__ import annotations

from lsprotocol import types

from ..snapshot import Snapshot


def folding_range(snapshot: Snapshot, _: types.FoldingRangeParams) -> list[types.FoldingRange]:
    text, header = snapshot.text, snapshot.reading.prompt.header
    spans = [(part.start, part.end) for part in snapshot.outline]
    if header:
        spans.append((header.start, header.end))
    lines = {(text.line_at(start), text.line_at(max(start, end - 1))) for start, end in spans}
    return [types.FoldingRange(first, last) for first, last in sorted(lines) if first < last]

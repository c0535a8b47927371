"""`textDocument/documentSymbol`: messages and sections, each with its tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lsprotocol import types

from ...reading.outline import Part
from ...text import Text
from ..protocol import DEEPEST
from ..snapshot import Snapshot


def document_symbol(
    snapshot: Snapshot, _: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    parts, text = snapshot.outline, snapshot.text
    at = snapshot.positions(
        offset for part in parts for offset in (part.start, _title_end(part, text), part.end)
    )
    if not snapshot.client.symbols_are_hierarchical:
        return list(_flat(snapshot.uri, parts, at))
    return _nested(parts, text, at)


def _title_end(part: Part, text: Text) -> int:
    """Where the first line of a part ends, in characters."""
    return max(part.start, min(part.end, text.line_end(text.line_at(part.start))))


def _nested(
    parts: Iterable[Part], text: Text, at: Mapping[int, types.Position]
) -> list[types.DocumentSymbol]:
    """The symbols of parts; what would lie too deep stands beside what it lies in."""
    symbols: list[types.DocumentSymbol] = []
    # Where the symbols in a part go, and how deep that is.
    inside: dict[Part | None, tuple[list[types.DocumentSymbol], int]] = {None: (symbols, 0)}
    for part in parts:
        beside, depth = inside[part.parent]
        children: list[types.DocumentSymbol] = []
        beside.append(_symbol(part, text, at, children))
        inside[part] = (children, depth + 1) if depth < DEEPEST else (beside, depth)
    return symbols


def _symbol(
    part: Part,
    text: Text,
    at: Mapping[int, types.Position],
    children: list[types.DocumentSymbol],
) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        part.name,
        _kind(part),
        types.Range(at[part.start], at[part.end]),
        types.Range(at[part.start], at[_title_end(part, text)]),
        detail=part.amount.counted(),
        children=children,
    )


def _flat(
    uri: str, parts: Iterable[Part], at: Mapping[int, types.Position]
) -> Iterator[types.SymbolInformation]:
    for part in parts:
        location = types.Location(uri, types.Range(at[part.start], at[part.end]))
        name = f"{part.name} ({part.amount.counted()})"
        container = part.parent.name if part.parent else None
        yield types.SymbolInformation(location, name, _kind(part), container_name=container)


def _kind(part: Part) -> types.SymbolKind:
    return types.SymbolKind.String if part.is_section else types.SymbolKind.Namespace

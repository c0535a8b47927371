"""`textDocument/documentSymbol`: messages and sections, each with its tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from ...outline import Part
from ..documents import Document

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Session


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbol(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        document = session.document(params.text_document.uri)
        parts = await session.outline(document) or []
        if session.client.symbols_are_hierarchical:
            return [_symbol(session, document, part, parts) for part in _children(None, parts)]
        return list(_flat(session, document, parts))


def _symbol(
    session: Session, document: Document, part: Part, parts: list[Part]
) -> types.DocumentSymbol:
    encoding = session.client.position_encoding
    text = document.text
    title_end = min(part.end, text.line_end(text.line_at(part.start)))
    return types.DocumentSymbol(
        part.name,
        _kind(part),
        document.range(part.start, part.end, encoding),
        document.range(part.start, max(part.start, title_end), encoding),
        detail=f"{part.tokens} tokens",
        children=[_symbol(session, document, child, parts) for child in _children(part, parts)],
    )


def _children(parent: Part | None, parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if part.parent is parent]


def _flat(
    session: Session, document: Document, parts: Iterable[Part]
) -> Iterator[types.SymbolInformation]:
    encoding = session.client.position_encoding
    for part in parts:
        location = types.Location(document.uri, document.range(part.start, part.end, encoding))
        name = f"{part.name} ({part.tokens} tokens)"
        container = part.parent.name if part.parent else None
        yield types.SymbolInformation(location, name, _kind(part), container_name=container)


def _kind(part: Part) -> types.SymbolKind:
    return types.SymbolKind.Namespace if part.is_message else types.SymbolKind.String

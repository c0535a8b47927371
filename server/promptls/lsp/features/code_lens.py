"""`textDocument/codeLens`: the tokens of each message and section, above its first line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...reading.outline import Part
from ..documents import to_positions

if TYPE_CHECKING:
    from ..app import Server


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = session.document(params.text_document.uri)
        outlined = await session.outline(document)
        parts = outlined.parts if outlined else []
        encoding = session.client.position_encoding
        at = to_positions(document.text, (part.start for part in parts), encoding)
        return [
            types.CodeLens(
                types.Range(at[part.start], at[part.start]), types.Command(_title(part), "")
            )
            for part in parts
        ]


def _title(part: Part) -> str:
    tokens = part.amount.counted()
    return tokens if part.is_section else f"{part.name}: {tokens}"

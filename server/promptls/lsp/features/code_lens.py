"""`textDocument/codeLens`: the tokens of each message and section, above its first line."""

from __future__ import annotations

from lsprotocol import types

from ...reading.outline import Part
from ..snapshot import Snapshot


def code_lens(snapshot: Snapshot, _: types.CodeLensParams) -> list[types.CodeLens]:
    parts = snapshot.outline
    at = snapshot.positions(part.start for part in parts)
    return [
        types.CodeLens(types.Range(at[part.start], at[part.start]), types.Command(_title(part), ""))
        for part in parts
    ]


def _title(part: Part) -> str:
    tokens = part.amount.counted()
    return tokens if part.is_section else f"{part.name}: {tokens}"

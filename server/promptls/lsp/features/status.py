"""`promptls/status`: a document's total after each change, for clients that asked for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from ...reading.reading import Reading
from ...rows import spread_row, summary_row
from .. import rows
from ..configuration import problem_of
from ..documents import Document

if TYPE_CHECKING:
    from ..app import Server

# Keystrokes come faster than anyone reads a total, in seconds.
_PAUSE = 0.05

# A total that takes longer than this is said to be counted, in seconds: the one of before is wrong.
_GRACE = 0.3


def register(server: Server) -> None:
    session = server.session

    def announce(document: Document) -> None:
        if session.client.wants_status and not document.is_settings_file:
            document.tasks.restart("status", _announce(server, document))

    session.on_change.append(announce)


async def _announce(server: Server, document: Document) -> None:
    session = server.session
    if document.may_wait:
        await asyncio.sleep(_PAUSE)
    counting = asyncio.ensure_future(session.counts(document))
    try:
        done, _ = await asyncio.wait([counting], timeout=_GRACE)
        if not done:
            server.protocol.notify("promptls/status", _no_counts(document, "counting"))
        counts = await counting
    finally:
        counting.cancel()
    if not document.is_open:
        return
    if counts:
        server.protocol.notify("promptls/status", _status(document, counts))
    elif document.unavailable:
        server.protocol.notify("promptls/status", _no_counts(document, "unavailable"))


def _no_counts(document: Document, state: Literal["counting", "unavailable"]) -> rows.NoCounts:
    error = document.unavailable if state == "unavailable" else None
    return rows.NoCounts(
        uri=document.uri,
        version=document.version,
        state=state,
        problem=problem_of(document, error) if error else None,
    )


def _status(document: Document, reading: Reading) -> rows.Status:
    return {
        "uri": document.uri,
        "version": document.version,
        "state": "done",
        **summary_row(reading),
        "exact": reading.amount.exactness == "exact",
        "prompts": spread_row(reading.alternative_amounts),
        "messages": len(reading.counts),
        "budget": document.settings.budget_for(document.path),
    }

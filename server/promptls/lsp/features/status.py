"""`promptls/status`: a document's total after each change, for clients that asked for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...counts import Counts
from ...reports.json import amount_row, choice_row, spread_row, uncounted_rows
from .. import rows
from ..documents import Document
from ..scheduling import void

if TYPE_CHECKING:
    from ..app import Server

# Keystrokes come faster than anyone reads a total, in seconds.
_PAUSE = 0.05


def register(server: Server) -> None:
    session = server.session
    tasks: dict[str, asyncio.Task[None]] = {}

    def announce(document: Document) -> None:
        if not session.client.wants_status:
            return
        if task := tasks.pop(document.uri, None):
            task.cancel()
        tasks[document.uri] = session.later(_announce(server, document))

    session.on_change.append(announce)
    session.on_close.append(lambda uri: void(tasks.pop(uri, None)))


async def _announce(server: Server, document: Document) -> None:
    session = server.session
    if document.may_wait:
        await asyncio.sleep(_PAUSE)
    counts = await session.counts(document)
    if counts is None or session.documents.get(document.uri) is not document:
        return
    server.protocol.notify("promptls/status", _status(document, counts))


def _status(document: Document, counts: Counts) -> rows.Status:
    amount = counts.whole
    return {
        "uri": document.uri,
        "version": document.version,
        "state": "done",
        "format": counts.format,
        **choice_row(counts.choice),
        **amount_row(amount),
        "exact": amount.exactness == "exact",
        "prompts": spread_row(counts.by_alternative),
        "placeholders": counts.placeholders,
        "uncounted": uncounted_rows(counts.uncounted),
        "messages": len(counts.by_message),
        "lines": document.text.line_count,
        "characters": len(document.text),
        "budget": document.settings.budget_for(document.path),
    }

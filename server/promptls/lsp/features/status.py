"""`promptls/status`: a document's total after each change, for clients that asked for it."""

from __future__ import annotations

import asyncio
from typing import Literal

from ...rows import spread_row, summary_row
from .. import rows
from ..configuration import problem_of
from ..documents import Document
from ..session import Session
from ..snapshot import Snapshot

# Keystrokes come faster than anyone reads a total, in seconds.
_PAUSE = 0.05

# A total that takes longer than this is said to be counted, in seconds: the one of before is wrong.
_GRACE = 0.3


def announce(session: Session, document: Document) -> None:
    """Say the total of a document that changed."""
    if session.client.wants_status and not document.is_settings_file:
        document.tasks.restart("status", _announce(session, document))


async def _announce(session: Session, document: Document) -> None:
    if document.may_wait:
        await asyncio.sleep(_PAUSE)
    counting = asyncio.ensure_future(session.answer(document, status))
    try:
        done, _ = await asyncio.wait([counting], timeout=_GRACE)
        if not done:
            session.editor.notify("promptls/status", _no_counts(document, "counting"))
        counted = await counting
    finally:
        counting.cancel()
    if counted:
        session.editor.notify("promptls/status", counted)
    elif document.is_open and document.unavailable:
        session.editor.notify("promptls/status", _no_counts(document, "unavailable"))


def _no_counts(document: Document, state: Literal["counting", "unavailable"]) -> rows.NoCounts:
    error = document.unavailable if state == "unavailable" else None
    return rows.NoCounts(
        uri=document.uri,
        version=document.version,
        state=state,
        problem=problem_of(document, error) if error else None,
    )


def status(snapshot: Snapshot) -> rows.Status:
    reading = snapshot.reading
    return {
        "uri": snapshot.uri,
        "version": snapshot.version,
        "state": "done",
        **summary_row(reading),
        "exact": reading.amount.exactness == "exact",
        "prompts": spread_row(reading.alternative_amounts),
        "messages": len(reading.counts),
        "budget": reading.settings.budget_for(reading.path or ""),
    }

"""`textDocument/diagnostic`, and `publishDiagnostics` for clients that don't ask."""

from __future__ import annotations

import asyncio
from typing import NamedTuple
from uuid import uuid4

from lsprotocol import types

from ...findings import Finding
from ..documents import Document
from ..session import Session
from ..snapshot import Snapshot

# Findings follow when the typing pauses, in seconds: nobody reads them between two keystrokes.
_PAUSE = 0.1

RULE_PAGE = "https://github.com/promptls/promptls/blob/main/docs/rules/{}.md"


async def diagnostic(
    session: Session, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    document = session.document(params.text_document.uri)
    items = (await _settled(session, document)).items
    id_, known = document.reported
    if known == items and id_ == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(id_)
    if known != items or not id_:
        # An id that another server gave, before this one was started, must not look alike.
        document.reported = id_, _ = uuid4().hex, items
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=id_)


def push(session: Session, document: Document) -> None:
    """Publish the findings of a document that changed, for clients that don't ask."""
    if _is_pushed(session, document):
        document.tasks.restart("diagnostics", _publish(session, document))


def clear(session: Session, document: Document) -> None:
    """Take back what was published of a document that is closed."""
    if _is_pushed(session, document):
        session.editor.publish(document.uri, [])


def _is_pushed(session: Session, document: Document) -> bool:
    return not session.client.pulls_diagnostics and not document.is_settings_file


async def _publish(session: Session, document: Document) -> None:
    found = await _settled(session, document)
    if document.is_open:
        session.editor.publish(document.uri, found.items, found.version)


class _Found(NamedTuple):
    """The diagnostics of a version of a document."""

    version: int
    items: list[types.Diagnostic]


async def _settled(session: Session, document: Document) -> _Found:
    """The diagnostics of a document, once it hasn't changed for a moment."""
    revision = None
    while document.may_wait and revision is not document.revision:
        revision = document.revision
        await asyncio.sleep(_PAUSE)
    found = await session.answer(
        document, diagnostics, session.pools.checking, session.with_findings
    )
    return found or _Found(document.version, [])


def diagnostics(snapshot: Snapshot) -> _Found:
    """The findings as the protocol has them."""
    findings = snapshot.checked.findings
    return _Found(snapshot.version, [to_diagnostic(each, snapshot) for each in findings])


def to_diagnostic(finding: Finding, snapshot: Snapshot) -> types.Diagnostic:
    """A finding as the protocol has it."""
    return types.Diagnostic(
        snapshot.range(finding.start, finding.end),
        finding.message,
        severity=types.DiagnosticSeverity(finding.severity),
        code=finding.rule,
        code_description=types.CodeDescription(RULE_PAGE.format(finding.rule)),
        source="promptls",
        data={"fixable": bool(finding.fixes)},
    )

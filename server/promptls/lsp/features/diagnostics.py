"""`textDocument/diagnostic`, and `publishDiagnostics` for clients that don't ask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from uuid import uuid4

from lsprotocol import types

from ...findings import Finding
from ...text import PositionEncoding, Text
from ..documents import Document, to_range

if TYPE_CHECKING:
    from ..app import Server

# Findings follow when the typing pauses, in seconds: nobody reads them between two keystrokes.
_PAUSE = 0.1

RULE_PAGE = "https://github.com/promptls/promptls/blob/main/docs/rules/{}.md"


def register(server: Server) -> None:
    session = server.session

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            identifier="promptls", inter_file_dependencies=False, workspace_diagnostics=False
        ),
    )
    async def diagnostic(
        params: types.DocumentDiagnosticParams,
    ) -> types.DocumentDiagnosticReport:
        document = session.document(params.text_document.uri)
        items = await _settled(server, document)
        id_, known = document.reported
        if known == items and id_ == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(id_)
        if known != items or not id_:
            # An id that another server gave, before this one was started, must not look alike.
            document.reported = id_, _ = uuid4().hex, items
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=id_)

    def is_pushed(document: Document) -> bool:
        return not session.client.pulls_diagnostics and not document.is_settings_file

    def push(document: Document) -> None:
        if is_pushed(document):
            document.tasks.restart("diagnostics", _publish(server, document))

    def clear(document: Document) -> None:
        if is_pushed(document):
            server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, [])
            )

    session.on_change.append(push)
    session.on_close.append(clear)


async def _settled(server: Server, document: Document) -> list[types.Diagnostic]:
    """The diagnostics of a document, once it hasn't changed for a moment."""
    session = server.session
    while True:
        changed = document.changed
        if document.may_wait:
            await asyncio.sleep(_PAUSE)
        if changed == document.changed:
            break
    checked = await session.checked(document)
    encoding = session.client.position_encoding
    findings = checked.findings if checked else []
    return [to_diagnostic(finding, document.text, encoding) for finding in findings]


async def _publish(server: Server, document: Document) -> None:
    diagnostics = await _settled(server, document)
    if document.is_open:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, diagnostics, document.version)
        )


def to_diagnostic(finding: Finding, text: Text, encoding: PositionEncoding) -> types.Diagnostic:
    """A finding as the protocol has it."""
    return types.Diagnostic(
        to_range(text, finding.start, finding.end, encoding),
        finding.message,
        severity=types.DiagnosticSeverity(finding.severity),
        code=finding.rule,
        code_description=types.CodeDescription(RULE_PAGE.format(finding.rule)),
        source="promptls",
        data={"fixable": bool(finding.fixes)},
    )

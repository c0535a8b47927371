"""`textDocument/codeAction`: a quick fix for each finding, and all safe fixes at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ...analysis import automatic_fixes, fix_all
from ...findings import Edit, apply_edits
from ..documents import Document, to_range
from .diagnostics import to_diagnostic

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Checked, Session

FIX_ALL = "source.fixAll.promptls"


def register(server: Server) -> None:
    session = server.session

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = session.document(params.text_document.uri)
        if not session.client.has_code_action_literals:
            return []
        checked = await session.checked(document)
        if checked is None:
            return []
        actions: list[types.CodeAction] = []
        if _wanted(types.CodeActionKind.QuickFix.value, params.context):
            actions += _quick_fixes(session, document, checked, params.range)
        if _wanted(FIX_ALL, params.context):
            actions += _fix_all(session, document, checked)
        return actions


def _wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether a kind of action is asked for. Source actions only when they are named."""
    if context.only is None:
        return not kind.startswith("source.")
    asked = [str(getattr(only, "value", only)) for only in context.only]
    return any(not only or kind == only or kind.startswith(f"{only}.") for only in asked)


def _quick_fixes(
    session: Session, document: Document, checked: Checked, wanted: types.Range
) -> Iterator[types.CodeAction]:
    encoding = session.client.position_encoding
    start = document.offset(wanted.start, encoding)
    end = document.offset(wanted.end, encoding)
    for finding in checked.findings:
        if finding.end < start or end < finding.start:
            continue
        diagnostic = to_diagnostic(finding, document.text, encoding)
        for number, fix in enumerate(finding.fixes):
            yield types.CodeAction(
                fix.title,
                types.CodeActionKind.QuickFix,
                [diagnostic],
                is_preferred=number == 0 and fix.automatic,
                edit=workspace_edit(session, document, fix.edits),
            )


def _fix_all(session: Session, document: Document, checked: Checked) -> Iterator[types.CodeAction]:
    edits = [e for fix in automatic_fixes(checked.findings) for e in fix.edits]
    if not edits:
        return
    text = checked.analysis.text
    fixed = fix_all(checked.analysis)
    # Where one round is not enough, what differs is replaced as one stretch.
    if apply_edits(text, edits) != fixed:
        edits = [_difference(text, fixed)]
    yield types.CodeAction(
        "Fix all that promptls can fix safely",
        FIX_ALL,
        edit=workspace_edit(session, document, edits),
    )


def _difference(text: str, fixed: str) -> Edit:
    """The one edit that makes `fixed` of `text`, as short as can be."""
    shorter = min(len(text), len(fixed))
    start = next((n for n in range(shorter) if text[n] != fixed[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if text[-1 - n] != fixed[-1 - n]), rest)
    return Edit(start, len(text) - end, fixed[start : len(fixed) - end])


def workspace_edit(
    session: Session, document: Document, edits: Sequence[Edit]
) -> types.WorkspaceEdit:
    """Edits of one document, bound to its version where the client can do that."""
    encoding = session.client.position_encoding
    changes: list[types.TextEdit] = []
    at = 0
    for edit in sorted(edits):
        if edit.start >= at:
            range_ = to_range(document.text, edit.start, edit.end, encoding)
            changes.append(types.TextEdit(range_, edit.new_text))
            at = edit.end
    if not session.client.edits_are_versioned:
        return types.WorkspaceEdit(changes={document.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])

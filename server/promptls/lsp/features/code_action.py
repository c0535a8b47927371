"""`textDocument/codeAction`: a quick fix for each finding, and all safe fixes at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from lsprotocol import types

from ...findings import Finding, Fix, apply_edits
from ...reading.reader import difference
from ...rules.checking import Checked
from ...rules.fixing import automatic_fixes, fix_all, with_fixes
from ...text import Edit, Text
from ..documents import Document
from ..session import Session
from ..setting_edit import setting_edit
from ..snapshot import Snapshot
from .diagnostics import to_diagnostic

FIX_ALL = "source.fixAll.promptls"

_MOST_TRIED = 100


async def code_action(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    document = session.document(params.text_document.uri)

    async def actions(snapshot: Snapshot) -> list[types.CodeAction]:
        offer = await session.pools.checking.run(lambda: _offer(snapshot, params))
        quick = [await _quick_fix(session, document, snapshot, *each) for each in offer.quick]
        return [action for action in (*quick, *_fix_all(snapshot, offer)) if action.edit]

    if not session.client.has_code_action_literals:
        return []
    return await session.derive(document, actions, session.with_findings) or []


class _Offer(NamedTuple):
    """What can be done about some lines, and about the whole file."""

    quick: list[tuple[Finding, Fix]]
    every: list[Edit]


def _offer(snapshot: Snapshot, params: types.CodeActionParams) -> _Offer:
    quick: list[tuple[Finding, Fix]] = []
    if _wanted(types.CodeActionKind.QuickFix.value, params.context):
        quick = list(_offered(snapshot.checked, *snapshot.span(params.range)))
    is_wanted = _wanted(FIX_ALL, params.context)
    return _Offer(quick, _every_fix(snapshot.checked) if is_wanted else [])


def _wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether a kind of action is asked for. Source actions only when they are named."""
    if context.only is None:
        return not kind.startswith("source.")
    asked = [str(getattr(only, "value", only)) for only in context.only]
    return any(not only or kind == only or kind.startswith(f"{only}.") for only in asked)


def _offered(checked: Checked, start: int, end: int) -> Iterator[tuple[Finding, Fix]]:
    """The fixes of the findings that touch file[start:end], without those that would do harm."""
    near = (each for each in checked.findings if each.start <= end and start <= each.end)
    fixes = ((finding, fix) for finding in near for fix in finding.fixes)
    # Each is tried, which reads the whole file; of a longer menu nobody reads the rest.
    for finding, fix in islice(fixes, _MOST_TRIED):
        if not fix.edits or with_fixes(checked.reading, [fix]):
            yield finding, fix


def _every_fix(checked: Checked) -> list[Edit]:
    """The edits of fix-all: one for each fix, or a single one where fixes lead to others."""
    edits = [edit for fix in automatic_fixes(checked.findings) for edit in fix.edits]
    text, fixed = checked.reading.text, fix_all(checked)
    if text == fixed:
        return []
    return edits if apply_edits(text, edits) == fixed else [Edit(*difference(text, fixed))]


def _fix_all(snapshot: Snapshot, offer: _Offer) -> Iterator[types.CodeAction]:
    if offer.every:
        title, edit = "Fix all that promptls can fix safely", _edit(snapshot, offer.every)
        yield types.CodeAction(title, FIX_ALL, edit=edit)


async def _quick_fix(
    session: Session, document: Document, snapshot: Snapshot, finding: Finding, fix: Fix
) -> types.CodeAction:
    edit = (
        await setting_edit(session, document, fix.setting)
        if fix.setting
        else _edit(snapshot, fix.edits)
    )
    return types.CodeAction(
        fix.title,
        types.CodeActionKind.QuickFix,
        [to_diagnostic(finding, snapshot)],
        is_preferred=fix is finding.preferred_fix,
        edit=edit,
    )


def _edit(snapshot: Snapshot, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of one document, bound to its version where the client can do that."""
    changes: list[types.TextEdit] = []
    at = 0
    for edit in (_around_line_ends(each, snapshot.text) for each in sorted(edits)):
        if edit.start >= at:
            changes.append(types.TextEdit(snapshot.range(edit.start, edit.end), edit.text))
            at = edit.end
    if not snapshot.client.edits_are_versioned:
        return types.WorkspaceEdit(changes={snapshot.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])


def _around_line_ends(edit: Edit, text: Text) -> Edit:
    """The same edit with no end between CR and LF, where LSP has no position."""
    start, end, new = edit
    if start and text.slice(start - 1, start + 1) == "\r\n":
        start, new = start - 1, "\r" + new
    if end and text.slice(end - 1, end + 1) == "\r\n":
        end, new = end + 1, new + "\n"
    return Edit(start, end, new)

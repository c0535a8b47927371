"""`textDocument/codeAction`: a quick fix for each finding, and all safe fixes at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from ...findings import Finding, Fix, apply_edits
from ...reading.reader import difference
from ...rules.checking import Checked
from ...rules.fixing import automatic_fixes, fix_all, with_fixes
from ...text import Edit, Text
from ..documents import Document, to_range
from ..setting_edit import setting_edit
from .diagnostics import to_diagnostic

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Session

FIX_ALL = "source.fixAll.promptls"

_MOST_TRIED = 100


def register(server: Server) -> None:
    session = server.session

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = session.document(params.text_document.uri)
        checked = await session.checked(document)
        if checked is None or not session.client.has_code_action_literals:
            return []
        changed, encoding = document.changed, session.client.position_encoding
        start = document.offset(params.range.start, encoding)
        end = document.offset(params.range.end, encoding)
        quick: list[tuple[Finding, Fix]] = []
        if _wanted(types.CodeActionKind.QuickFix.value, params.context):
            quick = await session.checking.run(lambda: list(_offered(checked, start, end)))
        every: list[Edit] = []
        if _wanted(FIX_ALL, params.context):
            every = await session.checking.run(lambda: _every_fix(checked))
        # Of a text that changed meanwhile nothing is offered; the editor asks again.
        if changed != document.changed:
            return []
        actions = [await _quick_fix(session, document, *each) for each in quick]
        if changed != document.changed:
            return []
        if every:
            title, edit = "Fix all that promptls can fix safely", _edit(session, document, every)
            actions.append(types.CodeAction(title, FIX_ALL, edit=edit))
        return [action for action in actions if action.edit]


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


async def _quick_fix(
    session: Session, document: Document, finding: Finding, fix: Fix
) -> types.CodeAction:
    diagnostic = to_diagnostic(finding, document.text, session.client.position_encoding)
    edit = (
        await setting_edit(session, document, fix.setting)
        if fix.setting
        else _edit(session, document, fix.edits)
    )
    return types.CodeAction(
        fix.title,
        types.CodeActionKind.QuickFix,
        [diagnostic],
        is_preferred=fix is finding.preferred_fix,
        edit=edit,
    )


def _edit(session: Session, document: Document, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of one document, bound to its version where the client can do that."""
    encoding = session.client.position_encoding
    changes: list[types.TextEdit] = []
    at = 0
    for edit in (_around_line_ends(each, document.text) for each in sorted(edits)):
        if edit.start >= at:
            range_ = to_range(document.text, edit.start, edit.end, encoding)
            changes.append(types.TextEdit(range_, edit.text))
            at = edit.end
    if not session.client.edits_are_versioned:
        return types.WorkspaceEdit(changes={document.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])


def _around_line_ends(edit: Edit, text: Text) -> Edit:
    """The same edit with no end between CR and LF, where LSP has no position."""
    start, end, new = edit
    if start and text.slice(start - 1, start + 1) == "\r\n":
        start, new = start - 1, "\r" + new
    if end and text.slice(end - 1, end + 1) == "\r\n":
        end, new = end + 1, new + "\n"
    return Edit(start, end, new)

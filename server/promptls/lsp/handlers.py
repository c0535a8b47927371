"""Who answers which method, on which thread, and who listens to what happens to documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

from lsprotocol import types

from .features import code_action as actions
from .features import (
    code_lens,
    commands,
    configuration,
    diagnostics,
    document_symbol,
    folding_range,
    hover,
    inlay_hint,
    selection_range,
    semantic_tokens,
    settings_files,
    status,
    synchronization,
)
from .session import Listeners, Session

Schedule = Literal["session", "loop", "checking", "comparing"]
"""`session`: the function gets the session and the params, on the loop; it may await. All others
get a snapshot and the params, on the loop or in the pool of that name."""


class Handler(NamedTuple):
    """A method of the protocol, or a command, and the function that answers it."""

    method: str
    function: Callable[[Any, Any], Any]
    schedule: Schedule = "session"
    options: Any = None
    """What the server says of it among its capabilities."""
    empty: Any = None
    """The answer for a document that can't be counted."""


HANDLERS = (
    Handler(types.INITIALIZE, synchronization.initialize),
    Handler(types.INITIALIZED, configuration.initialized),
    Handler(types.TEXT_DOCUMENT_DID_OPEN, synchronization.did_open),
    Handler(types.TEXT_DOCUMENT_DID_CHANGE, synchronization.did_change),
    Handler(types.TEXT_DOCUMENT_DID_CLOSE, synchronization.did_close),
    Handler(types.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration.did_change_configuration),
    Handler(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, configuration.did_change_watched_files),
    Handler(
        types.TEXT_DOCUMENT_INLAY_HINT,
        inlay_hint.inlay_hint,
        options=types.InlayHintOptions(resolve_provider=True),
    ),
    Handler(types.INLAY_HINT_RESOLVE, inlay_hint.resolve),
    Handler(types.TEXT_DOCUMENT_HOVER, hover.hover, "loop"),
    Handler(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        diagnostics.diagnostic,
        options=types.DiagnosticOptions(
            identifier="promptls", inter_file_dependencies=False, workspace_diagnostics=False
        ),
    ),
    Handler(
        types.TEXT_DOCUMENT_CODE_ACTION,
        actions.code_action,
        options=types.CodeActionOptions([types.CodeActionKind.QuickFix, actions.FIX_ALL]),
    ),
    Handler(
        types.TEXT_DOCUMENT_CODE_LENS,
        code_lens.code_lens,
        "checking",
        types.CodeLensOptions(resolve_provider=False),
        empty=[],
    ),
    Handler(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, document_symbol.document_symbol, "checking", empty=[]
    ),
    Handler(types.TEXT_DOCUMENT_FOLDING_RANGE, folding_range.folding_range, "checking", empty=[]),
    Handler(types.TEXT_DOCUMENT_SELECTION_RANGE, selection_range.selection_range, "checking"),
    Handler(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        semantic_tokens.full,
        "comparing",
        semantic_tokens.LEGEND,
        empty=types.SemanticTokens([]),
    ),
    Handler(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        semantic_tokens.in_range,
        "comparing",
        semantic_tokens.LEGEND,
        empty=types.SemanticTokens([]),
    ),
)

COMMANDS = (
    Handler("promptls.countTokens", commands.count_tokens, "comparing"),
    Handler("promptls.compareEncodings", commands.compare_encodings),
    Handler("promptls.tokens", commands.tokens, "comparing"),
    Handler("promptls.setEncoding", commands.set_encoding),
    Handler("promptls.encodings", commands.encodings),
)
"""Their params are the arguments, of which the first is a document's uri."""

LISTENERS = Listeners(
    changed=(diagnostics.push, status.announce, settings_files.follow_typing),
    closed=(diagnostics.clear, settings_files.renew),
    settled=(settings_files.renew,),
)


def bound(handler: Handler, session: Session) -> Callable[[Any], Any]:
    """The function of a handler for a connection, which is given the params alone."""
    if handler.schedule == "session":
        return partial(handler.function, session)
    return partial(_answer, handler, session)


async def _answer(handler: Handler, session: Session, params: Any) -> Any:
    is_command = isinstance(params, tuple)
    uri = commands.document_uri(params) if is_command else params.text_document.uri
    pool = None if handler.schedule == "loop" else getattr(session.pools, handler.schedule)
    document = session.document(uri)
    result = await session.answer(document, lambda each: handler.function(each, params), pool)
    if result is None and is_command:
        commands.no_counts(session, uri)
    return handler.empty if result is None else result

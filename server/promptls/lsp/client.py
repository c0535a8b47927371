"""What the client on the other side can do, resolved once when it introduces itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder, get_capability

from ..text import PositionEncoding


@dataclass(frozen=True)
class Client:
    """A client's abilities and wishes."""

    position_encoding: PositionEncoding = "utf-16"
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    refreshes_semantic_tokens: bool = False
    has_configuration: bool = False
    registers_configuration: bool = False
    registers_file_watchers: bool = False
    registers_synchronization: bool = False
    shows_progress: bool = False
    hover_is_markdown: bool = False
    symbols_are_hierarchical: bool = False
    edits_are_versioned: bool = False
    creates_files: bool = False
    """Whether an edit of the workspace may create a file."""
    has_code_action_literals: bool = False
    wants_status: bool = False
    """Whether it asked for `promptls/status` notifications."""
    is_trusted: bool = True
    """Whether settings files of the workspace may name files to load."""

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """The record of the client that sent these parameters."""

        def has(path: str) -> bool:
            return bool(get_capability(params.capabilities, path))

        options = params.initialization_options
        options = options if isinstance(options, Mapping) else {}
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        formats = get_capability(params.capabilities, "text_document.hover.content_format") or ()
        operations = (
            get_capability(params.capabilities, "workspace.workspace_edit.resource_operations")
            or ()
        )
        return cls(
            position_encoding=cast(PositionEncoding, str(getattr(encoding, "value", encoding))),
            pulls_diagnostics=params.capabilities.text_document is not None
            and params.capabilities.text_document.diagnostic is not None,
            refreshes_diagnostics=has("workspace.diagnostics.refresh_support"),
            refreshes_hints=has("workspace.inlay_hint.refresh_support"),
            refreshes_lenses=has("workspace.code_lens.refresh_support"),
            refreshes_semantic_tokens=has("workspace.semantic_tokens.refresh_support"),
            has_configuration=has("workspace.configuration"),
            registers_configuration=has("workspace.did_change_configuration.dynamic_registration"),
            registers_file_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
            registers_synchronization=has("text_document.synchronization.dynamic_registration"),
            shows_progress=has("window.work_done_progress"),
            hover_is_markdown=types.MarkupKind.Markdown in formats,
            symbols_are_hierarchical=has(
                "text_document.document_symbol.hierarchical_document_symbol_support"
            ),
            edits_are_versioned=has("workspace.workspace_edit.document_changes"),
            creates_files=types.ResourceOperationKind.Create in operations,
            has_code_action_literals=has("text_document.code_action.code_action_literal_support"),
            wants_status=options.get("statusNotifications") is True,
            is_trusted=options.get("trusted") is not False,
        )

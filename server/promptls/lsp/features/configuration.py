"""Settings that change while the server runs: the editor's, and settings files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol import types

from ...settings_files.files import NAMES
from ..client import Client
from ..session import Session


def initialized(session: Session, _: types.InitializedParams) -> None:
    if registrations := list(_registrations(session.client)):
        session.editor.register(registrations)
    session.tasks.start(session.configuration.follow_files())


def did_change_configuration(session: Session, params: types.DidChangeConfigurationParams) -> None:
    if session.client.has_configuration:
        session.configuration.renew(asks=True)
        return
    settings = params.settings
    if isinstance(settings, Mapping) and isinstance(settings.get("promptls"), Mapping):
        settings = settings["promptls"]
    session.configuration.set_editor_settings(settings if isinstance(settings, Mapping) else {})


def did_change_watched_files(session: Session, _: types.DidChangeWatchedFilesParams) -> None:
    session.configuration.renew(asks=False)


def _registrations(client: Client) -> list[types.Registration]:
    """What the server asks to be told of, where the client lets it ask."""
    registrations = []
    if client.registers_configuration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        registrations.append(types.Registration(method, method, {"section": "promptls"}))
    if client.registers_file_watchers:
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        watchers = [types.FileSystemWatcher(f"**/{name}") for name in NAMES]
        watching = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registrations.append(types.Registration(method, method, watching))
    if client.registers_synchronization:
        registrations += _synchronization()
    return registrations


def _synchronization() -> Iterator[types.Registration]:
    """What tells of settings files that are open: edits of them are made in the text on the screen.

    A client's own selector has prompts alone.
    """
    selector = [types.TextDocumentFilterPattern(f"**/{name}", scheme="file") for name in NAMES]
    kind = types.TextDocumentSyncKind.Incremental
    for method, options in (
        (types.TEXT_DOCUMENT_DID_OPEN, types.TextDocumentRegistrationOptions(selector)),
        (
            types.TEXT_DOCUMENT_DID_CHANGE,
            types.TextDocumentChangeRegistrationOptions(kind, selector),
        ),
        (types.TEXT_DOCUMENT_DID_CLOSE, types.TextDocumentRegistrationOptions(selector)),
    ):
        yield types.Registration(method, method, options)

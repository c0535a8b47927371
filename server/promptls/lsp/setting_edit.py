"""A change of the settings as an edit of their file, made in the text that the editor has."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.uris import from_fs_path

from ..findings import SettingChange
from ..settings_files.edits import insertion, new_file
from ..settings_files.files import NAMES, find
from ..sources.files import real
from ..text import Edit, Text
from .documents import Document
from .session import Session
from .snapshot import to_range


async def setting_edit(
    session: Session, document: Document, change: SettingChange
) -> types.WorkspaceEdit | None:
    """An edit of the settings file that applies to a document, or of a new one.

    None where it can't be told what the editor shows of that file, or the client can't do it.
    """
    if document.folder is None or not session.client.edits_are_versioned:
        return None
    buffers = [each for each in session.documents.values() if each.is_settings_file]
    texts = {Path(each.path): each.text for each in buffers}
    job = partial(_insertion, document.folder, texts, change)
    found = await session.pools.settings.run(job)
    if found is None:
        return _creation(session, document, change)
    buffer = next((each for each in buffers if Path(each.path) == found.path), None)
    if buffer and not (buffer.is_open and buffer.text is found.text):
        return None
    if found.place is None or not (buffer or session.client.registers_synchronization):
        # Where it can't be told whether the file is open, it may be another than on disk.
        return None
    uri, version = (buffer.uri, buffer.version) if buffer else (_uri(found.path), None)
    edit = _insert(session, uri, version, found.text, found.place)
    return types.WorkspaceEdit(document_changes=[edit])


class _Place(NamedTuple):
    """Where a settings file is changed; `place` is None where it can't be."""

    path: Path
    text: Text
    place: Edit | None


def _insertion(folder: Path, buffers: dict[Path, Text], change: SettingChange) -> _Place | None:
    """The place in the settings file for a folder, in its buffer if it has one. Reads files."""
    file = find(folder)
    if file is None:
        return None
    # A buffer can be that of a link to the file.
    path = next((each for each in buffers if real(each) == file.path), file.path)
    text = buffers.get(path) or Text(file.text)
    place = insertion(file.path, str(text), change.name, change.value)
    return _Place(path, text, None if file.bad and path not in buffers else place)


def _creation(
    session: Session, document: Document, change: SettingChange
) -> types.WorkspaceEdit | None:
    folder = document.folder
    if folder is None or not session.client.creates_files:
        return None
    around = [each for each in session.folders if folder.is_relative_to(each)]
    path = max(around, key=lambda each: len(each.parts), default=folder) / NAMES[0]
    if any(Path(each.path) == path for each in session.documents.values()):
        return None
    uri, text = _uri(path), Edit(0, 0, new_file(change.name, change.value))
    # If there is such a file by then, the client makes none of the changes.
    creation = types.CreateFile(uri)
    return types.WorkspaceEdit(
        document_changes=[creation, _insert(session, uri, None, Text(""), text)]
    )


def _insert(
    session: Session, uri: str, version: int | None, text: Text, place: Edit
) -> types.TextDocumentEdit:
    at = to_range(text, place.start, place.start, session.client.position_encoding)
    edit = types.TextEdit(at, place.text)
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.TextDocumentEdit(identifier, [edit])


def _uri(path: Path) -> str:
    return from_fs_path(str(path)) or ""

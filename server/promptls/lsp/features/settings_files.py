"""What is wrong in settings files, on their own lines, whether they are open or not.

It is pushed to every client: one that pulls asks for prompts alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from ...reading.encodings import EncodingUnavailable
from ...settings import Settings
from ...settings.tables import BadSetting
from ...settings_files.files import SettingsFile, parsed, placed, settings_of
from ...text import PositionEncoding, units
from ..documents import Document
from ..found import FoundSettings
from ..session import Session

# They follow when the typing, or a change of many documents' settings, pauses, in seconds.
_PAUSE = 0.1

SETTINGS_PAGE = "https://github.com/promptls/promptls/blob/main/docs/settings.md"


def follow_typing(session: Session, document: Document) -> None:
    """Look anew at settings files when one of them was edited."""
    if document.is_settings_file:
        renew(session)


def renew(session: Session, _: Document | None = None) -> None:
    """Look anew at settings files when a document was closed or its settings were found."""
    session.tasks.restart("settings files", _publish(session))


async def _publish(session: Session) -> None:
    """Say what is wrong now, of each file of which that is something else than before."""
    await asyncio.sleep(_PAUSE)
    documents = list(session.documents.values())
    buffers = {Path(each.path): each for each in documents if each.is_settings_file}
    files = {each.found.file.path: each.found.file for each in documents if each.found.file}
    now: dict[str, list[types.Diagnostic]] = {}
    for path in {**files, **buffers}:
        errors = [
            each.unavailable
            for each in documents
            if each.unavailable and each.found.file and each.found.file.path == path
        ]
        buffer = buffers.get(path)
        text = str(buffer.text) if buffer else None
        job = partial(_faults, path, files.get(path), text, errors)
        found = await session.pools.settings.run(job)
        uri = buffer.uri if buffer else from_fs_path(str(path)) or ""
        now[uri] = [_to_diagnostic(each, session.client.position_encoding) for each in found]
    shown = session.shown_faults
    for uri in {**shown, **now}:
        if shown.get(uri, []) != now.get(uri, []):
            session.editor.publish(uri, now.get(uri, []))
    session.shown_faults = now


def _faults(
    path: Path, file: SettingsFile | None, text: str | None, errors: list[EncodingUnavailable]
) -> list[BadSetting]:
    """What is wrong in a settings file: in the text that the editor has or in the one on disk."""
    if text is not None:
        file = parsed(path, text)
    if file is None:
        return []
    _, bad = settings_of(file, Settings())
    known = {each.name for each in bad}
    return [*bad, *placed(list(_unloadable(file, errors, known)), file)]


def _unloadable(
    file: SettingsFile, errors: list[EncodingUnavailable], known: set[str]
) -> Iterator[BadSetting]:
    """What turned out only when an encoding was loaded, such as a tokenizer that isn't there."""
    for setting, message in dict.fromkeys((each.setting, str(each)) for each in errors):
        if setting not in known and FoundSettings(file=file).sets(setting):
            yield BadSetting(str(file.path), setting, message)


def _to_diagnostic(fault: BadSetting, encoding: PositionEncoding) -> types.Diagnostic:
    start = end = types.Position(0, 0)
    if place := fault.place:
        start, end = (
            types.Position(place.line, units(place.text[:column], encoding))
            for column in (place.start, place.end)
        )
    return types.Diagnostic(
        types.Range(start, end),
        ": ".join(filter(None, (fault.name, fault.message))),
        severity=types.DiagnosticSeverity.Warning,
        code="settings",
        code_description=types.CodeDescription(SETTINGS_PAGE),
        source="promptls",
    )

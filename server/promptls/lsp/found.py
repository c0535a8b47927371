"""The settings that apply to a document, found on any thread: in the editor's and in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..reading.encodings import encoding_file
from ..settings import Settings
from ..settings.tables import BadSetting
from ..settings_files.files import SettingsFile, checked_settings, find, settings_of, stamp

Stamp = tuple[tuple[str, int], ...]


class FoundSettings(NamedTuple):
    """What was found of a document's settings."""

    settings: Settings = Settings()
    bad: tuple[BadSetting, ...] = ()
    file: SettingsFile | None = None
    """The settings file that applies."""
    stamp: Stamp = ()
    """The settings files that could apply, and when each was changed last."""
    tokenizers: Stamp = ()
    """The same of the user's own tokenizers; one that isn't there yet is absent."""

    def sets(self, setting: str) -> bool:
        """Whether the settings file has a setting such as `model` or `encodings.mine.path`."""
        head = setting.partition(".")[0]
        table = self.file.table if self.file else {}
        return any(str(key).partition(".")[0] == head for key in table)


def find_settings(
    editor: Mapping[str, object], folder: Path | None, is_trusted: bool
) -> FoundSettings:
    """The settings of the files in a folder, over those of the editor.

    Without trust nothing that they name is looked at: on a network drive that alone says who asks.
    """
    settings, bad = checked_settings(editor, "the editor", Settings())
    if folder is None:
        return FoundSettings(settings, tuple(bad), tokenizers=_tokenizers(settings, is_trusted))
    # The stamp comes first: what is written afterwards makes another one.
    before = stamp(folder)
    file = find(folder)
    if file:
        settings, bad_in_file = settings_of(file, settings)
        bad += bad_in_file
    return FoundSettings(settings, tuple(bad), file, before, _tokenizers(settings, is_trusted))


def outdated(
    seen: Iterable[tuple[Path | None, FoundSettings]], is_trusted: bool
) -> list[tuple[Path | None, FoundSettings]]:
    """Those of which some file was written, made or removed since it was found."""
    stamps: dict[Path, Stamp] = {}
    old = []
    for folder, found in seen:
        if folder and folder not in stamps:
            stamps[folder] = stamp(folder)
        now = stamps[folder] if folder else ()
        if (now, _tokenizers(found.settings, is_trusted)) != (found.stamp, found.tokenizers):
            old.append((folder, found))
    return old


def _tokenizers(settings: Settings, is_trusted: bool) -> Stamp:
    times = []
    for encoding in settings.encodings.values() if is_trusted else ():
        try:
            path = encoding_file(encoding)
            times.append((str(path), path.stat().st_mtime_ns))
        except (OSError, ValueError, RuntimeError):
            continue
    return tuple(times)

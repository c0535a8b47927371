"""Settings files: promptls.toml, or [tool.promptls] in pyproject.toml, in the nearest folder."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from subword.lines import LINE_END

from .settings import BadSetting, CustomEncoding, Settings, read_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = ("promptls.toml", "pyproject.toml")


class SettingsFile(NamedTuple):
    """A settings file that was found, and the table that it holds."""

    path: Path
    table: Mapping[str, object]
    bad: tuple[BadSetting, ...] = ()
    """What keeps the file from being read; then the table is empty."""


def settings_in(
    folder: Path, base: Settings | None = None
) -> tuple[Settings, tuple[BadSetting, ...]]:
    """The settings for the files in a folder: those of the nearest settings file, over `base`.

    `base` has the settings that are weaker, those of the editor; by default, the defaults.
    """
    base = base or Settings()
    file = find(folder)
    if file is None:
        return base, ()
    settings, bad = checked_settings(file.table, str(file.path), base)
    if settings.encodings is not base.encodings:
        settings = replace(settings, encodings=_based(settings, file.path.parent))
    return settings, (*file.bad, *bad)


def checked_settings(
    table: Mapping[str, object], source: str, base: Settings
) -> tuple[Settings, list[BadSetting]]:
    """As `read_settings`, with a word for each rule and family that isn't there."""
    settings, bad = read_settings(table, source, base)
    own, _ = read_settings(table, source)
    if own.rules or own.per_file_ignores or own.family:
        # The registry of rules is only loaded where it is named.
        from .rules import misnamed

        bad += [BadSetting(source, name, message) for name, message in misnamed(own)]
    return settings, bad


def find(folder: Path) -> SettingsFile | None:
    """The nearest settings file in a folder or above it; in one folder promptls.toml wins.

    A pyproject.toml counts only if it has a table [tool.promptls].
    """
    folder = folder.resolve()
    for parent in (folder, *folder.parents):
        for name in NAMES:
            if file := read(parent / name):
                return file
    return None


def stamp(folder: Path) -> tuple[tuple[str, int], ...]:
    """The settings files that could apply in a folder and when each was changed last.

    Two stamps differ if a file was written, made or removed in between.
    """
    times = []
    for parent in (folder, *folder.parents):
        for name in NAMES:
            path = parent / name
            with suppress(OSError):
                times.append((str(path), path.stat().st_mtime_ns))
    return tuple(times)


def read(path: Path) -> SettingsFile | None:
    """A settings file; None where there is none, or nothing for promptls in it."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return _unusable(path, "can't be read", error.strerror or "")
    try:
        table: object = tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        # Somebody else's broken pyproject.toml is not ours to report.
        if path.name == NAMES[1] and b"tool.promptls" not in data:
            return None
        return _unusable(path, "isn't valid TOML", str(error))
    if path.name == NAMES[1]:
        table = _at(table, "tool", "promptls")
    return SettingsFile(path, table) if isinstance(table, Mapping) else None


class Addition(NamedTuple):
    """Text to put into a settings file so that a list has one more item."""

    path: Path
    is_new: bool
    """Whether the file has to be created."""
    line: int
    """From 0."""
    column: int
    text: str


def adding(folder: Path, root: Path, name: str, item: str) -> Addition | None:
    """What adds an item to a list of the settings that apply to the files in a folder.

    Into the nearest settings file or, where there is none, a new promptls.toml in `root`. None
    when the file can't be read, or is written in a way that can't be extended by one insertion.
    """
    file = find(folder)
    if file is None:
        return Addition(root / NAMES[0], True, 0, 0, f"{name} = [{_quoted(item)}]\n")
    if file.bad:
        return None
    try:
        text = file.path.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError):
        return None
    lines = LINE_END.split(text)
    for addition in _insertions(lines, file.path, name, _quoted(item)):
        changed = lines.copy()
        old = changed[addition.line]
        changed[addition.line] = old[: addition.column] + addition.text + old[addition.column :]
        table = _parsed("\n".join(changed), file.path)
        if isinstance(table, Mapping) and item in (table.get(name) or ()):
            return addition
    return None


def _insertions(lines: list[str], path: Path, name: str, item: str) -> Iterator[Addition]:
    """The places that may be right, the likeliest first: in the list, or as a new line."""
    for number, line in enumerate(lines):
        if opening := re.match(rf"\s*{re.escape(name)}\s*=\s*\[\s*(?P<empty>\])?", line):
            column = opening.start("empty") if opening["empty"] else opening.end()
            yield Addition(path, False, number, column, item if opening["empty"] else f"{item}, ")
    head = 0
    if path.name == NAMES[1]:
        head = next((n + 1 for n, line in enumerate(lines) if line.strip() == "[tool.promptls]"), 0)
    if head < len(lines):
        yield Addition(path, False, head, 0, f"{name} = [{item}]\n")


def _quoted(text: str) -> str:
    """A text as a TOML string; JSON's escapes are a part of TOML's."""
    return json.dumps(text, ensure_ascii=False)


def _parsed(text: str, path: Path) -> object:
    try:
        table: object = tomllib.loads(text)
    except ValueError:
        return None
    return _at(table, "tool", "promptls") if path.name == NAMES[1] else table


@cache
def cached_settings_in(folder: Path) -> tuple[Settings, tuple[BadSetting, ...]]:
    """`settings_in`, read once per folder: for a program that runs once over many files."""
    return settings_in(folder)


def _at(table: object, *keys: str) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _unusable(path: Path, what: str, why: str) -> SettingsFile:
    return SettingsFile(path, {}, (BadSetting(str(path), what, f"{why}; it is ignored"),))


def _based(settings: Settings, folder: Path) -> dict[str, CustomEncoding]:
    return {
        name: replace(encoding, base=str(folder)) for name, encoding in settings.encodings.items()
    }

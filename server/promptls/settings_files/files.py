"""Settings files: promptls.toml, or [tool.promptls] in pyproject.toml, in the nearest folder."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from subword.lines import LINE_END, line_starts

from ..reading.encodings import EncodingUnavailable, encoding_name
from ..reading.families import family_of
from ..settings import Settings
from ..settings.tables import MOST_SAID, BadSetting, SettingPlace, read_settings
from ..sources.files import LARGEST_SETTINGS, UnreadableText, read_bytes, real
from .toml import deepest, key_spans, parse

NAMES = ("promptls.toml", "pyproject.toml")

# No key of a settings file has so many parts.
_DEEPEST = 100

# What a pyproject.toml that is meant for us says somewhere, also if it can't be parsed.
_TABLE = "tool.promptls"


# How TOML's parsers tell where an error is; the text may also end too soon.
_AT = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


class SettingsFile(NamedTuple):
    """A settings file that was found, and the table that it holds."""

    path: Path
    table: Mapping[str, object]
    bad: tuple[BadSetting, ...] = ()
    """What keeps the file from being read; then the table is empty."""
    text: str = ""


def settings_in(
    folder: Path, base: Settings | None = None
) -> tuple[Settings, tuple[BadSetting, ...]]:
    """The settings for the files in a folder: those of the nearest settings file, over `base`.

    `base` has the settings that are weaker, those of the editor; by default, the defaults.
    """
    base = base or Settings()
    file = find(folder)
    return (base, ()) if file is None else settings_of(file, base)


def settings_of(file: SettingsFile, base: Settings) -> tuple[Settings, tuple[BadSetting, ...]]:
    """The settings of a file, over `base`; what is wrong comes with its place in the file."""
    settings, bad = checked_settings(file.table, str(file.path), base)
    if settings.encodings is not base.encodings:
        base_folder = str(file.path.parent)
        own = {n: replace(each, base=base_folder) for n, each in settings.encodings.items()}
        settings = replace(settings, encodings=own)
    bad += islice(_unknown_encodings(file, settings), MOST_SAID)
    return settings, (*file.bad, *placed(bad, file))


def checked_settings(
    table: Mapping[str, object], source: str, base: Settings
) -> tuple[Settings, list[BadSetting]]:
    """As `read_settings`, with a word for each rule and family that isn't there."""
    settings, bad = read_settings(table, source, base)
    own, _ = read_settings(table, source)
    if own.rules or own.per_file_ignores or own.family:
        # The registry of rules is only loaded where it is named.
        from ..rules import misnamed

        few = islice(misnamed(own), max(MOST_SAID + 1 - len(bad), 0))
        bad += [BadSetting(source, name, message) for name, message in few]
    if len(bad) > MOST_SAID:
        bad[MOST_SAID:] = [BadSetting(source, "", "has more settings that can't be used")]
    return settings, bad


def _unknown_encodings(file: SettingsFile, settings: Settings) -> Iterator[BadSetting]:
    """A word for each encoding and model that the file names and nobody knows.

    `settings` have them still: another encoding in their place would be a silent mistake.
    """
    own, _ = read_settings(file.table, "")
    named = [("encoding", replace(settings, encoding=own.encoding, model=None))]
    # A model of a known family is counted for with a stand-in, which says so.
    if own.model and own.model not in settings.encodings and not family_of(own.model):
        named.append(("model", replace(settings, encoding=None, model=own.model)))
    if "compareEncodings" in file.table:
        named += [
            ("compareEncodings", replace(settings, encoding=name, model=None))
            for name in dict.fromkeys(own.compare_encodings)
        ]
    for name, asked in named:
        try:
            encoding_name(asked)
        except EncodingUnavailable as error:
            yield BadSetting(str(file.path), name, str(error))


def placed(bad: list[BadSetting], file: SettingsFile) -> Iterator[BadSetting]:
    """What is wrong with settings, each at its key, or at the table that should have the key."""
    if not bad:
        return
    spans = {".".join(path): span for path, span in key_spans(file.text).items()}
    starts = line_starts(file.text)
    table = "tool.promptls." if file.path.name == NAMES[1] else ""
    for fault in bad:
        key = f"{table}{fault.name}"
        while key and key not in spans:
            key = key.rpartition(".")[0]
        span = spans.get(key)
        yield fault._replace(place=_place(file.text, starts, *span)) if span else fault


def _place(text: str, starts: list[int], start: int, end: int) -> SettingPlace:
    """The place of text[start:end], as much of it as stands on the first of its lines."""
    line = bisect_right(starts, start) - 1
    next_end = LINE_END.search(text, starts[line])
    line_text = text[starts[line] : next_end.start() if next_end else len(text)]
    first = min(start - starts[line], len(line_text))
    return SettingPlace(line, first, min(end - starts[line], len(line_text)), line_text)


def find(folder: Path) -> SettingsFile | None:
    """The nearest settings file in a folder or above it; in one folder promptls.toml wins.

    A pyproject.toml counts only if it has a table [tool.promptls].
    """
    folder = real(folder)
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
        data = read_bytes(path, LARGEST_SETTINGS) if _is_there(path) else None
    except UnreadableText as error:
        return _unusable(path, str(error))
    if data is None:
        return None
    try:
        return parsed(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        if path.name == NAMES[1] and _TABLE.encode() not in data:
            return None
        at = len(error.object[: error.start].decode())
        text = data.decode("utf-8-sig", "replace")
        return _unusable(path, "isn't UTF-8", _place(text, line_starts(text), at, at + 1))


def _is_there(path: Path) -> bool:
    """Whether there is something at a path, as far as we may know: a folder can be closed to us."""
    try:
        path.stat()
    except OSError:
        # What leads in a circle, or nowhere, is no file, either.
        return False
    return True


def parsed(path: Path, text: str) -> SettingsFile | None:
    """The settings file that would lie at `path` with this text; None where it isn't for us."""
    try:
        # The parser keeps every beginning of a key: one of 100,000 parts would fill the memory.
        if text.count(".") > _DEEPEST and deepest(text) > _DEEPEST:
            raise RecursionError
        table: object = parse(text)
    except (ValueError, RecursionError) as error:
        # Somebody else's broken pyproject.toml is not ours to report.
        if path.name == NAMES[1] and _TABLE not in text:
            return None
        if isinstance(error, RecursionError):
            return _unusable(path, "isn't valid TOML: nested too deeply")
        return _unusable(path, f"isn't valid TOML: {_AT.sub('', str(error))}", _at(error, text))
    if path.name == NAMES[1]:
        table = _inner(table, "tool", "promptls")
    return SettingsFile(path, table, text=text) if isinstance(table, Mapping) else None


def _at(error: ValueError, text: str) -> SettingPlace | None:
    """Where TOML's parser gave up: that character, or the last one of a text that ends too soon."""
    told, starts = _AT.search(str(error)), line_starts(text)
    if told is None:
        return None
    if told["line"] is None:
        end = len(text.rstrip())
        return _place(text, starts, max(end - 1, 0), end)
    start = starts[int(told["line"]) - 1] + int(told["column"]) - 1
    return _place(text, starts, start, start + 1)


@cache
def cached_settings_in(folder: Path) -> tuple[Settings, tuple[BadSetting, ...]]:
    """`settings_in`, read once per folder: for a program that runs once over many files."""
    return settings_in(folder)


def _inner(table: object, *keys: str) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _unusable(path: Path, why: str, place: SettingPlace | None = None) -> SettingsFile:
    return SettingsFile(path, {}, (BadSetting(str(path), "", f"{why}; it is ignored", place),))

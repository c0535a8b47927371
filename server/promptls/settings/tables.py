"""Reads settings from a table as TOML and editors have it, and says what can't be used.

A value that is null is as if absent; one that is not valid is reported once, and the default used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ..wording import did_you_mean, visible
from . import Settings, all_settings
from .kinds import PartlyUnfit, Unfit

# What a tokenizer of the user's own is described by.
_ENCODING_KEYS = ("path", "pattern")

# So many problems of one source are said one by one; nobody reads more.
MOST_SAID = 20


class SettingPlace(NamedTuple):
    """Where something stands in a settings file: a part of one line."""

    line: int
    """From 0."""
    start: int
    end: int
    """In characters of the line, as `start`; a byte order mark is none of them."""
    text: str
    """The whole line, by which the characters can be told in other units."""


class BadSetting(NamedTuple):
    """A setting that can't be used, and what to do about it."""

    source: str
    """Where it stands: a file's path or `the editor`."""
    name: str
    """Empty where it is the whole file that can't be used."""
    message: str
    place: SettingPlace | None = None
    """The key, or what can't be read; None where the source is no text."""

    def __str__(self) -> str:
        place = f":{self.place.line + 1}:{self.place.start + 1}" if self.place else ""
        # A key can be any text, and an editor or a terminal would act upon some of it.
        return visible(": ".join(filter(None, (f"{self.source}{place}", self.name, self.message))))


def read_settings(
    table: Mapping[str, object], source: str, base: Settings | None = None
) -> tuple[Settings, list[BadSetting]]:
    """Settings from a table as TOML and editors have it, over `base` (the defaults).

    Names may be nested (`hints = {mode = …}`) or dotted (`hints.mode`).
    """
    settings = base or Settings()
    bad: list[BadSetting] = []
    known = {setting.metadata["name"]: setting for setting in all_settings()}
    values = _flattened(table, frozenset(known))
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if value is None:
            continue
        if name not in known:
            # To look for what was meant takes a while, and a file may have many of them.
            nearest = did_you_mean(name, known) if len(bad) < MOST_SAID else ""
            bad.append(BadSetting(source, name, f"is not a setting{nearest}"))
            continue
        try:
            changes[known[name].name] = known[name].metadata["read"](value)
        except PartlyUnfit as error:
            changes[known[name].name] = error.value
            bad += [
                BadSetting(source, f"{name}.{key}", f"{problem}; it is ignored")
                for key, problem in error.problems.items()
            ]
        except Unfit as error:
            bad.append(BadSetting(source, name, f"{error}; it is ignored"))
    return replace(settings, **changes), bad


def _flattened(table: Mapping[str, object], known: frozenset[str]) -> dict[str, object]:
    """`{"hints": {"mode": …}}` as `{"hints.mode": …}`, and `{"rules.x": …}` as a table."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        head, _, rest = key.partition(".")
        if key in known:
            flat[key] = _merged(flat.get(key), value) if isinstance(value, Mapping) else value
        elif rest and head in known:
            flat[head] = _merged(flat.get(head), {rest: value})
        elif isinstance(value, Mapping) and any(name.startswith(f"{key}.") for name in known):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    if isinstance(encodings := flat.get("encodings"), Mapping):
        flat["encodings"] = _with_levels(encodings)
    return flat


def _merged(table: object, more: Mapping[str, object]) -> dict[str, object]:
    """A table with more entries; tables in it that both have become one."""
    merged: dict[str, object] = dict(table) if isinstance(table, Mapping) else {}
    for key, value in more.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(old, value) if both and isinstance(value, Mapping) else value
    return merged


def _with_levels(encodings: Mapping[str, object]) -> dict[str, object]:
    """`{"mine.path": …, "mine.pattern": …}` as `{"mine": {"path": …, "pattern": …}}`."""
    nested: dict[str, object] = {}
    for key, value in encodings.items():
        name, dot, last = str(key).rpartition(".")
        is_dotted = dot and last in _ENCODING_KEYS and not isinstance(value, Mapping)
        nested = _merged(nested, {name: {last: value}} if is_dotted else {str(key): value})
    return nested

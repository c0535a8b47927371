"""JSON in other notations, where they say the same without any loss."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

# Longer texts aren't tried: PyYAML reads about half a megabyte in a second.
_LONGEST_YAML = 20_000


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


class _Repeated(ValueError):
    """An object has a key twice."""


def as_csv(text: str) -> str | None:
    """A JSON list of flat objects with the same keys as CSV; None where anything would be lost.

    Lost would be the difference between a string and a number, `null` and an empty string.
    """
    rows = _read(text)
    if not isinstance(rows, list) or len(rows) < 2 or not isinstance(rows[0], dict):
        return None
    keys = list(rows[0])
    if not keys or not all(isinstance(row, dict) and list(row) == keys for row in rows):
        return None
    cells = [[_cell(value) for value in row.values()] for row in rows]
    if not all(map(_is_clear, keys)) or any(None in row for row in cells):
        return None
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([keys, *cells])
    return out.getvalue().removesuffix("\n")


def as_yaml(text: str) -> str | None:
    """JSON as YAML in block style; None where anything would be lost."""
    if len(text) > _LONGEST_YAML:
        return None
    raw = _read(text)
    value = json.loads(text) if raw is not None else None
    if not value or not _is_exact(raw):
        return None
    import yaml

    try:
        out = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=10**9)
        # `==` takes 1, 1.0 and True for the same; JSON tells them apart.
        same = json.dumps(yaml.safe_load(out)) == json.dumps(value)
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        return None
    return out.removesuffix("\n") if same else None


def _read(text: str) -> Any:
    """The value, with numbers as they are written; None for what has a key twice."""
    try:
        return json.loads(text, parse_int=_Number, parse_float=_Number, object_pairs_hook=_object)
    except ValueError:
        return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise _Repeated
    return table


def _cell(value: Any) -> str | None:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, str):
        return value if _is_clear(value) else None
    return json.dumps(value) if value is None or isinstance(value, bool) else None


def _is_clear(text: str) -> bool:
    """Whether a cell can only be this string: not empty, one line, no edge lost, no JSON value."""
    if not text.isprintable() or text != text.strip() or not text:
        return False
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def _is_exact(raw: Any) -> bool:
    """Whether Python writes each number as the text has it."""
    if isinstance(raw, _Number):
        try:
            return raw in (str(int(raw)) if raw.lstrip("-").isdigit() else "", repr(float(raw)))
        except ValueError:
            return False
    if isinstance(raw, dict):
        return all(map(_is_exact, raw.values()))
    return all(map(_is_exact, raw)) if isinstance(raw, list) else True

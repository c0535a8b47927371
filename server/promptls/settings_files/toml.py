"""TOML: its values, by the standard library's parser, and where its keys stand, which that hides.

Source: TOML 1.0.0, the grammar of keys, tables, inline tables and strings (toml.io/en/v1.0.0).
"""

from __future__ import annotations

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Path = tuple[str, ...]
Span = tuple[int, int]

# Strings come whole, so that what looks like a key inside one is none. One that isn't closed goes
# on to where it must end: so each character is looked at once, in a text that isn't valid, too.
_TOKEN = re.compile(
    r"""\"{3}(?:[^"\\]|\\.|"{1,2}(?!"))*(?:"{3,5}|\\?\Z)|'{3}(?:[^']|'{1,2}(?!'))*(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\#[^\n]*|[^\s"'\#\[\]{},=.]+|[\n\[\]{},=.]""",
    re.DOTALL,
)


def parse(text: str) -> dict[str, Any]:
    """A document's values. Raises ValueError, and RecursionError if it is nested too deeply."""
    values: dict[str, Any] = tomllib.loads(text)
    return values


def deepest(text: str) -> int:
    """The most parts that a key of a document has, or more where that can't be told at a glance."""
    most = parts = 0
    for match in _TOKEN.finditer(text):
        parts = parts + 1 if match[0] == "." else 0 if match[0] in "\n[]{},=" else parts
        most = max(most, parts + 1)
    return most


def key_spans(text: str) -> dict[Path, Span]:
    """The characters of each key of a TOML document, from the beginning of its line's first part.

    The key `mode` of `hints.mode = "off"` is `("hints", "mode")` and covers `hints.mode`; of a key
    that is named several times, as a table is by each of its keys, the first place counts. The
    text must be valid.
    """
    spans: dict[Path, Span] = {}
    header: Path = ()
    # What is open: an inline table with the path of its keys, or an array with that of its value.
    containers: list[tuple[str, Path]] = []
    path, start, is_key, is_header = header, -1, True, False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.startswith("#"):
            continue
        if token == "\n":
            if not containers:
                path, start, is_key, is_header = header, -1, True, False
        elif is_key and token == "[":
            path, is_header = (), True
        elif is_key and token == "]":
            header = path
        elif is_key and token == "=":
            is_key = False
        elif is_key and token not in ".,}":
            start = match.start() if start < 0 else start
            path = (*path, _part(token))
            spans.setdefault(path, (start, match.end()))
        elif token in "[{" and not is_header:
            containers.append((token, path))
            is_key, start = token == "{", -1
        elif token in "]}":
            path = containers.pop()[1]
            is_key = False
        elif token == "," and containers:
            opening, path = containers[-1]
            is_key, start = opening == "{", -1
    return spans


def _part(token: str) -> str:
    """A part of a key as it is meant: bare parts are themselves, quoted ones may have escapes."""
    if token[0] not in "\"'":
        return token
    return str(parse(f"key = {token}")["key"])

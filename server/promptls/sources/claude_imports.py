"""CLAUDE.md's imports: the files that `@path` brings in, which its own count leaves out.

As Claude Code documents them: a path is relative to the file, absolute, or begins with `~`;
imports in code spans and fenced code are inert; imported files can import others, five deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..syntax.markdown import fences
from .files import TEXT_SUFFIXES, UnreadableText, read_text, real

_NAMES = frozenset({"claude.md", "claude.local.md"})
_DEEPEST = 5
_BACKTICKS = re.compile("`+")
_IMPORT = re.compile(r"(?<![\w@`])@(?P<path>[\w~./\\-][^\s`]*)")


def has_imports(path: str | None) -> bool:
    """Whether `@path` is an import in a file of this name."""
    return path is not None and Path(path).name.lower() in _NAMES


def imported(path: Path, text: str) -> list[tuple[Path, str]]:
    """The files that a CLAUDE.md imports, each once, with their texts.

    What isn't there, or isn't a text file, isn't imported: `@` is also used for other things.
    """
    found: dict[Path, str] = {real(path): ""}
    _collect(path, text, found, _DEEPEST)
    return list(found.items())[1:]


def missing(path: Path, text: str) -> list[str]:
    """The imports of a CLAUDE.md itself that name a text file which isn't there, as written."""
    return [
        name
        for name in paths(text)
        if Path(name).suffix.lower() in TEXT_SUFFIXES and not _target(path, name)
    ]


def _target(path: Path, name: str) -> Path | None:
    """The file that an import names, None where there is none."""
    try:
        target = real(path.parent / Path(name).expanduser())
        return target if target.is_file() else None
    except (OSError, RuntimeError, ValueError):
        # A user that isn't there, a name that is too long, a NUL: all can stand in a text.
        return None


def _collect(path: Path, text: str, found: dict[Path, str], depth: int) -> None:
    for name in paths(text) if depth else ():
        target = _target(path, name)
        if target and target not in found:
            try:
                found[target] = read_text(target)
            except UnreadableText:
                continue
            _collect(target, found[target], found, depth - 1)


def paths(text: str) -> Iterator[str]:
    """The paths that a text imports, as written, in their order; those in code are left out."""
    fenced = list(fences(text))
    at = 0
    outside: list[str] = []
    for span in fenced:
        outside.append(text[at : span.start])
        at = span.end
    outside.append(text[at:])
    for part in outside:
        for match in _IMPORT.finditer(_without_code(part)):
            # A path at the end of a sentence is followed by what is no part of it.
            yield match["path"].rstrip(".,;:!?)]}\"'")


def _without_code(text: str) -> str:
    """The text with a space in each code span: between backticks and as many of them further on.

    As CommonMark has it, backticks that no others answer are text.
    """
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
    last = {end - start: start for start, end in runs}
    parts: list[str] = []
    at, inside = 0, 0
    for start, end in runs:
        length = end - start
        if not inside and start < last[length]:
            parts += (text[at:start], "` `")
            inside = length
        elif length == inside:
            at, inside = end, 0
    return "".join([*parts, text[at:]])

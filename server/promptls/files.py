"""Prompt files on disk: found in folders, read without losing anything, replaced in one step."""

from __future__ import annotations

import codecs
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from subword.lines import LINE_END

from .formats import all_formats, detect

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Files in folders with these endings are prompts even where no format claims their name.
TEXT_SUFFIXES = (".md", ".txt")

# Hidden folders in which tools look for prompts; all others are skipped.
PROMPT_FOLDERS = frozenset(
    {".agents", ".claude", ".codex", ".continue", ".cursor", ".gemini", ".github", ".prompts"}
)

# UTF-32 comes first, since its little-endian mark begins with that of UTF-16.
_OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}

# How many bytes are looked at to tell a binary file; Git looks at as many.
_SNIFFED = 8000


class UnreadableText(Exception):
    """A file has no text that can be used; the message says why and what to do."""


class BinaryFile(UnreadableText):
    """A file that holds no text at all."""


def read_text(path: Path) -> str:
    """The text of a file, every character as it stands: line ends and a byte order mark too.

    A mark at the start stays in the text as U+FEFF: a program that reads the file as UTF-8 gets
    it, and some formats look different with it. Raises `UnreadableText`.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableText(f"can't be read: {_reason(error)}") from None
    return decode(data)


def decode(data: bytes) -> str:
    """The text of a file's bytes. Raises `UnreadableText` for all that is not UTF-8 text."""
    for mark, name in _OTHER_MARKS.items():
        if data.startswith(mark):
            raise UnreadableText(f"is {name}; save it as UTF-8")
    if b"\0" in data[:_SNIFFED]:
        raise BinaryFile("is a binary file, not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise UnreadableText(
            f"isn't UTF-8: byte 0x{data[error.start]:02x} at byte offset {error.start}, "
            f"line {line}; save it as UTF-8"
        ) from None


def write_text(path: Path, text: str) -> None:
    """Replace a file's text in one step, keeping its permissions; a reader never sees half of it.

    A symbolic link stays a link: the file that it leads to is replaced. A file that may not be
    written isn't replaced either, though its folder would allow it. Raises `UnreadableText`.
    """
    target = path.resolve()
    try:
        with target.open("r+b"):
            pass
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
            Path(temporary).replace(target)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise UnreadableText(f"can't be written: {_reason(error)}") from None


def is_prompt(path: Path, text: str) -> bool:
    """Whether a file that was found in a folder is a prompt, now that its text is known."""
    return path.suffix.lower() in TEXT_SUFFIXES or detect(path.name, text) is not all_formats()[-1]


def find_prompts(folder: Path) -> Iterator[Path]:
    """The files in a folder, and in those inside it, whose names say that they can be prompts.

    In alphabetical order. Left out is whatever Git ignores by `.gitignore` files, in the folder,
    inside it and above it up to the repository; hidden files and folders, but for those that
    hold prompts; `node_modules` and Python environments.
    """
    place = folder.resolve()
    ignores = _ignores_above(place)
    # A folder that is asked for by name is wanted, though it is ignored in its repository.
    if any(_is_ignored(each, True, ignores) for each in (place, *place.parents)):
        ignores = []
    yield from _walk(folder, place, ignores)


def _walk(folder: Path, place: Path, ignores: list[_Ignore]) -> Iterator[Path]:
    """The prompts in a folder, which is called `folder` and really lies at `place`."""
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError as error:
        raise UnreadableText(f"can't be read: {_reason(error)}") from None
    ignores = [*ignores, *_ignore_in(place)]
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        wanted = _is_wanted_folder(place / entry.name) if is_folder else can_be_prompt(entry.name)
        if not wanted or _is_ignored(place / entry.name, is_folder, ignores):
            continue
        if is_folder:
            # A folder inside that can't be read has no files that could be.
            with suppress(UnreadableText):
                yield from _walk(folder / entry.name, place / entry.name, ignores)
        elif entry.is_file():
            yield folder / entry.name


def can_be_prompt(name: str) -> bool:
    """Whether a file's name says that it can be a prompt."""
    name = name.lower()
    if name.endswith(TEXT_SUFFIXES) and not name.startswith("."):
        return True
    return any(
        fnmatchcase(name, pattern) and (pattern.startswith(".") or not name.startswith("."))
        for pattern in _name_patterns()
    )


@cache
def _name_patterns() -> tuple[str, ...]:
    return tuple(pattern for each in all_formats() for pattern in each.patterns)


def _is_wanted_folder(path: Path) -> bool:
    name = path.name
    if name == "node_modules" or (name.startswith(".") and name not in PROMPT_FOLDERS):
        return False
    return not (path / "pyvenv.cfg").exists()


class _Ignore(NamedTuple):
    """A `.gitignore` file: its folder, and what it says of everything in there."""

    folder: Path
    spec: GitIgnoreSpec


def _ignores_above(place: Path) -> list[_Ignore]:
    """The `.gitignore` files above a folder in its repository, the outermost first."""
    upwards = [place, *place.parents]
    top = next((n for n, each in enumerate(upwards) if (each / ".git").exists()), 0)
    return [ignore for each in reversed(upwards[1 : top + 1]) for ignore in _ignore_in(each)]


def _ignore_in(folder: Path) -> Iterator[_Ignore]:
    try:
        text = (folder / ".gitignore").read_text("utf-8", errors="replace")
    except OSError:
        return
    from pathspec import GitIgnoreSpec

    # To Git, `deep/**` is all that is in the folder and not the folder; to pathspec it is both.
    lines = (re.sub(r"/\*\* *$", "/**/*", line) for line in LINE_END.split(text))
    yield _Ignore(folder, GitIgnoreSpec.from_lines(lines))


def _is_ignored(path: Path, is_folder: bool, ignores: list[_Ignore]) -> bool:
    """Whether a path is ignored: the last pattern that fits it, in the innermost file, decides.

    The folder that it is in is not ignored, or Git would not have come to the path.
    """
    for ignore in reversed(ignores):
        if not path.is_relative_to(ignore.folder):
            continue
        name = path.relative_to(ignore.folder).as_posix() + ("/" if is_folder else "")
        for pattern in reversed([*ignore.spec.patterns]):
            if _fits(pattern.regex, name):
                return bool(pattern.include)
    return False


def _fits(regex: re.Pattern[str] | None, name: str) -> bool:
    """Whether a pattern fits the path itself, not just a folder that the path is in.

    pathspec's one group marks the slash after which a folder's contents follow.
    """
    matches = regex.finditer(name) if regex else iter(())
    return any(match.lastindex is None or match.end(1) == len(name) for match in matches)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()

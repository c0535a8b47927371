"""Prompt files on disk: found in folders, read without losing anything, replaced in one step."""

from __future__ import annotations

import codecs
import errno
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from subword.lines import LINE_END
from subword.regular import read_regular, read_stream

from ..formats import all_formats, detect
from . import gitignore
from .prompt_folders import PROMPT_FOLDERS

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.pattern import RegexPattern

# Is told a path that can't be looked into, and why.
Refused = Callable[[Path, str], None]

# Files in folders with these endings are prompts even where no format claims their name.
TEXT_SUFFIXES = (".md", ".txt")

# The most that is read of a file or of standard input: of a prompt and what it imports, and of
# what people write by hand, such as settings. In bytes.
LARGEST_PROMPT = 64 << 20
LARGEST_SETTINGS = 1 << 20

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


def read_text(path: Path, limit: int = LARGEST_PROMPT) -> str:
    """The text of a file, every character as it stands: line ends and a byte order mark too.

    A mark at the start stays in the text as U+FEFF: a program that reads the file as UTF-8 gets
    it, and some formats look different with it. Raises `UnreadableText`, also for what is no
    regular file and for one of more than `limit` bytes.
    """
    return decode(read_bytes(path, limit))


def read_bytes(path: Path, limit: int = LARGEST_PROMPT) -> bytes:
    """The bytes of a regular file of at most `limit` bytes. Raises `UnreadableText`.

    Whatever promptls reads of a user's files, it reads by this or by `read_regular`.
    """
    try:
        return read_regular(path, limit)
    except (OSError, ValueError) as error:
        raise UnreadableText(f"can't be read: {_reason(error)}") from None


def read_input(stream: BinaryIO | None) -> str:
    """The text of standard input, which may never end. Raises `UnreadableText`."""
    try:
        if stream is None:
            raise OSError(errno.EBADF, "it is closed")
        return decode(read_stream(stream, LARGEST_PROMPT))
    except OSError as error:
        raise UnreadableText(f"can't be read: {_reason(error)}") from None


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
    target = real(path)
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


def find_prompts(
    folder: Path, also: Iterable[str] = (), refused: Refused = lambda path, why: None
) -> Iterator[Path]:
    """The files in a folder, and in those inside it, whose names say that they can be prompts.

    In alphabetical order. Left out is whatever Git ignores by `.gitignore` files, in the folder,
    inside it and above it up to the repository; hidden files and folders, but for those that
    hold prompts, of which `also` names more; `node_modules` and Python environments. What can't
    be looked into is told to `refused`, with the reason, and left out.
    """
    place = real(folder)
    ignores = _ignores_above(place, refused)
    # A folder that is asked for by name is wanted, though it is ignored in its repository.
    if any(_is_ignored(each, True, ignores) for each in (place, *place.parents)):
        ignores = []
    hidden = PROMPT_FOLDERS.keys() | set(also)
    # What is still to be handled, the next one last: folders inside of folders know no end.
    waiting: list[_Found] = [_Found(folder, place, True, ignores)]
    while waiting:
        found = waiting.pop()
        if not found.is_folder:
            yield found.name
            continue
        try:
            waiting += reversed(list(_inside(found, hidden, refused)))
        except OSError as error:
            refused(found.name, f"can't be read: {_reason(error)}")


class _Found(NamedTuple):
    """A folder or a file that was found, which is called `name` and really lies at `place`."""

    name: Path
    place: Path
    is_folder: bool
    ignores: list[_Ignore]


def _inside(folder: _Found, hidden: set[str], refused: Refused) -> Iterator[_Found]:
    """What is wanted of a folder, in alphabetical order. Raises OSError."""
    with os.scandir(folder.place) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    ignores = [*folder.ignores, *_ignore_in(folder.place, refused)]
    for entry in entries:
        place, is_folder = folder.place / entry.name, entry.is_dir(follow_symlinks=False)
        wanted = _is_wanted_folder(place, hidden) if is_folder else can_be_prompt(entry.name)
        if not wanted or _is_ignored(place, is_folder, ignores):
            continue
        if is_folder or _is_file(entry):
            yield _Found(folder.name / entry.name, place, is_folder, ignores)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a regular file or a link to one."""
    try:
        return entry.is_file()
    except OSError:
        # A link that leads in a circle, or through a folder that may not be entered.
        return False


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder, as far as we may know."""
    return os.path.isdir(path)  # noqa: PTH112 — Path.is_dir raises for a name that is too long.


def real(path: Path) -> Path:
    """Where a path leads, all links followed; as far as that goes where they lead in a circle.

    `Path.resolve` raises RuntimeError for those up to Python 3.12.
    """
    return Path(os.path.realpath(path))


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


def _is_wanted_folder(path: Path, hidden: set[str]) -> bool:
    name = path.name
    if name == "node_modules" or (name.startswith(".") and name not in hidden):
        return False
    return not _exists(path / "pyvenv.cfg")


def _exists(path: Path) -> bool:
    """Whether something is there, as far as we may know."""
    return os.path.exists(path)  # noqa: PTH110 — Path.exists raises where we may not look.


class _Ignore(NamedTuple):
    """A `.gitignore` file: its folder, and what it says of everything in there."""

    folder: Path
    spec: GitIgnoreSpec


def _ignores_above(place: Path, refused: Refused) -> list[_Ignore]:
    """The `.gitignore` files above a folder in its repository, the outermost first."""
    upwards = [place, *place.parents]
    top = next((n for n, each in enumerate(upwards) if _exists(each / ".git")), 0)
    above = reversed(upwards[1 : top + 1])
    return [ignore for each in above for ignore in _ignore_in(each, refused)]


def _ignore_in(folder: Path, refused: Refused) -> Iterator[_Ignore]:
    path = folder / ".gitignore"
    # Git doesn't follow links here, either.
    if not _exists(path) or path.is_symlink():
        return
    try:
        data = read_regular(path, LARGEST_SETTINGS)
    except OSError as error:
        refused(path, f"can't be read: {_reason(error)}")
        return
    from pathspec import GitIgnoreSpec

    # To Git, `deep/**` is all that is in the folder and not the folder; to pathspec it is both.
    lines = LINE_END.split(data.decode("utf-8", "replace"))
    lines = [re.sub(r"/\*\* *$", "/**/*", line) for line in lines]
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
            if _fits(pattern, name):
                return bool(pattern.include)
    return False


def _fits(pattern: RegexPattern, name: str) -> bool:
    """Whether a pattern fits the path itself, not just a folder that the path is in.

    pathspec's one group marks the slash after which a folder's contents follow.
    """
    text = str(pattern.pattern or "")
    if text.count("*") > gitignore.FEW_STARS:
        return gitignore.fits(text, name)
    matches = pattern.regex.finditer(name) if pattern.regex else iter(())
    return any(match.lastindex is None or match.end(1) == len(name) for match in matches)


def _reason(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    reason = reason or type(error).__name__
    # The system begins with a capital, as `No such file or directory`.
    return reason[:1].lower() + reason[1:]

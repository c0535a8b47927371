"""The prompts that a command's arguments name: text and settings of each, and what is wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from subword.cli.shared import CommandError

from ..reading.encodings import EncodingUnavailable, encoding_name
from ..reading.reading import Reading, read
from ..settings import Settings
from ..settings.tables import BadSetting
from ..settings_files.files import cached_settings_in, find, placed
from ..sources.files import (
    BinaryFile,
    UnreadableText,
    find_prompts,
    is_folder,
    is_prompt,
    read_input,
    read_text,
    real,
)
from .terminal import warn


@dataclass
class Complaints:
    """Errors that don't stop the command: each is one line, and together they make it exit 2."""

    count: int = 0
    warned: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    bad_settings: list[BadSetting] = field(default_factory=list)
    """What is wrong in the settings, each once; whether that is an error is for the command."""

    def add(self, message: str) -> None:
        """Say what is wrong, and go on; what is wrong for several files alike is said once."""
        self.count += 1
        self.errors.append(message)
        self.warn_once(message)

    def blame(self, fault: BadSetting) -> None:
        """Say what is wrong in the settings."""
        if fault not in self.bad_settings:
            self.bad_settings.append(fault)
            self.warn_once(str(fault))

    def warn_once(self, message: str) -> None:
        """Say what is no error but should be known; the same only once."""
        if message not in self.warned:
            self.warned.add(message)
            warn(message)


@dataclass(frozen=True)
class Source:
    """A prompt to work on, not yet read unless it came by standard input."""

    name: str
    """As the user knows it."""
    path: Path | None
    """Where it is; for standard input, where it would be, if that was said."""
    settings: Settings
    size: int = 0
    """In bytes, as the file system has it."""
    is_found: bool = False
    """Whether it was found in a folder, so that it may turn out to be no prompt."""
    text: str | None = None


@dataclass(frozen=True)
class Failure:
    """A source that could not be worked on, and why."""

    message: str
    fault: BadSetting | None = None
    """The setting that is to blame, if one is."""


def sources(args: argparse.Namespace, complaints: Complaints) -> list[Source]:
    """The sources that the arguments name, each once, in their order."""
    seen: set[Path] = set()
    found: list[Source] = []
    for name in args.paths:
        for source in _sources_of(name, args, complaints):
            identity = real(source.path) if source.path and source.text is None else None
            if identity not in seen:
                found.append(source)
            if identity:
                seen.add(identity)
    return found


def single_source(args: argparse.Namespace, complaints: Complaints) -> Source:
    """The one source of a command that takes no folders. Raises `CommandError`."""
    if args.path == "-":
        return _standard_input(args, complaints)
    path = Path(args.path)
    if is_folder(path):
        raise CommandError(f"{path}: is a folder; name one prompt file")
    return Source(args.path, path, settings_here(path.parent, args, complaints))


def load(source: Source, needs_tokenizer: bool = True) -> Reading | Failure | None:
    """A source's reading; None for a file in a folder that is no prompt after all.

    Without `needs_tokenizer`, an encoding that can't be had is no failure: see `read`.
    """
    try:
        if source.text is not None:
            text = source.text
        else:
            assert source.path
            text = read_text(source.path)
            if source.is_found and not is_prompt(source.path, text):
                return None
        path = str(source.path.absolute()) if source.path else None
        return read(text, path, source.settings, needs_tokenizer=needs_tokenizer)
    except EncodingUnavailable as error:
        return unavailable(source, error)
    except (UnreadableText, LookupError, ValueError) as error:
        if source.is_found and isinstance(error, BinaryFile):
            return None
        return Failure(f"{source.name}: {error}")


def load_or_fail(source: Source) -> Reading:
    """The reading of a source that was named. Raises `CommandError`."""
    reading = load(source)
    if not isinstance(reading, Reading):
        raise CommandError(reading.message if reading else source.name)
    return reading


def _sources_of(name: str, args: argparse.Namespace, complaints: Complaints) -> Iterator[Source]:
    if name == "-":
        yield _standard_input(args, complaints)
        return
    path = Path(name)
    if not is_folder(path):
        yield Source(name, path, settings_here(path.parent, args, complaints), _size(path))
        return
    also = settings_here(path, args, complaints).prompt_folders
    refused = complaints.count
    count = 0
    files = find_prompts(path, also, lambda folder, why: complaints.add(f"{folder}: {why}"))
    for count, file in enumerate(files, 1):  # noqa: B007 — used after the loop.
        settings = settings_here(file.parent, args, complaints)
        yield Source(str(file), file, settings, _size(file), True)
    if not count and complaints.count == refused:
        warn(f"{name}: no prompt files in this folder")


def _standard_input(args: argparse.Namespace, complaints: Complaints) -> Source:
    path = Path(args.stdin_filename) if args.stdin_filename else None
    text = standard_input()
    settings = settings_here(path.parent if path else Path(), args, complaints)
    return Source(args.stdin_filename or "-", path, settings, len(text), text=text)


def standard_input() -> str:
    """The text of standard input. Raises `CommandError`."""
    try:
        return read_input(sys.stdin.buffer if sys.stdin else None)
    except UnreadableText as error:
        raise CommandError(f"standard input: {error}") from None


def settings_here(folder: Path, args: argparse.Namespace, complaints: Complaints) -> Settings:
    """The settings in a folder, as the options change them."""
    settings, bad = cached_settings_in(folder)
    for fault in bad:
        complaints.blame(_shown_fault(fault))
    settings = _with_options(settings, args)
    if vars(args).get("encoding") or vars(args).get("model"):
        _check_encoding(settings)
    return settings


def _with_options(settings: Settings, args: argparse.Namespace) -> Settings:
    """Settings as the command's options change them."""
    options = vars(args)
    if encoding := options.get("encoding"):
        settings = replace(settings, encoding=encoding, model=None, is_commanded=True)
    if model := options.get("model"):
        settings = replace(settings, encoding=None, model=model, is_commanded=True)
    if special := options.get("special_tokens"):
        settings = replace(settings, special_tokens=special)
    if budget := options.get("budget"):
        settings = replace(settings, budget=budget)
    return settings


def unavailable(source: Source, error: EncodingUnavailable) -> Failure:
    """Why a source's encoding can't be had, at the setting that asks for it where that is known.

    It is the settings that are wrong, and for all files that they apply to: so it is said once.
    """
    folder = (source.path or Path()).absolute().parent
    file = None if source.settings.is_commanded else find(folder)
    if file is None:
        return Failure(str(error))
    for fault in cached_settings_in(folder)[1]:
        if fault.message == str(error):
            break
    else:
        message = str(error).removeprefix(f"{error.setting}: ")
        (fault,) = placed([BadSetting(str(file.path), error.setting, message)], file)
    fault = _shown_fault(fault)
    return Failure(str(fault), fault)


def _shown_fault(fault: BadSetting) -> BadSetting:
    return fault._replace(source=_shown(Path(fault.source)))


def _shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _check_encoding(settings: Settings) -> None:
    """An unknown name in an option is one error, not one for each file."""
    try:
        encoding_name(settings)
    except LookupError as error:
        raise CommandError(str(error)) from None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

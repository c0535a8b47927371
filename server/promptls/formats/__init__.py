"""The registry of formats: each module here is one, told by a file's name, language or content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import translate
from functools import cache, lru_cache, wraps
from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules

from ..prompt import Problem, Prompt, Uncounted
from ..text import Edit


@dataclass(frozen=True)
class Format:
    """A prompt file format: how its files are known and read. Each module here has a `FORMAT`."""

    name: str
    """Kebab-case, as `promptls count --json` prints it."""
    parse: Callable[[str], Prompt]
    """A file's text → `Prompt`. Total: a half-typed file gives what can be read of it."""
    edit: Callable[[Prompt, Edit, str], Prompt | None] | None = None
    """The prompt after an edit, from the one before and the lines that the edit touches, as they
    were and as they are; None where the whole must be read again."""
    patterns: tuple[str, ...] = ()
    """File name patterns such as `*.prompt.md`, lower case, matched against the name alone."""
    language_ids: tuple[str, ...] = ()
    """The editor's language ids that mean this format."""
    accepts: Callable[[str], bool] | None = None
    """For a name that several formats share: whether the text looks like this one."""
    own_patterns: tuple[str, ...] = ()
    """Those of `patterns` that no other format shares: `accepts` has no say there."""
    precedence: int = 0
    """Of the formats that claim a file, the lowest is asked first. One whose names no other bears
    has 0; one that takes whatever is left has 8, and plain text, the last of all, 9."""
    verbatim: bool = False
    """Whether the model always sees the file exactly as it stands, as one message."""
    documentation: str = ""
    """Of its first paragraph docs/formats.md is made; the registry takes the module's docstring."""

    @property
    def sure_patterns(self) -> tuple[str, ...]:
        """The names that mean a prompt whatever a file holds; those of all text don't."""
        if self.verbatim:
            return ()
        return self.own_patterns if self.accepts else self.patterns


def detect(path: str | None, text: str, language_id: str | None = None) -> Format:
    """The format of a file, by its name, then by the editor's language id, else plain text.

    `path` may be None for text without a file; only its last part is looked at. `text` is asked
    only where the name alone doesn't tell.
    """
    name = PurePath(path).name.lower() if path else ""
    for candidate, is_certain in _candidates(name, language_id or "plaintext"):
        if is_certain or candidate.accepts is None or candidate.accepts(text):
            return candidate
    return all_formats()[-1]


# An editor asks for the same few files at each keystroke.
@lru_cache(maxsize=256)
def _candidates(name: str, language_id: str) -> tuple[tuple[Format, bool], ...]:
    """The formats that a file can have, the likeliest first, and whether the name is enough."""
    by_name = [
        (each, _matches(name, each.own_patterns))
        for each in all_formats()
        if _matches(name, each.own_patterns) or _matches(name, each.patterns)
    ]
    by_language = [(each, False) for each in all_formats() if language_id in each.language_ids]
    return (*by_name, *by_language)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return bool(patterns) and _compiled(patterns).match(name) is not None


@cache
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the patterns: a folder of thousands of files asks with a new name each time."""
    return re.compile("|".join(map(translate, patterns)))


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are asked."""
    modules = (import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
    formats = (replace(each.FORMAT, documentation=each.__doc__) for each in modules)
    finished = (replace(each, parse=_finished(each)) for each in formats)
    return tuple(sorted(finished, key=lambda each: (each.precedence, each.name)))


def _finished(file_format: Format) -> Callable[[str], Prompt]:
    """The reader with what all have in common: name, partials, and a problem for silence.

    The problem is that nothing is sent of a file that isn't blank. What is filled in later and what
    can't be counted is named by the count itself.
    """

    @wraps(file_format.parse)
    def read(text: str) -> Prompt:
        prompt = file_format.parse(text)
        partials = sum(each.kind == "partial" for each in prompt.placeholders)
        uncounted = (*prompt.uncounted, *([Uncounted("partial", partials)] if partials else ()))
        prompt = replace(prompt, format=file_format.name, uncounted=uncounted)
        is_said = prompt.problems or prompt.value_count or uncounted or prompt.has_open_turn
        start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
        if is_said or any(each.text for each in prompt.messages) or start == len(text):
            return prompt
        what = "no text to send was found in this file, so it counts 0"
        return replace(prompt, problems=(Problem(start, start + 1, what, "empty"),))

    return read

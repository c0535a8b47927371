"""What kinds of values settings have: each is read from what TOML and editors have, or unfit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CustomEncoding:
    """A tokenizer file that is counted with, under a name of the user's own."""

    path: str
    """As written; relative to the settings file's folder."""
    base: str | None = None
    """The folder that `path` is relative to."""
    pattern: str | None = None
    """What splits a text first, for a `.tiktoken` file, which doesn't say: a name or a regex."""


class Unfit(ValueError):
    """The value of a setting is not of its kind; the message says what is."""


def text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise Unfit("should be text")


def one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value in choices:
            return value
        raise Unfit(f"should be one of {', '.join(choices)}")

    return read


def texts(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Unfit("should be a list of texts")


class PartlyUnfit(Unfit):
    """Some entries of a table are not of its kind; `value` has the others."""

    def __init__(self, value: dict[str, Any], problems: dict[str, str]) -> None:
        self.value = value
        self.problems = problems


def table(
    read: Callable[[object], Any], what: str, reserved: Callable[[], Sequence[str]] | None = None
) -> Callable[[object], dict[str, Any]]:
    """A reader of tables, which keeps the entries that are right.

    Where some names are `reserved`, the others are names that are shown.
    """

    def read_table(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise Unfit(f"should be a table of {what}")
        entries: dict[str, Any] = {}
        problems: dict[str, str] = {}
        for key, item in value.items():
            if reserved and key in reserved():
                problems[str(key)] = "comes with promptls; choose another name"
            elif reserved and not (str(key).isprintable() and str(key).strip()):
                problems[str(key)] = "has characters that can't be shown; choose another name"
            elif item is not None:
                try:
                    entries[str(key)] = read(item)
                except Unfit as error:
                    problems[str(key)] = str(error)
        if problems:
            raise PartlyUnfit(entries, problems)
        return entries

    return read_table


def budget(value: object) -> int | dict[str, int]:
    return _budgets(value) if isinstance(value, Mapping) else _count(value)


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise Unfit("should be a number of tokens above 0, or a table of pattern = number")


_budgets = table(_count, "pattern = number")


def custom_encoding(value: object) -> CustomEncoding:
    if isinstance(value, Mapping) and isinstance(value.get("path"), str) and value["path"]:
        pattern = value.get("pattern")
        if pattern is None or (isinstance(pattern, str) and pattern):
            return CustomEncoding(value["path"], pattern=pattern)
        raise Unfit('should have as its pattern "gpt2", "cl100k", "o200k" or a regular expression')
    raise Unfit('should have a path, such as encodings.mine.path = "mine.json"')

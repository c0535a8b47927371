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


@dataclass(frozen=True)
class Kind:
    """How a value is read, which may be `Unfit`, and the JSON schema of what can be."""

    read: Callable[[object], Any]
    schema: dict[str, Any]


class Unfit(ValueError):
    """The value of a setting is not of its kind; the message says what is."""


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise Unfit("should be text")


TEXT = Kind(_text, {"type": "string"})


def one_of(*choices: str) -> Kind:
    def read(value: object) -> str:
        if value in choices:
            return value
        raise Unfit(f"should be one of {', '.join(choices)}")

    return Kind(read, {"type": "string", "enum": list(choices)})


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Unfit("should be a list of texts")


TEXTS = Kind(_texts, {"type": "array", "items": TEXT.schema})


class PartlyUnfit(Unfit):
    """Some entries of a table are not of its kind; `value` has the others."""

    def __init__(self, value: dict[str, Any], problems: dict[str, str]) -> None:
        self.value = value
        self.problems = problems


def table(kind: Kind, what: str, reserved: Callable[[], Sequence[str]] | None = None) -> Kind:
    """A table of values of one kind, of which the entries that are right are kept.

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
                    entries[str(key)] = kind.read(item)
                except Unfit as error:
                    problems[str(key)] = str(error)
        if problems:
            raise PartlyUnfit(entries, problems)
        return entries

    return Kind(read_table, {"type": "object", "additionalProperties": kind.schema})


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise Unfit("should be a number of tokens above 0, or a table of pattern = number")


_COUNT = Kind(_count, {"type": "integer", "minimum": 1})
_COUNTS = table(_COUNT, "pattern = number")


def _budget(value: object) -> int | dict[str, int]:
    budget: int | dict[str, int] = (_COUNTS if isinstance(value, Mapping) else _COUNT).read(value)
    return budget


BUDGET = Kind(_budget, {**_COUNT.schema, **_COUNTS.schema, "type": ["integer", "object"]})


def _custom_encoding(value: object) -> CustomEncoding:
    if isinstance(value, Mapping) and isinstance(value.get("path"), str) and value["path"]:
        pattern = value.get("pattern")
        if pattern is None or (isinstance(pattern, str) and pattern):
            return CustomEncoding(value["path"], pattern=pattern)
        raise Unfit('should have as its pattern "gpt2", "cl100k", "o200k" or a regular expression')
    raise Unfit('should have a path, such as encodings.mine.path = "mine.json"')


CUSTOM_ENCODING = Kind(
    _custom_encoding,
    {
        "type": "object",
        "properties": {"path": TEXT.schema, "pattern": TEXT.schema},
        "required": ["path"],
    },
)

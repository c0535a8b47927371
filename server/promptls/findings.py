"""What a rule has to say: findings and the fixes that it offers. Offsets are characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How much a finding matters; the numbers are LSP's."""

    ERROR = 1
    WARNING = 2
    INFO = 3
    HINT = 4

    @classmethod
    def named(cls, name: str) -> Severity:
        """`error`, `warning`, `info` or `hint`. Raises KeyError."""
        return cls[name.upper()]

    def __str__(self) -> str:
        return self.name.lower()


class Edit(NamedTuple):
    """Replace file[start:end] by `new_text`."""

    start: int
    end: int
    new_text: str


@dataclass(frozen=True)
class Fix:
    """A change that mends a finding. `title` says what it does, as an imperative."""

    title: str
    edits: tuple[Edit, ...]
    automatic: bool = True
    """Whether `--fix` and fix-all apply it: it is safe, and applying it twice changes nothing."""


@dataclass(frozen=True)
class Finding:
    """What is wrong in file[start:end]: the message states the problem, the fix the action."""

    rule: str
    severity: Severity
    message: str
    start: int
    end: int
    fixes: tuple[Fix, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text. Of two that overlap, the one that begins first wins."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        if edit.start >= at:
            parts += (text[at : edit.start], edit.new_text)
            at = edit.end
    return "".join([*parts, text[at:]])

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


class SettingChange(NamedTuple):
    """Add a value to a setting that is a list, in the settings file that governs the prompt."""

    name: str
    value: str


@dataclass(frozen=True)
class Fix:
    """A change that fixes a finding. `title` says what it does, as an imperative."""

    title: str
    edits: tuple[Edit, ...]
    automatic: bool = True
    """Whether `--fix` and fix-all apply it: it is safe, and applying it twice changes nothing."""
    setting: SettingChange | None = None
    """What to change in the settings, for a fix that says that the text is meant."""


@dataclass(frozen=True)
class Finding:
    """What is wrong in file[start:end]: the message states the problem, the fix the action."""

    rule: str
    severity: Severity
    message: str
    start: int
    end: int
    fixes: tuple[Fix, ...] = ()

    @property
    def automatic_fix(self) -> Fix | None:
        """The first fix that is applied without being asked for."""
        return next((fix for fix in self.fixes if fix.automatic), None)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text. Of two that overlap, the one that begins first wins."""
    return apply_fixes(text, (Fix("", (edit,)) for edit in edits))


def apply_fixes(text: str, fixes: Iterable[Fix]) -> str:
    """Apply fixes to a text, each wholly or not at all.

    Of two that overlap, or that begin at the same place, the first wins.
    """
    taken: list[Edit] = []
    free_from = 0
    for edits in sorted(sorted(fix.edits) for fix in fixes if fix.edits):
        if edits[0].start >= free_from:
            taken += edits
            free_from = max(edits[-1].end, edits[0].start + 1)
    parts: list[str] = []
    at = 0
    for edit in taken:
        parts += (text[at : edit.start], edit.new_text)
        at = edit.end
    return "".join([*parts, text[at:]])

"""What a rule has to say: findings and the fixes that it offers. Offsets are characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

from .text import Edit, edited


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


class SettingChange(NamedTuple):
    """Add a value to a setting that is a list, in the settings file that governs the prompt."""

    name: str
    value: str


Applicability = Literal["safe", "unsafe", "manual"]
"""Who applies a fix, after ruff's distinction.

- `safe`: `--fix` and fix-all. A model reads the same: what goes says nothing (a character without
  width, a direction control), is written otherwise without being another text (canonically
  equivalent characters, a no-break space for a space, the kind of line end), or follows the last
  word of a turn that is over.
- `unsafe`: `--unsafe-fixes` too. A model reads something else, most probably what is meant.
- `manual`: only who looks at it. There are several ways, or it is a matter of taste.

A fix that isn't manual fixes its finding, and applying it twice changes nothing.
"""


@dataclass(frozen=True)
class Fix:
    """A change that fixes a finding. `title` says what it does, as an imperative."""

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = "unsafe"
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
    subject: str | None = None
    """What it is about: many findings of a rule with one subject are one fault, said once."""

    @property
    def preferred_fix(self) -> Fix | None:
        """The fix that needs no choice, if there is one; it may be unsafe."""
        return next((fix for fix in self.fixes if fix.applicability != "manual"), None)


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
    return edited(text, taken)

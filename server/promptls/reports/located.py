"""A finding with its place by line and column: what every report is written from."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from subword.lines import LINE_END

from ..findings import Applicability, Finding
from ..reading.reading import Reading
from ..rules.checking import Checked
from ..rules.fixing import mended_by
from ..settings.tables import BadSetting, SettingPlace
from ..sources.repository import path_in_repository
from ..text import Position

# No report shows more of a line than this on each side of a finding, in characters.
_CONTEXT = 200


class LocatedEdit(NamedTuple):
    start: Position
    end: Position
    text: str


class LocatedFix(NamedTuple):
    title: str
    edits: tuple[LocatedEdit, ...]
    applicability: Applicability


class Excerpt(NamedTuple):
    """The line on which a finding begins: the finding's part of it and what stands around."""

    before: str
    found: str
    after: str


@dataclass(frozen=True)
class Located:
    """A finding in a file, on its own: the file's text is no longer needed."""

    path: str
    """As the user knows it."""
    rule: str
    severity: str
    message: str
    start: Position
    end: Position
    fixes: tuple[LocatedFix, ...]
    mended_by: Applicability | None
    """`safe` when `--fix` mends it, `unsafe` when `--unsafe-fixes` does."""
    excerpt: Excerpt
    digest: str
    """Of the rule and the text that was found, wherever it stands; says nothing of the text."""
    occurrence: int
    """How many with the same digest come before it in the file."""

    @property
    def fingerprint(self) -> str:
        """Tells this finding from all others, also after lines were added above it."""
        return _hash(self.repository_path, self.digest, str(self.occurrence))

    @property
    def repository_path(self) -> str:
        """The file's path from the top of its repository, whatever it was called."""
        return path_in_repository(self.path)


def locate(checked: Checked, name: str) -> list[Located]:
    """The findings with their places; `name` is what the user calls the file."""
    seen: Counter[str] = Counter()
    mended = mended_by(checked)
    located, reading = [], checked.reading
    for finding in checked.findings:
        digest = _hash(finding.rule, reading.text[finding.start : finding.end])
        located.append(
            Located(
                name,
                finding.rule,
                str(finding.severity),
                finding.message,
                place(reading, finding.start),
                place(reading, finding.end),
                _fixes(reading, finding),
                mended.get(finding),
                _excerpt(reading, finding),
                digest,
                seen[digest],
            )
        )
        seen[digest] += 1
    return located


# What a fault of the settings is called where a finding has its rule.
SETTINGS = "settings"


def locate_fault(fault: BadSetting) -> Located:
    """A setting that can't be used as a finding: at its key, or at the beginning of the file."""
    line, start, end, text = fault.place or SettingPlace(0, 0, 0, "")
    return Located(
        fault.source,
        SETTINGS,
        "error",
        ": ".join(filter(None, (fault.name, fault.message))),
        Position(line, start),
        Position(line, end),
        (),
        None,
        Excerpt(text[max(start - _CONTEXT, 0) : start], text[start:end], text[end:][:_CONTEXT]),
        _hash(SETTINGS, fault.name, fault.message),
        0,
    )


def place(reading: Reading, offset: int) -> Position:
    """The place of a character of the file, its column in characters."""
    line = bisect_right(reading.line_starts, offset) - 1
    return Position(line, offset - reading.line_starts[line])


def _fixes(reading: Reading, finding: Finding) -> tuple[LocatedFix, ...]:
    return tuple(
        LocatedFix(
            fix.title,
            tuple(
                LocatedEdit(place(reading, e.start), place(reading, e.end), e.text)
                for e in fix.edits
            ),
            fix.applicability,
        )
        for fix in finding.fixes
    )


def _excerpt(reading: Reading, finding: Finding) -> Excerpt:
    text, start = reading.text, finding.start
    line_start = start - place(reading, start).column
    line_end = LINE_END.search(text, start)
    stop = line_end.start() if line_end else len(text)
    end = min(finding.end, stop)
    return Excerpt(
        text[max(line_start, start - _CONTEXT) : start],
        text[start : min(end, start + _CONTEXT)],
        text[end : min(stop, end + _CONTEXT)],
    )


def _hash(*parts: str) -> str:
    """A short digest of texts, each of which ends where a NUL says."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:16]

"""Findings as plain data, in the shape that programs rely on; columns are characters from 0."""

from __future__ import annotations

from typing import TypedDict

from ..findings import Applicability
from ..text import Position
from .located import Located


class PlaceRow(TypedDict):
    line: int
    character: int


class RangeRow(TypedDict):
    start: PlaceRow
    end: PlaceRow


class FindingRow(TypedDict):
    rule: str
    severity: str
    message: str
    path: str
    range: RangeRow
    fixable: bool
    applicability: Applicability | None


def finding_row(finding: Located) -> FindingRow:
    """A finding; `fixable` says whether `--fix` mends it, or with `unsafe` `--unsafe-fixes`."""
    return FindingRow(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        path=finding.path,
        range=RangeRow(start=_place(finding.start), end=_place(finding.end)),
        fixable=finding.mended_by == "safe",
        applicability=finding.mended_by,
    )


def _place(place: Position) -> PlaceRow:
    return PlaceRow(line=place.line, character=place.column)

"""Findings as GitHub's workflow commands, which annotate a pull request.

Source: GitHub's documentation, Workflow commands for GitHub Actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..wording import visible
from .located import Located

COMMANDS = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}


def report(findings: Iterable[Located]) -> Iterator[str]:
    """One command, which is one line, for each finding."""
    for finding in findings:
        properties = {
            "title": f"promptls ({finding.rule})",
            "file": finding.repository_path,
            "line": finding.start.line + 1,
            "col": finding.start.column + 1,
            "endLine": finding.end.line + 1,
            "endColumn": finding.end.column + 1,
        }
        if finding.start.line != finding.end.line:
            # GitHub takes columns only where a finding is on one line.
            del properties["col"], properties["endColumn"]
        listed = ",".join(f"{name}={_property(str(v))}" for name, v in properties.items())
        yield f"::{COMMANDS[finding.severity]} {listed}::{_data(finding.message)}"


def _data(text: str) -> str:
    """A text that stays on its line, and in which a terminal that shows the log finds nothing."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

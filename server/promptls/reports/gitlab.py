"""Findings as GitLab's Code Quality report.

Source: GitLab's documentation, Code Quality report format.
"""

from __future__ import annotations

from collections.abc import Iterable

from .located import Located

SEVERITIES = {"error": "critical", "warning": "major", "info": "minor", "hint": "info"}


def report(findings: Iterable[Located]) -> list[dict[str, object]]:
    """One issue for each finding; lines are counted from 1. GitLab
    takes paths from the top of the repository, and no others."""
    return [
        {
            "description": finding.message,
            "check_name": finding.rule,
            "fingerprint": finding.fingerprint,
            "severity": SEVERITIES[finding.severity],
            "location": {
                "path": finding.repository_path,
                "lines": {"begin": finding.start.line + 1, "end": finding.end.line + 1},
            },
        }
        for finding in findings
    ]

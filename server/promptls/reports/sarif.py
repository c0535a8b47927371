"""Findings as SARIF 2.1.0, the format of code scanning services.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PureWindowsPath
from urllib.parse import quote

from .. import __version__
from ..lint.context import Rule
from ..rules import all_rules
from ..text import Position
from .located import Located, LocatedEdit, LocatedFix

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}


def report(
    findings: Sequence[Located], faults: Sequence[Located] = (), errors: Sequence[str] = ()
) -> dict[str, object]:
    """One run with all findings. Paths are relative to the top of the repository.

    `faults` are those of the settings, and `errors` what kept a file from being checked: to SARIF
    these are no results but notifications of a run that didn't succeed.
    """
    rules = [rule.name for rule in all_rules()]
    driver = {
        "name": "promptls",
        "version": __version__,
        "rules": list(map(_rule, all_rules())),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(faults, errors)],
        "results": [_result(finding, rules.index(finding.rule)) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, object]:
    level = LEVELS[str(rule.severity)] if rule.severity else "note"
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.documentation, "markdown": rule.documentation},
        "defaultConfiguration": {"enabled": rule.severity is not None, "level": level},
    }


def _invocation(faults: Sequence[Located], errors: Sequence[str]) -> dict[str, object]:
    """How the run went (SARIF 2.1.0, 3.20): what was wrong with its settings and its files."""
    return {
        "executionSuccessful": not faults and not errors,
        "toolConfigurationNotifications": [
            {
                "descriptor": {"id": fault.rule},
                "level": LEVELS[fault.severity],
                "message": {"text": fault.message},
                "locations": [_location(fault)],
            }
            for fault in faults
        ],
        "toolExecutionNotifications": [
            {"level": "error", "message": {"text": error}} for error in errors
        ],
    }


def _location(finding: Located) -> dict[str, object]:
    artifact = {"uri": uri(finding.repository_path)}
    region = _region(finding.start, finding.end)
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _result(finding: Located, rule_index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding)],
        "partialFingerprints": {"promptls/v1": finding.fingerprint},
    }
    # A fix that changes settings has no edits, and SARIF has no fix without.
    artifact = {"uri": uri(finding.repository_path)}
    if fixes := [_fix(fix, artifact) for fix in finding.fixes if fix.edits]:
        result["fixes"] = fixes
    return result


def _fix(fix: LocatedFix, artifact: dict[str, str]) -> dict[str, object]:
    change = {"artifactLocation": artifact, "replacements": list(map(_replacement, fix.edits))}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _replacement(edit: LocatedEdit) -> dict[str, object]:
    return {
        "deletedRegion": _region(edit.start, edit.end),
        "insertedContent": {"text": edit.text},
    }


def _region(start: Position, end: Position) -> dict[str, int]:
    """Lines and columns from 1; the end column is the one after the last."""
    return {
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
    }


def uri(path: str) -> str:
    """A path as a URI reference: a relative one, or the URI of a file in no repository."""
    quoted = quote(path.replace("\\", "/"), safe="/~", errors="surrogateescape")
    if path.startswith("/"):
        return f"file://{quoted}"
    has_drive = bool(PureWindowsPath(path).drive)
    return f"file:///{quoted.replace('%3A', ':', 1)}" if has_drive else quoted

"""All findings on the examples, as recorded. PROMPTLS_RECORD=1 records them anew."""

from __future__ import annotations

import os
from pathlib import Path

from promptls.reading.reading import read
from promptls.rules.checking import check

EXAMPLES = Path(__file__).parents[3] / "examples"
RECORDED = Path(__file__).with_name("examples.findings.txt")


def described() -> str:
    """One line for each finding: file, line, character, rule, what it marks and what it says."""
    lines = []
    for path in sorted(EXAMPLES.iterdir()):
        text = path.read_bytes().decode("utf-8")
        for finding in check(read(text, path.name)).findings:
            before = text[: finding.start]
            line, column = before.count("\n"), len(before) - before.rfind("\n") - 1
            marked = text[finding.start : finding.end][:40]
            place = f"{path.name}:{line + 1}:{column + 1}"
            lines.append(
                f"{place} {finding.severity} {finding.rule} {marked!a}\n    {finding.message}"
            )
            lines += [f"    fix: {fix.title}" for fix in finding.fixes]
    return "\n".join(lines) + "\n"


def test_the_findings_on_the_examples_are_as_recorded() -> None:
    if os.environ.get("PROMPTLS_RECORD"):
        RECORDED.write_text(described(), encoding="utf-8")
    assert described() == RECORDED.read_text(encoding="utf-8")

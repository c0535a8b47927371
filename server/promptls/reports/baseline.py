"""A baseline: findings that were there before, by digest, so that only new ones are reported.

It holds no prompt text, and no line numbers, so that edits elsewhere in a file change nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from .located import Located

# How often each finding is there: by path, with slashes, rule and digest.
Baseline = Counter[tuple[str, str, str]]


def new_findings(findings: Iterable[Located], known: Baseline) -> list[Located]:
    """The findings that are not in the baseline; of several alike, the last ones are new."""
    left = Counter(known)
    new = []
    for finding in findings:
        key = _key(finding)
        if left[key]:
            left[key] -= 1
        else:
            new.append(finding)
    return new


def dump(findings: Iterable[Located]) -> str:
    """The baseline that knows all these findings, sorted so that it can be merged line by line."""
    files: dict[str, dict[str, dict[str, int]]] = {}
    for (path, rule, digest), count in sorted(Counter(map(_key, findings)).items()):
        files.setdefault(path, {}).setdefault(rule, {})[digest] = count
    return json.dumps({"version": 1, "files": files}, indent=1, ensure_ascii=False) + "\n"


def load(text: str) -> Baseline:
    """Read what `dump` has written. Raises ValueError."""
    try:
        return Counter(
            {
                (path, rule, digest): int(count)
                for path, rules in json.loads(text)["files"].items()
                for rule, digests in rules.items()
                for digest, count in digests.items()
            }
        )
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("not a baseline") from error


def _key(finding: Located) -> tuple[str, str, str]:
    return finding.repository_path, finding.rule, finding.digest

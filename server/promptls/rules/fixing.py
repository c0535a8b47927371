"""Applies fixes, without making another prompt of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..findings import Applicability, Finding, Fix, apply_fixes
from ..formats import detect
from ..reading.reading import Reading
from .checking import Checked, check

# How often a file is read with fixes made to it, to find out which of them would do harm.
_MOST_TRIALS = 100


def fix_all(checked: Checked, rules: frozenset[str] | None = None, unsafe: bool = False) -> str:
    """The text with every safe fix applied, again and again until nothing more is fixed.

    `rules` limits it to the rules of those names; `unsafe` takes the unsafe fixes, too. A fix can
    uncover another finding, so the result is checked again; ten rounds are more than any text
    needs and bound a faulty rule.
    """
    for _ in range(10):
        fixes = list(automatic_fixes(checked.findings, rules, unsafe))
        fixed = with_fixes(checked.reading, _harmless(checked.reading, fixes))
        if fixed is None or fixed.text == checked.reading.text:
            break
        checked = check(fixed)
    return checked.reading.text


def with_fixes(reading: Reading, fixes: Iterable[Fix]) -> Reading | None:
    """The reading of the text with fixes applied; None if that is another prompt than before.

    Removing a character can make a role line, a marker or a placeholder of what was only text, or
    another format of the file.
    """
    fixed = reading.again(apply_fixes(reading.text, fixes))
    is_same = _detected(fixed) == _detected(reading) and _skeleton(fixed) == _skeleton(reading)
    return fixed if is_same else None


def _detected(reading: Reading) -> str:
    """The format that the file's name and text alone tell."""
    return detect(reading.path, reading.text).name


def _harmless(reading: Reading, fixes: list[Fix], trials: Iterator[int] | None = None) -> list[Fix]:
    """The fixes without those that would make another prompt of it.

    Each trial reads the whole file; once there were too many, what isn't known to be harmless is
    left out.
    """
    trials = iter(range(_MOST_TRIALS)) if trials is None else trials
    if not fixes or next(trials, None) is None:
        return []
    if with_fixes(reading, fixes):
        return fixes
    half = len(fixes) // 2
    if not half:
        return []
    first = _harmless(reading, fixes[:half], trials)
    second = _harmless(reading, fixes[half:], trials)
    if not (first and second):
        return first or second
    # What each may do alone, both may not: the space between two braces can be two characters.
    together = [*first, *second]
    return together if next(trials, None) is not None and with_fixes(reading, together) else first


def _skeleton(reading: Reading) -> list[object]:
    """What no fix may change: header, roles, placeholders and the format's own markers."""
    text, prompt = reading.text, reading.prompt
    spans = (prompt.header or (0, 0), *prompt.structure, *(p[:2] for p in prompt.placeholders))
    return [[m.role for m in prompt.messages], *(text[start:end] for start, end in spans)]


def automatic_fixes(
    findings: list[Finding], rules: frozenset[str] | None = None, unsafe: bool = False
) -> Iterator[Fix]:
    """The fix of each finding that has one which needs no choice, and is safe if it must be."""
    for finding in findings:
        fix = finding.preferred_fix
        is_wanted = rules is None or finding.rule in rules
        if fix and is_wanted and (unsafe or fix.applicability == "safe"):
            yield fix


def mended_by(checked: Checked) -> dict[Finding, Applicability]:
    """How each finding that `--fix` or `--unsafe-fixes` mends is mended.

    A fix that would make another prompt of the file is never applied, so it mends nothing.
    """
    safe = list(automatic_fixes(checked.findings))
    every = list(automatic_fixes(checked.findings, unsafe=True))
    how: dict[int, Applicability] = {}
    # A safe fix can need an unsafe one beside it: alone, it would make a marker of text.
    if len(every) > len(safe):
        how = dict.fromkeys(map(id, _harmless(checked.reading, every)), "unsafe")
    how |= dict.fromkeys(map(id, _harmless(checked.reading, safe)), "safe")
    fixes = ((finding, finding.preferred_fix) for finding in checked.findings)
    return {finding: how[id(fix)] for finding, fix in fixes if fix and id(fix) in how}

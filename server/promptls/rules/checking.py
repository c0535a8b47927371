"""Checks a reading by the rules that its settings leave on."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ..findings import Finding, Fix
from ..lint.context import FLOOD, MANY, Context, Rule, Superseded
from ..reading.encodings import CANNOT_COUNT
from ..reading.reading import Reading
from . import all_rules

logger = logging.getLogger(__name__)


class Checked(NamedTuple):
    """A reading and what the rules found in it, in the order of the file."""

    reading: Reading
    findings: list[Finding]


def check(reading: Reading, is_superseded: Callable[[], bool] = lambda: False) -> Checked:
    """What all rules find that are on, none of it in a flood.

    Raises `Superseded` when somebody says that the text is no longer the current one.
    """
    context = Context(reading, is_superseded)
    findings = [finding for rule in active_rules(reading) for finding in _findings(rule, context)]
    return Checked(reading, sorted(findings, key=attrgetter("start", "end", "rule")))


def active_rules(reading: Reading) -> list[Rule]:
    """The rules that the settings leave on for this file."""
    settings = reading.settings
    return [
        rule
        for rule in all_rules()
        if settings.rule_severity(rule.name, rule.severity) is not None
        and not settings.is_ignored(rule.name, reading.path)
    ]


def _findings(rule: Rule, context: Context) -> list[Finding]:
    """A rule's findings; a rule that fails is logged, by name only, and finds nothing."""
    try:
        found = list(rule.check(context))
    except Superseded:
        raise
    except CANNOT_COUNT:
        # Without a tokenizer there is nothing to be said; rules that need none go on.
        return []
    except Exception as error:  # noqa: BLE001 — one broken rule must not silence the others.
        # The message of an error can hold prompt text, so only its type is logged.
        logger.error("the rule %s failed with %s", rule.name, type(error).__name__)
        return []
    grouped = defaultdict[object, list[Finding]](list)
    for index, finding in enumerate(found):
        fix = finding.preferred_fix
        is_alone = finding.subject is None
        grouped[index if is_alone else (finding.subject, fix and fix.applicability)].append(finding)
    said = [each for group in grouped.values() for each in _said_once(group, MANY)]
    # What is found together is mended alike, or it is not one.
    by_fix = groupby(sorted(said, key=_fixed_by), _fixed_by)
    return [each for _, group in by_fix for each in _said_once([*group], FLOOD)]


def _fixed_by(finding: Finding) -> str:
    return finding.preferred_fix.applicability if finding.preferred_fix else ""


def _said_once(findings: list[Finding], most: int) -> list[Finding]:
    """More findings of one rule than that as one, at the first of them, with one fix for all."""
    if len(findings) <= most:
        return findings
    first, count = findings[0], len(findings)
    fixes = [fix for fix in map(attrgetter("preferred_fix"), findings) if fix]
    edits = tuple(dict.fromkeys(edit for fix in fixes for edit in fix.edits))
    title = f"Fix all {len(fixes):,} {first.rule} findings"
    fix_all = (Fix(title, edits, fixes[0].applicability),) if fixes else ()
    message = f"{first.message} (the first of {count:,} findings of {first.rule} in this file)"
    return [replace(first, message=message, fixes=fix_all)]

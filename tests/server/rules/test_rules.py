"""What holds for every rule, on the texts of its own test file."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest

from promptls import __version__
from promptls.findings import Severity
from promptls.lint.context import GROUPS, Rule
from promptls.reading.reading import read
from promptls.rules import all_rules
from promptls.rules.checking import check
from promptls.rules.fixing import fix_all
from promptls.settings import all_settings

from .tables import TABLES, Row, found, unmarked

EVERY_RULE = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
SUREST = ("safe", "unsafe", "manual")


def table_of(rule: Rule) -> list[Row]:
    """The rows of tests/server/rules/test_RULE.py."""
    import_module(f"{__package__}.test_{rule.name.replace('-', '_')}")
    return TABLES[rule.name]


@EVERY_RULE
def test_it_is_known_what_it_reports_and_what_it_leaves_alone(rule: Rule) -> None:
    marked = {"⟦" in row.marked for row in table_of(rule)}
    assert marked == {True, False}


@EVERY_RULE
def test_it_is_what_it_says(rule: Rule) -> None:
    assert rule.group in GROUPS
    assert set(rule.options) <= {each.metadata["name"] for each in all_settings()}
    numbers = [tuple(map(int, each.split("."))) for each in (rule.since, __version__)]
    assert numbers[0] <= numbers[1]


@EVERY_RULE
def test_its_fix_is_as_sure_as_it_says_and_no_surer(rule: Rule) -> None:
    how = set[str]()
    for row in table_of(rule):
        for finding in found(rule.name, unmarked(row.marked)[0], row):
            how |= {fix.applicability for fix in finding.fixes if fix.edits}
    assert min(how, key=SUREST.index, default=None) == rule.fix


@EVERY_RULE
def test_fixing_twice_is_fixing_once(rule: Rule) -> None:
    for row in table_of(rule):
        once = fix_all(check(read(unmarked(row.marked)[0], row.path, row.settings)), unsafe=True)
        assert fix_all(check(read(once, row.path, row.settings)), unsafe=True) == once, once


@EVERY_RULE
def test_the_settings_decide_how_much_it_matters(rule: Rule) -> None:
    for row in table_of(rule):
        text, spans = unmarked(row.marked)
        as_error = replace(row.settings, rules={rule.name: "error"})
        severities = {f.severity for f in found(rule.name, text, replace(row, settings=as_error))}
        assert severities == ({Severity.ERROR} if spans else severities)
        off = replace(row.settings, rules={rule.name: "off"})
        elsewhere = replace(as_error, per_file_ignores={"*": (rule.name,)})
        for settings in (off, elsewhere):
            assert not found(rule.name, text, replace(row, settings=settings))


@EVERY_RULE
def test_it_finds_whole_characters_and_says_something(rule: Rule) -> None:
    for row in table_of(rule):
        text = unmarked(row.marked)[0]
        for finding in found(rule.name, text, row):
            assert finding.message and all(fix.title for fix in finding.fixes)
            for edge in (finding.start, finding.end):
                assert edge == 0 or text[edge - 1 : edge + 1] != "\r\n", finding

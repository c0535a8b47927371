"""What the rules' pages show is true."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace

import pytest

from promptls.findings import Finding, apply_fixes
from promptls.lint.context import Rule
from promptls.reading.reading import read
from promptls.rules import all_rules
from promptls.rules.checking import Checked, check
from promptls.rules.fixing import fix_all
from promptls.settings import Settings
from promptls.settings.tables import read_settings
from subword import get_encoding

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SECTIONS = ["What it does", "Why it matters", "Example", "Use instead", "Fix", "Known limits"]
RULES = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)


@dataclass
class Sample:
    """An example of a page: its text, and the file name and settings that the page gives it."""

    text: str
    path: str
    settings: Settings


def sections(rule: Rule) -> dict[str, str]:
    parts = re.split(r"^## (.*)$", rule.documentation, flags=re.MULTILINE)
    return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def sample(section: str) -> Sample | None:
    """The code with which a section begins; None if it begins with prose."""
    fenced = re.match(r"```\n(.*?)\n```", section, re.DOTALL)
    inline = re.match(r"`(.*?)`", section)
    if fenced:
        text = fenced[1]
    elif inline:
        text = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), inline[1])
        text = text.replace("\\r", "\r").replace("\\n", "\n")
    else:
        return None
    path = re.search(r"\(as `(.*?)`\)", section)
    setting = re.search(r"\(with `(.*?)`\)", section)
    settings, bad = read_settings(tomllib.loads(setting[1]) if setting else {}, "the page")
    assert not bad
    return Sample(text, path[1] if path else "prompt.txt", settings)


def checked(rule: Rule, shown: Sample) -> tuple[list[Finding], Checked]:
    level = {} if rule.severity else {rule.name: "hint"}
    settings, _ = read_settings({"rules": level}, "the test", shown.settings)
    found = check(read(shown.text, shown.path, settings))
    return [finding for finding in found.findings if finding.rule == rule.name], found


@RULES
def test_a_page_has_its_sections_in_order(rule: Rule) -> None:
    parts = sections(rule)
    assert list(parts) in (SECTIONS, [*SECTIONS, "References"])
    assert parts["Fix"].startswith("None") == (rule.fix is None)
    assert parts["Fix"].startswith("Offered") == (rule.fix == "manual")
    assert rule.summary.endswith(".") and len(rule.summary) < 100


@RULES
def test_the_example_is_found_and_the_better_text_is_what_the_fix_makes_of_it(rule: Rule) -> None:
    example = sample(sections(rule)["Example"])
    assert example is not None
    findings, found = checked(rule, example)
    assert findings
    better = sample(sections(rule)["Use instead"])
    if better is None:
        assert rule.fix is None
        return
    assert not checked(rule, replace(example, text=better.text))[0]
    if rule.fix == "manual":
        assert apply_fixes(example.text, [findings[0].fixes[0]]) == better.text
    elif rule.fix:
        assert fix_all(found, frozenset([rule.name]), unsafe=True) == better.text


COUNT = re.compile(r"`([^`]+)` is\s+(\d+)\s+tokens?\s+in\s+`(\w+)`")
EACH = re.compile(r"`([^`]+)` and `([^`]+)` are each (\d+) tokens in `(\w+)`")


@RULES
def test_the_counts_on_a_page_are_true(rule: Rule) -> None:
    claims = [(text, count, name) for text, count, name in COUNT.findall(rule.documentation)]
    for first, second, count, name in EACH.findall(rule.documentation):
        claims += [(first, count, name), (second, count, name)]
    for text, count, name in claims:
        text = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
        text = text.replace("\\r", "\r").replace("\\n", "\n")
        assert get_encoding(name).count(text) == int(count), text


@RULES
def test_a_page_counts_only_in_that_way(rule: Rule) -> None:
    """So that no number of tokens on a page goes unproved."""
    rest = EACH.sub("", COUNT.sub("", rule.documentation))
    allowed = re.sub(r"at least \d+ tokens", "", rest)
    assert not re.search(r"\d+\s+tokens?\b", allowed)

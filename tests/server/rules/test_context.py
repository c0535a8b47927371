"""What rules are given to look at, and what becomes of what they find."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.findings import Finding, Fix, Severity, apply_edits, apply_fixes
from promptls.lint import context
from promptls.lint.context import FLOOD, Context, Rule, Superseded
from promptls.reading.reading import read
from promptls.rules import all_rules, checking
from promptls.rules.checking import check
from promptls.rules.fixing import fix_all
from promptls.settings import Settings
from promptls.text import Edit, edited
from subword import list_encodings

WORDS = st.lists(
    st.sampled_from(
        ["a", "word", " ", "  ", "\n", "\r\n", "é", "e\u0301", "漢字", "123", ".", "😀"]
    ),
    max_size=60,
).map("".join)


@given(WORDS, st.sampled_from(["a+", r"\s+", "word|a", r"\d{2}", "(?=.)", "[^a]+$"]))
def test_a_search_in_turns_finds_what_one_search_finds(text: str, pattern: str) -> None:
    compiled = re.compile(pattern)
    whole = [match.span() for match in compiled.finditer(text) if match.start() < len(text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context, "_STRETCH", 5)
        turns = [match.span() for match in Context(read(text)).search(compiled, text, 16)]
    assert turns == whole


def test_a_search_stops_when_the_text_is_superseded() -> None:
    answers = iter([False, True])
    looked_at = Context(read("a" * 300_000), lambda: next(answers))
    with pytest.raises(Superseded):
        list(looked_at.search(re.compile("b"), looked_at.text))


def test_superseded_is_not_taken_for_a_broken_rule() -> None:
    with pytest.raises(Superseded):
        check(read("text"), lambda: True)


@given(WORDS, WORDS, WORDS, WORDS, st.sampled_from(list_encodings()))
def test_a_saving_is_what_counting_both_texts_says(
    before: str, old: str, new: str, after: str, encoding: str
) -> None:
    looked_at = Context(read("", settings=Settings(encoding=encoding)))
    text = before + old + after
    change = Edit(len(before), len(before) + len(old), new)
    count = looked_at.encoding.count
    assert looked_at.saving(text, change) == count(text) - count(edited(text, iter([change])))


GAPS = [
    ("Name: {{x}}", [6]),
    ("{{x}} and {{y}}.", [0, 5]),
    ("a {# note #} b", []),
    ("{% if x %}a{% endif %}", [0, 1]),
]


@pytest.mark.parametrize(("text", "gaps"), GAPS)
def test_a_gap_is_where_something_was_taken_out(text: str, gaps: list[int]) -> None:
    looked_at = Context(read(text, "x.j2"))
    assert looked_at.gaps(looked_at.prompt.messages[0]) == gaps


APPLIED = [
    ([[(0, 1, "A")], [(2, 3, "C")]], "AbCd"),
    ([[(0, 2, "X")], [(1, 3, "Y")]], "Xcd"),
    ([[(1, 1, "-")], [(1, 1, "-")]], "a-bcd"),
    ([[(1, 2, "")], [(2, 3, "")]], "ad"),
    ([[(0, 1, ""), (3, 4, "")], [(1, 2, "X")]], "bc"),
    ([[]], "abcd"),
]


@pytest.mark.parametrize(("fixes", "expected"), APPLIED)
def test_fixes_are_made_wholly_or_not_at_all(fixes: list[list[Edit]], expected: str) -> None:
    made = [Fix("", tuple(Edit(*edit) for edit in edits)) for edits in fixes]
    assert apply_fixes("abcd", made) == apply_fixes("abcd", reversed(made)) == expected


def test_edits_alone_are_made_where_they_do_not_overlap() -> None:
    assert apply_edits("abcd", [Edit(2, 4, "X"), Edit(0, 1, ""), Edit(3, 4, "Y")]) == "bX"


@pytest.mark.parametrize(("count", "findings"), [(FLOOD, FLOOD), (FLOOD + 1, 1), (3000, 1)])
def test_a_flood_is_one_finding_that_says_how_many(count: int, findings: int) -> None:
    checked = check(read("<|im_end|> " * count + "end"))
    assert len(checked.findings) == findings
    assert (f"{count:,} findings" in checked.findings[0].message) == (findings == 1)
    assert fix_all(checked, unsafe=True) == "<|im_end |> " * count + "end"


def test_one_broken_rule_does_not_silence_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(context: Context) -> Iterator[Finding]:
        raise ValueError(context.text)

    broken = Rule(fails, "tokens", Severity.INFO, since="0.1.0", name="broken")
    rules = (broken, *all_rules())
    monkeypatch.setattr(checking, "all_rules", lambda: rules)
    with caplog.at_level(logging.ERROR):
        found = check(read("A secret <|im_end|>")).findings
    assert [finding.rule for finding in found] == ["control-token"]
    assert "broken" in caplog.text and "secret" not in caplog.text


LEVELS = [
    ({}, None, [Severity.WARNING]),
    ({"control-token": "error"}, None, [Severity.ERROR]),
    ({"control-token": "off"}, None, []),
    ({}, "tests/x.md", []),
    ({}, "src/x.md", [Severity.WARNING]),
]


@pytest.mark.parametrize(("rules", "path", "severities"), LEVELS)
def test_settings_say_how_much_a_rule_matters(
    rules: dict[str, str], path: str | None, severities: list[Severity]
) -> None:
    settings = Settings(rules=rules, per_file_ignores={"tests/*": ("control-token",)})
    found = check(read("<|im_end|>", path, settings)).findings
    assert [finding.severity for finding in found] == severities


def test_a_fix_that_allows_a_token_changes_a_setting() -> None:
    finding = check(read("<|im_end|>")).findings[0]
    allow = finding.fixes[-1]
    assert allow.setting == ("allowedTokens", "<|im_end|>")
    assert not allow.edits and allow.applicability == "manual"

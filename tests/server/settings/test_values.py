"""Settings that can't be used: each is named precisely, and what is right beside it applies."""

from __future__ import annotations

from typing import Any

import pytest

from promptls.settings import Settings
from promptls.settings.kinds import CustomEncoding
from promptls.settings_files.files import checked_settings


def check(table: dict[str, Any], expected: Settings, *problems: tuple[str, str]) -> None:
    settings, bad = checked_settings(table, "here", Settings())
    assert settings == expected
    assert all(problem.source == "here" for problem in bad)
    assert [problem.name for problem in bad] == [name for name, _ in problems]
    for problem, (_, part) in zip(bad, problems, strict=True):
        assert part in problem.message


@pytest.mark.parametrize(
    ("table", "expected", "problems"),
    [
        ({}, Settings(), []),
        ({"encoding": None, "rules": None}, Settings(), []),
        ({"encoding": 7}, Settings(), [("encoding", "should be text")]),
        ({"encodign": "gpt2"}, Settings(), [("encodign", "did you mean encoding?")]),
        ({"hints": {"mode": "off"}}, Settings(hint_mode="off"), []),
        ({"hints.mode": "off"}, Settings(hint_mode="off"), []),
        ({"hints": {"mode": "loud"}}, Settings(), [("hints.mode", "line, cumulative")]),
        (
            {"rules": {"special-token": "fatal", "not-nfc": "off"}},
            Settings(rules={"not-nfc": "off"}),
            [("rules.special-token", "off, hint, info, warning, error")],
        ),
        (
            {"rules": {"special-tokens": "off"}},
            Settings(rules={"special-tokens": "off"}),
            [("rules.special-tokens", "did you mean special-token?")],
        ),
        (
            {"perFileIgnores": {"*.md": ["nope-at-all", "not-nfc"]}},
            Settings(per_file_ignores={"*.md": ("nope-at-all", "not-nfc")}),
            [("perFileIgnores.*.md", "there is no rule nope-at-all")],
        ),
        (
            {"budget": {"*.txt": "many", "a*": 3, "b*": True}},
            Settings(budget={"a*": 3}),
            [("budget.*.txt", "number of tokens"), ("budget.b*", "number of tokens")],
        ),
        ({"budget": -1}, Settings(), [("budget", "above 0")]),
        ({"family": "nonsense"}, Settings(family="nonsense"), [("family", "llama-3")]),
        ({"family": "llama"}, Settings(family="llama"), []),
        (
            {"encodings": {"gpt2": {"path": "x.json"}}},
            Settings(encodings={}),
            [("encodings.gpt2", "choose another name")],
        ),
        ({"samples": {"a": 1}}, Settings(samples={}), [("samples.a", "should be text")]),
    ],
)
def test_settings(
    table: dict[str, Any], expected: Settings, problems: list[tuple[str, str]]
) -> None:
    check(table, expected, *problems)


MINE = Settings(encodings={"mine": CustomEncoding("m.tiktoken", pattern="gpt2")})


@pytest.mark.parametrize(
    "table",
    [
        {"encodings": {"mine": {"path": "m.tiktoken", "pattern": "gpt2"}}},
        {"encodings.mine": {"path": "m.tiktoken", "pattern": "gpt2"}},
        {"encodings.mine.path": "m.tiktoken", "encodings.mine.pattern": "gpt2"},
        {"encodings.mine.pattern": "gpt2", "encodings.mine.path": "m.tiktoken"},
        {"encodings.mine": {"path": "m.tiktoken"}, "encodings.mine.pattern": "gpt2"},
        {"encodings": {"mine": {"path": "m.tiktoken"}}, "encodings.mine.pattern": "gpt2"},
        {"encodings.mine.pattern": "gpt2", "encodings": {"mine": {"path": "m.tiktoken"}}},
        {"encodings": {"mine.path": "m.tiktoken", "mine.pattern": "gpt2"}},
        {"encodings": {"mine.pattern": "gpt2", "mine": {"path": "m.tiktoken"}}},
    ],
)
def test_a_tokenizer_of_ones_own_in_any_form(table: dict[str, Any]) -> None:
    check(table, MINE)


def test_a_tokenizers_name_may_have_dots() -> None:
    table = {"encodings.mine.v1.5.path": "m.json", "rules.not-nfc": "off"}
    encodings = {"mine.v1.5": CustomEncoding("m.json")}
    check(table, Settings(encodings=encodings, rules={"not-nfc": "off"}))
    check({"encodings.mine.pattern": "gpt2"}, Settings(), ("encodings.mine", "should have a path"))
    check({"encodings": {"path": "m.json"}}, Settings(), ("encodings.path", "should have a path"))

"""Tables of texts for rules, and what several of them are about.

A row marks what must be reported: `⟦…⟧` stands around it and is not part of the text. A row without
marks must give no finding of the rule. `fixed` is the whole text after the rule's fix; `None` means
that there is no fix. What was fixed is checked again: nothing of the rule may be left.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from promptls.findings import Finding, apply_fixes
from promptls.reading.reading import read
from promptls.rules import checking
from promptls.rules.fixing import fix_all
from promptls.settings import Settings

CHATML = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
LLAMA_3 = "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
LLAMA_3_TEMPLATE = (
    "{{ bos }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content }}<|eot_id|>{% endfor %}"
)
CHATML_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
BASE64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v" * 4
PROMPTY = "---\ninputs:\n  city: {type: string}\n  unit: {type: string}\n---\nuser:\n"


def in_chat(content: str) -> str:
    """A chat file of one user message."""
    return json.dumps([{"role": "user", "content": content}], ensure_ascii=False)


@dataclass(frozen=True)
class Row:
    marked: str
    fixed: str | None = None
    path: str | None = "prompt.txt"
    settings: Settings = field(default_factory=Settings)


Text = str | tuple[str, str | None] | tuple[str, str | None, str]
"""A marked text, or one with what `fixed` and `path` are."""

TABLES: dict[str, list[Row]] = {}
"""The rows of each rule whose test file was imported."""


def rows(*texts: Text, **settings: Any) -> list[Row]:
    """Rows with these settings."""
    made = (Row(text) if isinstance(text, str) else Row(*text) for text in texts)
    return [replace(row, settings=Settings(**settings)) for row in made]


def table(rule: str, *texts: Text | Row) -> Callable[[Row], None]:
    """The test of a rule on texts, at default settings, and on rows with others."""
    every = TABLES[rule] = [text if isinstance(text, Row) else rows(text)[0] for text in texts]

    @pytest.mark.parametrize("row", every, ids=lambda row: f"{row.marked[:40]!a}")
    def test(row: Row) -> None:
        check(rule, row)

    return test


def check(rule: str, row: Row) -> None:
    """A row holds, and is mended by the rule's fix."""
    text, spans = unmarked(row.marked)
    findings = found(rule, text, row)
    assert [(f.start, f.end) for f in findings] == spans, [f.message for f in findings]
    mended = fixed(rule, text, row)
    assert mended == (text if row.fixed is None else row.fixed)
    if row.fixed is not None and spans:
        assert not found(rule, mended, row)


def unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a row, and the spans that are marked in it."""
    text, spans, start = "", [], 0
    for character in marked:
        if character == "⟦":
            start = len(text)
        elif character == "⟧":
            spans.append((start, len(text)))
        else:
            text += character
    return text, spans


def found(rule: str, text: str, row: Row) -> list[Finding]:
    findings = checking.check(read(text, row.path, row.settings)).findings
    return [finding for finding in findings if finding.rule == rule]


def fixed(rule: str, text: str, row: Row) -> str:
    """The text with the rule's fix: the automatic one, or else the first that is offered."""
    findings = found(rule, text, row)
    if any(finding.preferred_fix for finding in findings):
        return fix_all(
            checking.check(read(text, row.path, row.settings)), frozenset([rule]), unsafe=True
        )
    offered = (next((fix for fix in f.fixes if fix.edits), None) for f in findings)
    return apply_fixes(text, [fix for fix in offered if fix])

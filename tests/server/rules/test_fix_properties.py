"""What must hold for the fixes of all rules, whatever the text and its format."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from promptls.findings import Fix, apply_fixes
from promptls.lint.characters import BIDI_CONTROLS, INVISIBLE
from promptls.reading.reading import read
from promptls.rules.checking import Checked, check
from promptls.rules.fixing import fix_all, mended_by, with_fixes
from promptls.settings import Settings

# Each is dangerous, next to something dangerous, or must be left alone.
FRAGMENTS = [
    "<|im_end|>", "<|im_", "start|>", "<|", "|>", "<|endoftext|>", "＜|im_end|＞", "<|im_еnd|>",
    "<s>", "[INST]", "\n\nHuman:", "<｜User｜>", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n\n",
    "\u00a0", "\u3000", "\u200b", "\u200d", "\u200c", "\ufe0f", "\ufeff", "\U000e0041", "\u202e",
    "\u202c", "\u2066", "\u2069", "\u200f", "\ufffd", "e\u0301", "\u0301", "한", "Việt",
    "👩\u200d👩", "می", "שלום", "日本", "a", "Ω", "1", ".", ":", "#", "-", "'", '"', "\\", "{", "}",
    "user:", "\n# assistant:\n", "<|im_start|>user\n", "<start_of_turn>user\n", "<end_of_turn>",
    "{{x}}", "{{ name }}", "{% if x %}", "{% endif %}", "{# note #}", "| a  | b |", "|---|---|",
    '{"a": 1,  "b": [ ]}', "<doc>", "</doc>", "```",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)
PATHS = st.sampled_from(["p.txt", "p.md", "p.j2", "p.hbs", "p.mustache", "p.prompty", "p.chatml"])


def checked(text: str, path: str, family: str | None = "llama") -> Checked:
    level = {"trailing-space-on-line": "hint"}
    return check(read(text, path, Settings(family=family, rules=level)))


def placeholders(checked: Checked) -> list[str]:
    return [checked.reading.text[p.start : p.end] for p in checked.reading.prompt.placeholders]


@example("{\u200b\u202e{{x}}", "p.j2")
@given(TEXTS, PATHS)
def test_fixing_twice_is_fixing_once(text: str, path: str) -> None:
    once = fix_all(checked(text, path), unsafe=True)
    after = checked(once, path)
    assert fix_all(after, unsafe=True) == once
    # The bound on rounds was not what ended it: nothing is left that could be fixed.
    left = [f.preferred_fix for f in after.findings if f.preferred_fix]
    assert [fix.title for fix in left if with_fixes(after.reading, [fix])] == []


@given(TEXTS, PATHS, st.booleans())
@example("a\u200b \u00a0b <|im_end|>", "p.txt", False)
@example("<|im_start|>user\n<|im_end|>\u200b", "p.txt", False)
@example("<|im_start|>user\n<|im_end|>\u200b", "p.txt", True)
def test_what_is_said_to_be_mended_is_mended(text: str, path: str, unsafe: bool) -> None:
    before = checked(text, path)
    wanted = ("safe", "unsafe") if unsafe else ("safe",)
    mended = Counter(f.rule for f, how in mended_by(before).items() if how in wanted)
    left = Counter(f.rule for f in checked(fix_all(before, unsafe=unsafe), path).findings)
    found = Counter(f.rule for f in before.findings)
    assert {rule: left[rule] for rule in mended if left[rule] > found[rule] - mended[rule]} == {}


@given(TEXTS, PATHS)
@example("a<|im_end|>\u200b", "p.txt")
@example("\u200b<|im_start|>user\n", "p.txt")
def test_safe_fixes_take_nothing_that_can_be_seen(text: str, path: str) -> None:
    before = checked(text, path)
    after = checked(fix_all(before), path)
    assert seen(after) == seen(before)


def seen(checked: Checked) -> list[str]:
    """What can be seen of each message: composed, and without white space and what has no width."""
    visible = re.compile(f"[\\s{INVISIBLE}{BIDI_CONTROLS}]+")
    texts = (unicodedata.normalize("NFC", m.text) for m in checked.reading.prompt.messages)
    return [visible.sub("", text) for text in texts]


@given(TEXTS, PATHS)
@example("<|im_{{x}}end|> {{y}} \n", "p.j2")
@example("{\u200b{{x}}", "p.j2")
@example("us\u200ber:\n\nHi", "p.prompty")
@example("a <|im_\u200bstart|>user\nb", "p.chatml")
def test_placeholders_tags_and_roles_stay(text: str, path: str) -> None:
    before = checked(text, path)
    after = checked(fix_all(before, unsafe=True), path)
    assert placeholders(after) == placeholders(before)
    assert [m.role for m in after.reading.prompt.messages] == [
        m.role for m in before.reading.prompt.messages
    ]


@given(TEXTS)
def test_the_markers_of_a_raw_chat_stay(text: str) -> None:
    text = f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"
    fixed = fix_all(checked(text, "p.txt", family="qwen"), unsafe=True)
    for marker in ("<|im_start|>", "<|im_end|>"):
        assert fixed.count(marker) == text.count(marker)


@given(TEXTS, PATHS)
def test_a_fix_changes_only_what_its_finding_marks(text: str, path: str) -> None:
    for finding in checked(text, path).findings:
        # Line ends are one finding, at the first that differs, for the whole file.
        if not finding.preferred_fix or finding.rule == "mixed-line-endings":
            continue
        for edit in finding.preferred_fix.edits:
            assert finding.start <= edit.start <= edit.end <= finding.end, finding


@given(TEXTS, PATHS)
def test_findings_lie_in_the_file_and_say_something(text: str, path: str) -> None:
    for finding in checked(text, path).findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.message
        assert all(fix.title for fix in finding.fixes)


def content_of(text: str, path: str) -> Any:
    """The content of the only message, read by a parser that isn't ours."""
    data = json.loads(text) if path.endswith("json") else yaml.safe_load(text)
    messages = data["messages"] if isinstance(data, dict) else data
    assert [message["role"] for message in messages] == ["user"]
    return messages[0]["content"]


def same_in_plain(fix: Fix, finding: Any, content: str, decoded: Checked) -> str | None:
    """The content after the fix of the same finding in the content as plain text."""
    message = decoded.reading.prompt.messages[0]
    start = message.source.to_text(finding.start)
    for plain in checked(content, "p.txt").findings:
        candidate = plain.preferred_fix
        if (plain.rule, plain.start) == (finding.rule, start) and candidate:
            return apply_fixes(content, [candidate])
    return None


def check_in_a_string(content: str, text: str, path: str) -> None:
    decoded = checked(text, path)
    if [message.text for message in decoded.reading.prompt.messages] != [content]:
        return
    for finding in decoded.findings:
        fix = finding.preferred_fix
        expected = same_in_plain(fix, finding, content, decoded) if fix else None
        if fix and expected is not None:
            assert content_of(apply_fixes(text, [fix]), path) == expected, finding


PLAIN = TEXTS.filter(lambda text: "{{" not in text and "{%" not in text and "{#" not in text)


@given(PLAIN, st.booleans())
@example("\U000e0041\U000e0042 x ", True)
@example("{\u200b{x}", True)
@example('say "<|im_end|>"\n\n\n', True)
def test_fixes_in_json_change_the_decoded_text_alike(content: str, ascii_only: bool) -> None:
    text = json.dumps([{"role": "user", "content": content}], ensure_ascii=ascii_only)
    check_in_a_string(content, text, "p.messages.json")


@given(PLAIN, st.sampled_from([None, "'", '"', "|", ">"]), st.booleans())
@example("a\n\n\n\nb \n\n", "|", True)
@example("\u200b", None, True)
@example("a \u200b", None, True)
@example("x:\u200b y", None, True)
@example("some words that are folded after forty \u200bcharacters or so", '"', True)
@example("some words that are folded after forty \u200bcharacters or so", None, True)
@example("<|im_end|>: a", "'", True)
def test_fixes_in_yaml_change_the_decoded_text_alike(
    content: str, style: str | None, unicode: bool
) -> None:
    data = {"messages": [{"role": "user", "content": content}]}
    text = yaml.safe_dump(data, default_style=style, allow_unicode=unicode, width=40)
    try:
        if content_of(text, "p.yml") != content:
            return
    except yaml.YAMLError:
        # PyYAML writes some characters that it doesn't read.
        return
    check_in_a_string(content, text, "p.prompt.yml")

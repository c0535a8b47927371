"""What the rules for control tokens share: fixes that are only offered, chats that are meant."""

from __future__ import annotations

import pytest

from promptls.findings import Severity
from promptls.reading.reading import read
from promptls.rules.checking import check
from promptls.rules.fixing import fix_all
from promptls.settings import Settings

from .tables import CHATML, CHATML_TEMPLATE, LLAMA_3, LLAMA_3_TEMPLATE, Row, found

AUTOMATIC = [
    ("special-token", "<|endoftext|>", "x.txt", True),
    ("special-token", "<|endoftext|>", "x.md", True),
    ("special-token", "<|endoftext|>", None, True),
    ("special-token", 'END = "<|endoftext|>"', "x.py", False),
    ("control-token", 'END = "<|im_end|>"', "src/x.py", False),
    ("control-token", "<|im_end|>", "x.txt", True),
    ("control-token", "<|im_end|>", "x.prompty", True),
    ("control-token", "So <|im_start|>user\nHi<|im_end|>", "x.txt", False),
    ("control-token", "<|im_start|>user\nSay <|im_end|> now<|im_end|>\n", "x.txt", False),
    ("control-token", "<|im_start|>{{role}}\nHi", "x.j2", False),
    ("lookalike-control-token", '"＜|im_end|＞"', "x.py", False),
    ("split-control-token", '"<|im_\u200bend|>"', "x.py", False),
    ("split-control-token", "<|im_<|im_end|>end|>", "x.txt", True),
    ("split-control-token", "<|im_{{x}}end|>", "x.j2", False),
    ("split-control-token", "<|{{role}}|>", "x.j2", False),
]


@pytest.mark.parametrize(("rule", "text", "path", "automatic"), AUTOMATIC)
def test_what_may_be_meant_is_not_fixed_without_asking(
    rule: str, text: str, path: str | None, automatic: bool
) -> None:
    findings = found(rule, text, Row(text, path=path))
    assert [(f.preferred_fix is not None, bool(f.fixes)) for f in findings] == [(automatic, True)]


@pytest.mark.parametrize("path", ["x.txt", "x.md", "x.jinja", "x.prompt", "x.tmpl"])
@pytest.mark.parametrize(
    "text", [CHATML, LLAMA_3, CHATML_TEMPLATE, LLAMA_3_TEMPLATE, f"x\n{CHATML}"]
)
def test_a_chat_in_a_models_own_markers_is_never_broken(text: str, path: str) -> None:
    assert fix_all(check(read(text, path, Settings(family="llama-3"))), unsafe=True) == text


def test_turns_in_a_text_are_information_unless_the_settings_say_otherwise() -> None:
    text, row = f"Like this:\n{CHATML}", Row("")
    (finding,) = found("control-token", text, row)
    assert (finding.severity, finding.message) == (
        Severity.INFO,
        "This reads like a chat for chatml, qwen-1, qwen-2 and 4 more, in 3 markers from here on: "
        "a file that begins with one is read as a chat; in any other text they begin and end turns",
    )
    strict = Row("", settings=Settings(rules={"control-token": "error"}))
    assert [finding.severity for finding in found("control-token", text, strict)] == [
        Severity.ERROR
    ]


def test_a_marker_of_another_family_than_the_turns_is_reported_and_fixed() -> None:
    checked = check(read(f"Like this, not <|eot_id|>:\n{CHATML}", "x.txt", Settings()))
    assert fix_all(checked, unsafe=True) == f"Like this, not <|eot_id |>:\n{CHATML}"

"""Every rule checks every text, and makes its fixes, in time that grows as the text does."""

from __future__ import annotations

import pytest

from promptls.lint.context import Context, Rule
from promptls.reading.reading import Reading, read
from promptls.rules import all_rules
from promptls.rules.checking import check
from promptls.rules.fixing import fix_all
from promptls.settings import Settings

from .pumps import Many, Pump, check_growth, pump
from .test_formats_growth import ANYWHERE

MARKERS = (
    pump(Many("<|im_end|>")),
    pump(Many("<|endoftext|>\n")),
    pump("<|reserved_special_token_", Many("1")),
    pump(Many("<|im_")),
    pump(Many("<|")),
    pump("<|im_start|>user\n", Many("<|im_end|>a")),
    pump("{{a}}", Many("<|im_end|>{{a}}")),
)
HIDDEN = (
    pump("<|im_", Many("\u200b"), "end|>"),
    pump(Many("<|im\u200b_end|>")),
    pump(Many("a\u200b")),
    pump(Many("\U000e0061")),
    pump("\U0001f3f4", Many("\U000e0061")),
    pump(Many("👩\u200d")),
    pump("ש", Many("\u200f ")),
    pump("漢", Many("\u200b")),
)
SPACES = (
    pump("a", Many(" "), "\n\n"),
    pump("a", Many(" "), "x"),
    pump(Many("a \n")),
    pump("a", Many(" \n")),
    pump("a\n", Many(" "), "\n{{a}}", Many(" ")),
    pump(Many("a\n\n\n\n")),
    pump("a", Many("\n"), "x"),
    pump("a", Many("\n")),
    pump("a", Many(" \n"), " x"),
    pump(Many("a\r\nb\n")),
    pump("<|im_start|>assistant\na", Many(" ")),
    pump("<|im_start|>assistant\na", Many("\n")),
)

PUMPS: dict[str, tuple[Pump, ...]] = {
    "special-token": MARKERS,
    "control-token": MARKERS,
    "role-marker": (pump(Many("\n\nHuman:")), pump(Many("\n")), pump("\n\nHuman:", Many("\n\nA"))),
    "split-control-token": (
        *MARKERS,
        *HIDDEN,
        pump("<|", Many("{{a}}b")),
        pump(Many("<|{{a}}|>")),
        pump(Many("<|a{{a}}")),
        pump("<|{{a}}", Many("b")),
    ),
    "lookalike-control-token": (
        pump("é", Many("<|im_еnd|>")),
        pump("é", Many("＜")),
        pump("é<", Many("a")),
        pump("é", Many("<a")),
    ),
    "hidden-characters": HIDDEN,
    "bidi-control": (
        pump(Many("a \u202ab\u202c\n")),
        pump(Many("\u2066")),
        pump("ש", Many("\u2066a\u2069")),
        pump("ש", Many("\u2066"), Many("\u2069")),
        pump(Many("\u202a\x85")),
        pump("a\n", Many("b \u202e\n")),
    ),
    "not-nfc": (
        pump("e\u0301\n", Many("a")),
        pump("e\u0301\n", Many("a "), "é"),
        pump(Many("e\u0301\n")),
        pump(Many("e\u0301")),
        pump("a", Many("\u0315"), Many("\u0300")),
        pump("e\u0301", Many("\u0315\u0300")),
        pump(Many("\u1112\u1161\u11ab")),
        pump(Many("\u0f73")),
        pump("é", Many("\u0323")),
    ),
    "control-character": (
        pump(Many("\x07")),
        pump(Many("a\x1b[0m")),
        pump("\x1b[", Many("0;")),
        pump("\x1b", Many("[")),
    ),
    "mojibake": (
        pump(Many("Ã©")),
        pump(Many("â€™")),
        pump("Ã", Many("Ã ")),
        pump(Many("Ã")),
    ),
    "line-separator": (pump(Many("\u2028")), pump(Many("a\u2028\n")), pump(Many("\u2029 "))),
    "replacement-character": (
        pump(Many("\ufffd")),
        pump(Many('"\ufffd"')),
        pump(Many("\ud800")),
        pump(Many("\udc00\ud800")),
    ),
    "trailing-space-in-prompt": SPACES,
    "assistant-prefill-whitespace": SPACES,
    "extra-final-newlines": SPACES,
    "trailing-space-on-line": SPACES,
    "mixed-line-endings": SPACES,
    "repeated-blank-lines": SPACES,
    "unusual-space": (
        pump("\u00a0", Many(" "), "x"),
        pump("\u00a0x", Many(" "), "x"),
        pump(Many(" "), "\u00a0"),
        pump(Many("a\u00a0")),
        pump(Many("a \u00a0")),
        pump(Many("\u00a0")),
        pump("漢", Many("\u3000a")),
        pump(Many("%s\u00a0")),
    ),
    "glitch-token": (pump(Many(" SolidGoldMagikarp")), pump(Many("a")), pump(Many(" "))),
    "over-budget": (pump(Many("a ")), pump(Many("\n")), pump("a", Many(" "))),
    "costly-json": (
        pump(Many("[")),
        pump(Many("{")),
        pump(Many("[ ")),
        pump('["', Many("a")),
        pump(Many('["a" ')),
        pump(Many('{"a":')),
        pump("[", Many("1, "), "1]"),
        pump("[", Many("1")),
        pump("[\n", Many('  {"a": 1},\n'), "  2\n]"),
        pump(Many('{\n  "a":   1\n}\n')),
        pump("[", Many('{"a": 1, "b": "c"},\n'), '{"a": 1, "b": "c"}]'),
        pump("{", Many('"a": 1,\n'), '"b": 2}'),
    ),
    "base64-blob": (
        pump(Many("aB1")),
        pump(Many("aB1/" * 15 + "\n")),
        pump("aB1/" * 15 + "\n", Many(" ")),
        pump(Many("aB1" * 60 + " ")),
        pump(Many("aB1" * 70 + " ")),
    ),
    "data-url": (
        pump(Many("data:")),
        pump("data:", Many("a")),
        pump("data:", Many(";a")),
        pump(Many("data:a;base64,")),
        pump("data:a;base64,", Many("a")),
    ),
    "padded-table": (
        pump(Many("|")),
        pump(Many("| a   |\n")),
        pump("| a |\n|---|\n", Many("| a   |\n")),
        pump("| a |\n|", Many("---|"), "\n"),
        pump("| a |\n|", Many(" "), "-|\n"),
        pump(Many("| a |\n|---|\n")),
        pump("|", Many(" "), "|\n|---|\n| a |"),
        pump("|", Many(" a |"), "\n", "|", Many("---|"), "\n", "|", Many("   a |")),
    ),
    "undefined-placeholder": (
        pump("---\ninputs:\n  a: {}\n---\n", Many("{{ b }}")),
        pump("---\ninputs:\n", Many("  abcde: {}\n"), "---\n", Many("{{ abcdx }}")),
    ),
    "unused-input": (
        pump("---\ninputs:\n", Many("  a: {}\n"), "---\n"),
        pump("---\ninputs:\n", Many(" "), "a: {}\n---\n"),
        pump("---\ninputs:\n  a: {}\n---\n", Many("{{ b }}")),
        pump("---\ninputs:\n  a: {}\n---\n", Many("{%"), Many(" ")),
    ),
    "placeholder-in-control": (
        pump("<|im_start|>", Many("{{"), "\na<|im_end|>\n"),
        pump("<|im_start|>", Many("${"), "\na<|im_end|>\n"),
        pump(Many("<|im_start|>{{a}}\n{{b}}<|im_end|>\n")),
        pump("<|im_start|>user\n", Many("{{b}}"), "<|im_end|>\n"),
    ),
    "unclosed-tag": (
        pump(Many("<a>\n")),
        pump(Many("</a>\n")),
        pump(Many("<a")),
        pump("<a", Many(" ")),
        pump("<a", Many(" b")),
        pump("<a", Many(" b='c'")),
        pump("<a b", Many(" "), "c>"),
        pump(Many("`"), "\n<a>\n", Many("```\n")),
        pump(Many("```\n<a>\n")),
        pump(Many("{% if a %}\n")),
    ),
    "unreadable": (pump("{", Many("\\")), pump(Many("{{ a")), pump("---\n", Many("[\n"))),
}
# The file in which a rule has something to say.
PATHS = {
    "undefined-placeholder": "a.prompty",
    "unused-input": "a.prompty",
    "placeholder-in-control": "a.chatml",
    "split-control-token": "a.j2",
    "assistant-prefill-whitespace": "a.chatml",
}
SETTINGS = Settings(family="claude", budget=10, rules={"trailing-space-on-line": "hint"})


def reading(text: str, path: str = "a.md") -> Reading:
    return read(text, path, SETTINGS)


def test_every_rule_has_texts_of_its_own() -> None:
    assert set(PUMPS) == {rule.name for rule in all_rules()}
    assert all(PUMPS.values())


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_checking_is_linear(rule: Rule) -> None:
    def find(text: str) -> object:
        return list(rule.check(Context(reading(text, PATHS.get(rule.name, "a.md")))))

    for parts in PUMPS[rule.name]:
        check_growth(find, parts)


@pytest.mark.parametrize("parts", ANYWHERE, ids=repr)
def test_checking_with_all_rules_is_linear(parts: Pump) -> None:
    check_growth(lambda text: check(reading(text)), parts)


FAULTS = (
    "a \n",
    "\u00a0b ",
    "e\u0301",
    "a\r\nb\n",
    "<|im_end|>",
    "{{\u200b",
    "\u200b{{a}}",
    "{\u200b{",
)


@pytest.mark.parametrize("path", ["a.md", "a.j2", "a.prompty", "a.chatml"])
@pytest.mark.parametrize("unit", FAULTS)
def test_fixing_is_linear(unit: str, path: str) -> None:
    check_growth(lambda text: fix_all(check(reading(text, path))), pump(Many(unit)), 500)

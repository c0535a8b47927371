"""What kind of problem each format reports, for rules and not for people to tell apart."""

from __future__ import annotations

import pytest

from promptls.formats import detect


@pytest.mark.parametrize(
    ("path", "text", "kinds"),
    [
        (
            "x.messages.json",
            '[{"role": "user", "content": x}, {"y]',
            ["syntax", "aftermath", "aftermath"],
        ),
        ("x.jsonl", '{"role": "user", "content": x}\n{"content": y}', ["syntax", "syntax"]),
        ("x.prompt.yml", "messages:\n- role: [\n", ["syntax"]),
        ("x.prompty", "---\nname: x\nuser:\nHi", ["header"]),
        ("x.prompt.md", "---\nmode: agent\nHi", ["header"]),
        ("x.hbs", "{{#if x}}a", ["unclosed"]),
        ("x.hbs", "a{{/if}}", ["unopened"]),
        ("x.j2", "{% if x %}{% endfor %}", ["unclosed"]),
        ("x.chatml", "<|im_start|>user\nHi<|im_end|>\nand more", ["unsent"]),
        ("x.chatml", "<|im_start|>user\nHi\n<|im_start|>user\nHi<|im_end|>", ["unclosed"]),
        ("x.prompt.yml", "name: no messages\n", ["empty"]),
        ("x.yaml", "name: x\ntemplate_format: liquid\ntemplate: no roles\n", []),
    ],
)
def test_kinds(path: str, text: str, kinds: list[str]) -> None:
    problems = detect(path, text, None).parse(text).problems
    assert [problem.kind for problem in problems] == kinds

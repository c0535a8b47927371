"""BAML: each function's prompt is one prompt, and a template string is none of its own."""

from __future__ import annotations

from promptls.analysis import analyse

FILE = """
template_string Hello(n: string) #"
  one {{ n }}
"#
function A(x: string) -> string {
  prompt #"
    {{ _.role("system") }}
    one two
    {{ _.role("user") }}
    {{ Hello(x) }}{% if x %}three{% endif %}
    {{ ctx.output_format }}
  "#
}
function B(x: string) -> string {
  prompt #"
    one two three
  "#
}
"""


def test_the_prompts_of_a_file() -> None:
    analysis = analyse(FILE, "a.baml")
    prompt, ranges = analysis.prompt, analysis.ranges
    assert [each.label for each in prompt.alternatives] == ["Hello", "A", "B"]
    assert [tuple(each) for each in ranges.alternatives] == [(2, 2), (2, 3), (3, 3)]
    assert [(each.what, each.count) for each in prompt.uncounted] == [("template string", 1)]


def test_one_function_is_one_prompt() -> None:
    text = 'function A() -> string {\n  prompt #"one"#\n}\n'
    assert analyse(text, "a.baml").prompt.alternatives == ()

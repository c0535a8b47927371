"""dotprompt: which inputs its header declares, and which its template uses."""

from __future__ import annotations

import pytest

from promptls.formats import detect

HEADER = "---\ninput:\n  schema:\n    a: string\n---\n"


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("{{media url=a}}", {"a"}),
        ('{{role "system"}}{{section "b"}}{{history}}{{json a indent=2}}', {"a"}),
        ("{{#> b}}x{{/b}}{{> c d=a}}", {"a"}),
        ('{{#ifEquals a "b"}}x{{/ifEquals}}', {"a"}),
        ("{{#each a as |b|}}{{b}}{{@index}}{{../c}}{{/each}}{{b}}", {"a", "b", "c"}),
    ],
)
def test_what_a_dotprompt_uses(text: str, uses: set[str]) -> None:
    prompt = detect("a.prompt", HEADER + text).parse(HEADER + text)
    assert {name for placeholder in prompt.placeholders for name in placeholder.uses} == uses


@pytest.mark.parametrize(
    ("schema", "inputs"),
    [
        ("schema: Recipe", None),
        ("schema: ${file:recipe.json}", None),
        ("schema: {'(*)': string}", None),
        ("schema: {type: object}", ()),
        ("schema: {type: object, properties: {b: {}}}", ("b",)),
        ("schema: {b?: string, c(array): string}", ("b", "c")),
        ("schema: {b: string}\n  default: {c: 1}", ("b", "c")),
    ],
)
def test_which_inputs_a_dotprompt_declares(schema: str, inputs: tuple[str, ...] | None) -> None:
    text = f"---\ninput:\n  {schema}\n---\nHi"
    assert detect("a.prompt", text).parse(text).inputs == inputs

"""Semantic Kernel: chats in XML, its own tags, and what is wrong with them, as its code does."""

from __future__ import annotations

import pytest

from promptls.formats import detect
from promptls.prompt import Prompt

KERNEL = "name: t\ntemplate_format: {language}\ntemplate: |\n"


def parse(name: str, text: str) -> Prompt:
    return detect(name, text).parse(text)


def sent(prompt: Prompt) -> list[tuple[str | None, str]]:
    return [(message.role, message.text) for message in prompt.messages]


def kernel(body: str, language: str = "semantic-kernel") -> Prompt:
    lines = "".join(f"  {line}\n" for line in body.split("\n"))
    prompt = parse("a.yaml", KERNEL.format(language=language) + lines)
    assert prompt.format == "semantic-kernel"
    return prompt


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<message role="user"><![CDATA[if a < b]]></message>', [("user", "if a < b")]),
        ('<message role="user"> <![CDATA[a]]> b &amp; </message>', [("user", "a b &")]),
        ('<message role="user">a <![CDATA[b]]></message>', [("user", "a <![CDATA[b]]>")]),
        ('<message role="user">1 &lt; 2 &#65;</message>', [("user", "1 < 2 A")]),
        (
            '<message role="user">Hi <b>you</b><!-- c --></message>',
            [("user", "Hi <b>you</b><!-- c -->")],
        ),
        (
            '<message role="user"><text>Hi </text>lost<image>http://x/y.png</image></message>',
            [("user", "Hi")],
        ),
        ('<message role="user"><text>a</text><text>b</text></message>', [("user", "ab")]),
        ('<message role="user"><image>http://x/y.png</image></message>', [("user", "")]),
        ('lost<message role="System">a</message><x>lost</x>', [("system", "a")]),
        ("<message>no role</message>", [(None, "<message>no role</message>\n")]),
        ('<message role="user"/><message role="user">a</message>', [("user", ""), ("user", "a")]),
        ('<MESSAGE role="user">a > b</MESSAGE>', [("user", "a > b")]),
        ('<message role="{{$r}}">Hi {{$x}}, {{f.g "<"}}</message>', [(None, "Hi , ")]),
        ("é<message role='user'>漢<b a='>'/>字</message>", [("user", "漢<b a='>'/>字")]),
    ],
)
def test_semantic_kernels_chats(body: str, expected: list[tuple[str | None, str]]) -> None:
    prompt = kernel(body)
    assert sent(prompt) == expected
    assert not prompt.problems


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ('<message role="user">x < 3</message>', " "),
        ('<message role="user">a & b</message>', " "),
        ('<message role="user">a &nbsp; b</message>', "&"),
        ('<message role="user">never closed', '<message role="user">'),
        ('<message role="user">a</message></b>', "b"),
        ('<message role="user"><a:b>c</a:b></message>', "<"),
    ],
)
def test_what_is_no_xml_is_one_message_and_a_finding(body: str, where: str) -> None:
    text = KERNEL.format(language="semantic-kernel") + f"  {body}\n"
    prompt = parse("a.yaml", text)
    assert sent(prompt) == [("user", f"{body}\n")]
    [problem] = prompt.problems
    assert (text[problem.start : problem.end], problem.kind) == (where, "misread")
    assert "one user message" in problem.message


def test_text_that_never_meant_to_be_a_chat_is_no_fault() -> None:
    prompt = parse("skprompt.txt", "Write <message> or <b> & go")
    assert (sent(prompt), prompt.problems) == ([(None, "Write <message> or <b> & go")], ())


@pytest.mark.parametrize(
    ("body", "text", "placeholders"),
    [
        ("a {{ }} b", "a {{ }} b", []),
        ("a {{'words'}} b {{ \"it's\" }}", "a words b it's", []),
        (r"{{'it\'s \\'}}", "it's \\", []),
        ("{{f '}}' $x}}!", "!", ["f"]),
        ("{{ {{$x}}", "{{ ", ["x"]),
        ("{{{$x}}}", "{}", ["x"]),
        ("don't {{$x}} won't", "don't  won't", ["x"]),
        ("{{$x}} {{ns.fn $y a='b'}}", " ", ["x", "ns.fn"]),
    ],
)
def test_semantic_kernels_own_tags(body: str, text: str, placeholders: list[str]) -> None:
    prompt = parse("skprompt.txt", body)
    assert sent(prompt) == [(None, text)]
    assert [each.name for each in prompt.placeholders] == placeholders
    assert not prompt.problems


def test_what_semantic_kernel_refuses() -> None:
    [problem] = parse("skprompt.txt", "Hi {{$x y}}").problems
    assert problem.kind == "syntax"
    [problem] = parse("skprompt.txt", "Hi {{f 'x}}").problems
    assert problem.kind == "unclosed"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            '{{#message role="system"}}\n  Be brief < & &lt;b&gt;.\n  {{/message}}\n'
            '  {{#message role="user"}} {{question}}? {{/message}}',
            [("system", "  Be brief < & <b>.\n"), ("user", " ? ")],
        ),
        (
            "{{#each history}}{{#message role=role}}{{~content~}}{{/message}} {{/each}}",
            [(None, "")],
        ),
        (
            'Hi\n  {{#if a}}\n  {{~#message role="user"~}} Yes {{~/message}}\n  {{/if}}\n  Bye',
            [("system", "Hi"), ("user", "Yes"), ("user", "Bye")],
        ),
        (
            '<message role="system">A</message>{{#message role="user"}}a ]]> b{{/message}}',
            [("system", "A"), ("user", "a ]]> b")],
        ),
        # What is in a helper's block is encoded, so an element there is text.
        ('{{#message role="user"}}<message>{{/message}}', [("user", "<message>")]),
    ],
)
def test_semantic_kernels_message_helper(body: str, expected: list[tuple[str | None, str]]) -> None:
    """As pybars3 renders it with Semantic Kernel's helper, and ChatHistory reads the result."""
    prompt = kernel(body, "handlebars")
    assert sent(prompt) == expected
    assert prompt.is_chat and not prompt.problems


def test_a_helpers_message_that_never_ends_is_said() -> None:
    open_ended = kernel('{{#message role="system"}}Go.', "handlebars")
    assert [problem.kind for problem in open_ended.problems] == ["unclosed"]

"""What each tool's own code makes of a file, where that isn't what the file looks like."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.analysis import analyse
from promptls.formats import detect
from promptls.prompt import Prompt
from promptls.reading.estimates import chat_wrapper, with_markers
from subword import get_encoding

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


def test_liquid_begins_a_message_at_each_role() -> None:
    prompt = kernel("lost\nsystem:\nBe kind.\nuser: Hi {{name}} <b>", "liquid")
    assert sent(prompt) == [("system", "Be kind."), ("user", "Hi  <b>")]
    assert kernel("Hi", "liquid").messages[0].role is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.prompt.yaml", "name: a\ntemplate: Hi\n", "semantic-kernel"),
        ("a.yml", "name: a\ntemplate: Hi\n", "semantic-kernel"),
        ("a.yaml", "template: Hi\n", "plain"),
        ("a.yaml", "name: ci\ntemplate: x\nsteps: []\n", "plain"),
        ("a.yaml", "input_variables: [a]\ntemplate: x {a}\n", "langchain"),
        ("a.yaml", "input_variables: []\noutput_parser: null\ntemplate: x\n", "langchain"),
        ("a.json", '{"template": "x {a}", "input_variables": ["a"]}', "langchain"),
        ("a.json", '{"template": "x", "template_format": "mustache"}', "langchain"),
        ("a.json", '{"template": "x"}', "plain"),
        ("a.json", '{"examples": "x.json", "_type": "few_shot", "prefix": "a"}', "langchain"),
        ("a.json", '{"template_path": "x.txt", "input_variables": ["a"]}', "langchain"),
        ("a.yaml", "template: x\ninput_variables:\n  - name: a\n", "semantic-kernel"),
        ("a.yaml", "name: a\ninput_variables: [a]\ntemplate: x {a}\n", "langchain"),
        ("a.yaml", "- role: system\n  content: Hi\n", "openai-messages"),
        ("a.yaml", "messages:\n  - role: user\n    content: Hi\n", "openai-messages"),
        ("a.yaml", "users:\n  - role: user\n    content: Hi\n", "plain"),
        ("a.json", '{"contents": [{"parts": [{"text": "Hi"}]}]}', "openai-messages"),
        ("a.json", '{"model": "gpt-5", "input": "Hi"}', "openai-messages"),
        (
            "a.json",
            '{"instructions": "a", "input": [{"role": "user", "content": "b"}]}',
            "openai-messages",
        ),
        ("a.json", '{"input": "Hi"}', "plain"),
        ("a.json", '{"log": [{"role": "user", "content": "b"}]}', "plain"),
        ("a.json", '[{"role": "admin", "content": "b"}]', "plain"),
        ("a.jsonl", '{"question": "a", "history": [{"role": "user", "content": "b"}]}', "plain"),
        ("a.jsonl", '{"x": 1}\n{"messages": [{"role": "user", "content": "b"}]}', "openai-jsonl"),
    ],
)
def test_which_reader_takes_it(name: str, text: str, expected: str) -> None:
    assert detect(name, text).name == expected


def test_langchains_files_beside_are_named() -> None:
    prompt = parse("a.json", '{"template_path": "x.txt", "input_variables": ["a"]}')
    assert [(each.what, each.count) for each in prompt.uncounted] == [("template file", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<User>\nHi\n</User>\n\n<Assistant>\nSure\n</Assistant>\n", ["user Hi", "assistant Sure"]),
        ("<User>\r\nHi\r\nyou\r\n</User>\r\n", ["user Hi\r\nyou"]),
        ("<User>\n</User>\n<User>\nHi\n</User>", ["user ", "user Hi"]),
        ("<User>\n\nHi\n\n</User>", ["user \nHi\n"]),
        ("<User>\n<User>\nHi\n</User>\n</User>", ["user <User>\nHi\n</User>"]),
        ("<User\n  a='b'\n>\nHi\n</User>", ["user Hi"]),
        ("<Test>\nlost\n</Test>\n<User>\nHi\n</User>", ["user Hi"]),
        ("<Test>\n<User>\nlost\n</User>\n</Test>\n<User>\nHi\n</User>", ["user Hi"]),
        ('<Block role="System">\nHi\n</Block>\n<User />\n', ["system Hi", "user "]),
        (
            '<Function name="f">\nHi @{x}\n</Function>\n<User>\nHo\n</User>',
            ["function Hi ", "user Ho"],
        ),
    ],
)
def test_promptfiles_elements(text: str, expected: list[str]) -> None:
    prompt = parse("a.prompt", text)
    assert prompt.format == "promptfile"
    assert [f"{role} {content}" for role, content in sent(prompt)] == expected
    assert not prompt.problems


def test_promptfiles_functions_are_no_message() -> None:
    prompt = parse(
        "a.prompt", '<Functions>\n[{"name": "f"}, {}]\n</Functions>\n<User>\nHi\n</User>'
    )
    assert sent(prompt) == [("user", "Hi")]
    assert [(each.what, each.count) for each in prompt.uncounted] == [("function definition", 2)]


@pytest.mark.parametrize(
    ("request_", "expected", "beside"),
    [
        (
            {
                "systemInstruction": {"parts": [{"text": "Be kind."}]},
                "contents": [
                    {"role": "user", "parts": [{"text": "a"}, {"inlineData": {}}, {"text": "b"}]},
                    {"role": "model", "parts": [{"functionCall": {}}]},
                ],
                "tools": [{"functionDeclarations": [{}, {}]}],
            },
            [("system", "Be kind."), ("user", "ab"), ("model", "")],
            {"tool": 2, "file": 1, "tool call": 1},
        ),
        ({"contents": "Hi", "model": "gemini-2.5-pro"}, [("user", "Hi")], {}),
        ({"contents": ["a", {"parts": {"text": "b"}}]}, [("user", "a"), ("user", "b")], {}),
        ({"contents": {"parts": [{"text": "b"}]}}, [("user", "b")], {}),
        (
            {
                "system": [{"type": "text", "text": "Be kind."}],
                "messages": [
                    {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "a"}]}
                ],
            },
            [("system", "Be kind."), ("user", "a")],
            {"image": 1},
        ),
        (
            {
                "instructions": "Be kind.",
                "input": [
                    {"role": "user", "content": [{"type": "input_text", "text": "a"}]},
                    {"type": "function_call", "name": "f"},
                    {"type": "function_call_output", "output": "b"},
                ],
            },
            [("system", "Be kind."), ("user", "a"), ("assistant", ""), ("tool", "b")],
            {"tool call": 1},
        ),
    ],
)
def test_requests(
    request_: dict[str, object], expected: list[tuple[str, str]], beside: dict[str, int]
) -> None:
    for name, value in (
        ("a.json", request_),
        ("a.jsonl", {"custom_id": "1", "body": request_}),
        ("a.jsonl", {"custom_id": "1", "params": request_}),
        ("a.jsonl", {"key": "1", "request": request_}),
    ):
        prompt = parse(name, json.dumps(value))
        assert sorted(map(str, sent(prompt))) == sorted(map(str, expected))
        assert {each.what: each.count for each in prompt.uncounted} == beside
        assert not prompt.problems
        assert not prompt.alternatives


def labels(prompt: Prompt) -> list[tuple[str, list[str]]]:
    return [
        (each.label, [message.text for message in prompt.messages[each.first : each.stop]])
        for each in prompt.alternatives
    ]


TALK = '{"messages": [{"role": "user", "content": "%s"}, {"role": "assistant", "content": "%s"}]}'


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.jsonl",
            f"{TALK % ('a', 'b')}\n\n{TALK % ('c', 'd')}\n",
            [("line 1", ["a", "b"]), ("line 3", ["c", "d"])],
        ),
        ("a.jsonl", TALK % ("a", "b"), []),
        ("a.jsonl", '{"role": "user", "content": "a"}\n{"role": "user", "content": "b"}', []),
        (
            "a.jsonl",
            '[[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]]\n'
            '{"input": "c", "model": "gpt-4"}',
            [("line 1, prompt 1", ["a"]), ("line 1, prompt 2", ["b"]), ("line 2", ["c"])],
        ),
        (
            "a.json",
            f"[{TALK % ('a', 'b')}, {TALK % ('c', 'd')}]",
            [("prompt 1", ["a", "b"]), ("prompt 2", ["c", "d"])],
        ),
        (
            "chain.json",
            '{"_type": "map_reduce", "llm": {"prompt": {"_type": "prompt", "template": "a {x}"}}'
            ', "others": [{"prompt": {"_type": "few_shot", "prefix": "b", "suffix": "c"}}]}',
            [("llm.prompt", ["a "]), ("others 1.prompt", ["b", "c"])],
        ),
        ("prompts.txt", "a\n---\n---\nb {{c}}\n", [("prompt 1", ["a"]), ("prompt 2", ["b "])]),
        ("prompts.txt", "a\n", []),
        (
            "promptfooconfig.yaml",
            "prompts:\n- a\n- {raw: b, label: two}\n- file://c.txt\n- |\n  - role: user\n"
            "    content: d\n  - role: system\n    content: e\n",
            [("prompt 1", ["a"]), ("two", ["b"]), ("prompt 3", ["d", "e"])],
        ),
    ],
)
def test_prompts_of_which_one_is_sent(
    name: str, text: str, expected: list[tuple[str, list[str]]]
) -> None:
    prompt = parse(name, text)
    assert labels(prompt) == expected
    for each in prompt.alternatives:
        assert 0 <= each.start < each.end <= len(text)
        for message in prompt.messages[each.first : each.stop]:
            assert each.start <= message.start <= message.end <= each.end


def test_a_reference_of_promptfoo_is_named() -> None:
    prompt = parse("promptfooconfig.yaml", "prompts: file://a.txt\n")
    assert [(each.what, each.count) for each in prompt.uncounted] == [("prompt file", 1)]


@pytest.mark.parametrize(
    ("text", "messages", "total"),
    [
        # The cookbook's formula: 3 per message and its role; a name is its tokens and 1; 3 more.
        ('[{"role": "user", "content": "Hi"}]', 1, 7),
        ('[{"role": "user", "name": "bob", "content": "Hi"}]', 1, 9),
        ('[[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]]', 2, 14),
    ],
)
def test_the_wrapper(text: str, messages: int, total: int) -> None:
    wrapper = chat_wrapper(parse("a.messages.json", text), get_encoding("o200k_base"))
    assert wrapper
    assert (wrapper.messages, wrapper.total) == (messages, total)


def test_an_open_turn_is_no_message_and_an_answer() -> None:
    closed = "<|im_start|>user\nHi<|im_end|>\n"
    encoding = get_encoding("o200k_base")
    for text in (closed, f"{closed}<|im_start|>assistant\n", f"{closed}<|im_start|>assistant\nSo"):
        wrapper = chat_wrapper(parse("a.chatml", text), encoding)
        assert wrapper
        assert wrapper.total == 7
    wrapper = chat_wrapper(parse("a.chatml", f"{closed}<|im_start|>user\nAnd"), encoding)
    assert wrapper
    assert wrapper.total == 11


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # 2 markers, `user` and a line end, `Hi`.
        ("<|im_start|>user\nHi<|im_end|>", 5),
        ("<|im_start|>user\nHi{{name}}<|im_end|>\n<|im_start|>assistant\n", 9),
        ("<start_of_turn>user\nHi<end_of_turn>", 5),
        ("Hi", None),
    ],
)
def test_a_chats_own_markers(text: str, tokens: int | None) -> None:
    prompt = parse("a.txt", text)
    assert with_markers(text, prompt, get_encoding("o200k_base")) == tokens


ROLES = st.sampled_from(["system", "user", "assistant"])
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


@given(st.lists(st.lists(st.tuples(ROLES, WORDS), min_size=1, max_size=3), min_size=2, max_size=4))
def test_the_prompts_of_a_file_are_what_each_is_alone(talks: list[list[tuple[str, str]]]) -> None:
    requests = [{"messages": [{"role": r, "content": c} for r, c in talk]} for talk in talks]
    together = "\n".join(json.dumps(request) for request in requests)
    analysis = analyse(together, "a.jsonl")
    alone = [analyse(json.dumps(request), "a.json").tokens for request in requests]
    assert [amount.tokens for amount in analysis.alternative_amounts] == alone
    assert analysis.tokens == sum(alone)


def test_json_that_is_a_template_itself() -> None:
    text = (
        '[{"role": "system", "content": {{ system | dump }}},\n{% for m in past %}\n'
        '{"role": "user", "content": "{{ m.text }} and"},\n{% endfor %}\n'
        '{"role": "user", "content": "Hi {{name}}"}]'
    )
    prompt = parse("a.json", text)
    assert sent(prompt) == [("system", ""), ("user", " and"), ("user", "Hi ")]
    uses = [each.uses for each in prompt.placeholders if each.is_value]
    assert uses == [("system",), ("m",), ("name",)]
    assert not prompt.problems
    broken = parse("a.json", '[{"role": "user", "content": Hi}, {"a": {{ x }}}]')
    assert [problem.kind for problem in broken.problems] == ["syntax"]


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


def test_a_helpers_message_can_be_left_out_or_never_end() -> None:
    yes = '{{#if a}}{{#message role="user"}}Yes{{/message}}{{/if}}'
    body = '{{#message role="system"}}Go.{{/message}}' + yes
    text = KERNEL.format(language="handlebars") + f"  {body}\n"
    analysis = analyse(text, "a.yaml")
    assert [str(amount) for amount in analysis.message_amounts] == ["2", "0 to 1"]
    open_ended = kernel('{{#message role="system"}}Go.', "handlebars")
    assert [problem.kind for problem in open_ended.problems] == ["unclosed"]

"""Each format by its own rules: which file is whose, and what the model is given of it."""

from __future__ import annotations

import pytest

from promptls.formats import detect
from promptls.prompt import Prompt


def parse(name: str, text: str) -> Prompt:
    return detect(name, text).parse(text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x/notes.txt", "", "plain"),
        ("README.md", "", "markdown"),
        ("AGENTS.md", "", "markdown"),
        ("sub/CLAUDE.md", "", "markdown"),
        ("fix.prompt.md", "", "prompt-markdown"),
        ("Python.Instructions.MD", "", "instructions"),
        (".github/copilot-instructions.md", "", "instructions"),
        ("a.agent.md", "", "agent"),
        ("a.chatmode.md", "", "agent"),
        ("skills/pdf/SKILL.md", "", "skill"),
        (".cursor/rules/a.mdc", "", "mdc"),
        ("a.prompty", "", "prompty"),
        ("a.prompt", '{{role "user"}}', "dotprompt"),
        ("a.prompt", "<<<dotprompt:role:user>>>", "dotprompt"),
        ("a.prompt", "---\nmodel: x\n---\nHi", "dotprompt"),
        ("a.prompt", "---\nname: x\n---\n<User>\nHi\n</User>", "promptfile"),
        ("a.prompt", "name: x\n---\n<system>\nHi\n</system>", "continue"),
        ("a.prompt", "Hi {{name}}", "prompt-text"),
        ("a.chatml", "", "chatml"),
        ("a.harmony", "", "harmony"),
        ("a.prompt.yml", "", "github-models"),
        ("a.prompt.yaml", "", "github-models"),
        ("promptfooconfig.yaml", "", "promptfoo"),
        ("prompts.txt", "", "promptfoo-text"),
        ("a.messages.json", "", "openai-messages"),
        ("train.jsonl", '{"messages": [{"role": "user", "content": ""}]}', "openai-jsonl"),
        ("any.json", '[{"role": "user", "content": "x"}]', "openai-messages"),
        ("package.json", '{"name": "x"}', "plain"),
        ("p.yaml", "_type: prompt\ntemplate: x", "langchain"),
        ("p.json", '{"_type": "few_shot"}', "langchain"),
        ("p.yaml", "template: x\ntemplate_format: handlebars", "semantic-kernel"),
        ("values.yaml", "a: b", "plain"),
        ("skprompt.txt", "", "semantic-kernel"),
        ("main.baml", "", "baml"),
        ("a.j2", "", "jinja"),
        ("a.jinja2", "", "jinja"),
        ("a.hbs", "", "handlebars"),
        ("a.mustache", "", "mustache"),
        ("unknown", "", "plain"),
        ("raw.txt", "<|im_start|>system\nBe brief.<|im_end|>\n", "raw-chat"),
        ("raw.md", "\ufeff\n\n<|im_start|>user\r\nHi", "raw-chat"),
        ("stdin", "<|im_start|>user<|im_sep|>Hi<|im_end|>", "raw-chat"),
        ("raw.prompt", "<start_of_turn>user\nHi {{x}}<end_of_turn>\n", "raw-chat"),
        ("raw.txt", "<s>[INST] Hi [/INST]", "raw-chat"),
        ("raw.txt", "<|im_start|>nobody\nHi<|im_end|>\n", "plain"),
        ("raw.md", "Hi\n<|im_start|>user\nHi<|im_end|>\n", "markdown"),
        ("raw.txt", "<|im_start|> and <|im_end|>", "plain"),
        ("raw.txt", "\n" * 2000 + "<|im_start|>user\nHi", "plain"),
    ],
)
def test_which_format_a_file_has(name: str, text: str, expected: str) -> None:
    file_format = detect(name, text)
    assert file_format.name == expected
    assert file_format.parse(text).format == expected


@pytest.mark.parametrize(
    ("language_id", "expected"),
    [
        ("prompt", "prompt-markdown"),
        ("instructions", "instructions"),
        ("chatagent", "agent"),
        ("skill", "skill"),
        ("markdown", "markdown"),
        ("plaintext", "plain"),
        ("jinja", "jinja"),
        ("dotprompt", "prompt-text"),
        ("json", "plain"),
        (None, "plain"),
    ],
)
def test_a_text_without_a_file_goes_by_its_language(language_id: str | None, expected: str) -> None:
    assert detect(None, "Hi", language_id).name == expected


@pytest.mark.parametrize(
    ("language_id", "expected"),
    [("plaintext", "raw-chat"), ("markdown", "raw-chat"), (None, "raw-chat"), ("python", "plain")],
)
def test_a_text_in_a_models_own_markers_is_a_chat(language_id: str | None, expected: str) -> None:
    assert detect(None, "<|im_start|>user\nHi", language_id).name == expected


RAW = {
    "chatml": "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi <|im_end|> you"
    "<|im_end|>\n<|im_start|>assistant\n",
    "llama 3": "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nHi <|im_end|> you<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "llama 4": "<|header_start|>system<|header_end|>\n\nBe brief.<|eot|><|header_start|>user"
    "<|header_end|>\n\nHi <|im_end|> you<|eot|><|header_start|>assistant<|header_end|>",
    "phi 3": "<|system|>\nBe brief.<|end|>\n<|user|>\nHi <|im_end|> you<|end|>\n<|assistant|>\n",
    "zephyr": "<|system|>\nBe brief.</s>\n<|user|>\nHi <|im_end|> you</s>\n<|assistant|>\n",
    "llama 2": "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi <|im_end|> you [/INST] ",
    "mistral": "<s>[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT][INST]Hi <|im_end|> you[/INST]",
    "harmony": "<|start|>system<|message|>Be brief.<|end|><|start|>user<|message|>Hi <|im_end|> you"
    "<|end|><|start|>assistant",
    "deepseek": "<｜begin▁of▁sentence｜>Be brief.<｜User｜>Hi <|im_end|> you<｜Assistant｜>",
    "granite": "<|start_of_role|>system<|end_of_role|>Be brief.<|end_of_text|>\n<|start_of_role|>"
    "user<|end_of_role|>Hi <|im_end|> you<|end_of_text|>\n"
    "<|start_of_role|>assistant<|end_of_role|>",
}


@pytest.mark.parametrize("text", RAW.values(), ids=RAW.keys())
def test_each_familys_markers_are_structure(text: str) -> None:
    prompt = parse("raw.txt", text)
    assert [(message.role, message.text) for message in prompt.messages] == [
        ("system", "Be brief."),
        ("user", "Hi <|im_end|> you"),
        ("assistant", ""),
    ]
    assert prompt.is_chat
    assert not prompt.problems
    # All that is in no message is a marker.
    sent = sum(message.end - message.start for message in prompt.messages)
    marked = sum(end - start for start, end in prompt.structure)
    assert sent + marked + text.count(">\n<") >= len(text.rstrip(" "))


@pytest.mark.parametrize("text", RAW.values(), ids=RAW.keys())
def test_a_chat_stays_one_while_its_end_is_typed(text: str) -> None:
    names = [detect("raw.txt", text[:end]).name for end in range(len(text) + 1)]
    assert names == sorted(names)


def test_gemma_has_turns_without_a_system() -> None:
    text = "<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nYo<end_of_turn>\n"
    messages = parse("raw.txt", text).messages
    assert [(message.role, message.text) for message in messages] == [
        ("user", "Hi"),
        ("model", "Yo"),
    ]


def test_the_answers_of_llama_2_end_with_their_marker() -> None:
    text = "<s>[INST] Hi [/INST] Yo </s><s>[INST] More [/INST]"
    messages = [(message.role, message.text) for message in parse("raw.txt", text).messages]
    assert messages == [("user", "Hi"), ("assistant", "Yo"), ("user", "More"), ("assistant", "")]


MESSAGES = {
    "header": ("a.prompt.md", "---\nname: x\n---\nHi\n", [("user", "Hi\n")]),
    "header, CRLF": ("a.prompt.md", "---\r\nname: x\r\n---\r\nHi\r\n", [("user", "Hi\r\n")]),
    "header, BOM": ("a.prompt.md", "\ufeff---\nname: x\n---  \nHi", [("user", "Hi")]),
    "no header": ("a.prompt.md", "Hi\n---\nthere", [("user", "Hi\n---\nthere")]),
    "four dashes": ("a.prompt.md", "----\na: b\n----\nHi", [("user", "----\na: b\n----\nHi")]),
    "not at the start": ("a.prompt.md", "\n---\na: b\n---\n", [("user", "\n---\na: b\n---\n")]),
    "four dashes inside": ("a.agent.md", "---\na: b\n----: c\n---\nHi", [(None, "Hi")]),
    "header never closed": ("SKILL.md", "---\nname: x\nHi", [(None, "---\nname: x\nHi")]),
    "inputs": (
        "a.prompt.md",
        "${file} a${input:x}b${input:y:hint}c ${nope}\n```\n${input:z}\n```\n",
        [("user", " abc ${nope}\n```\n${input:z}\n```\n")],
    ),
    "no YAML": ("a.mdc", "---\nglobs: **/*.ts\n---\nUse tabs.\n", [(None, "Use tabs.\n")]),
    "prompty": (
        "a.prompty",
        "\n---\nname: x\n---\nfirst\n\n# SYSTEM:\n\nBe brief. \n\n"
        "user[name=x]:\nHi {{ n }}\n## user:\n",
        [("system", "first"), ("system", "Be brief. "), ("user", "Hi \n## user:")],
    ),
    "prompty, plus signs": ("a.prompty", "+++\na: b\n+++\nuser:\nHi", [("user", "Hi")]),
    "prompty, CRLF": (
        "a.prompty",
        "---\r\na: b\r\n---\r\nuser:\r\n\r\na\r\nb\r\n",
        [("user", "a\nb")],
    ),
    "prompty, spaces stay": ("a.prompty", "user:\n  \n a \n\n", [("user", "  \n a ")]),
    "prompty, comment": ("a.prompty", "system:\n{#\nuser:\n#}\nHi", [("system", "Hi")]),
    "dotprompt": (
        "a.prompt",
        '---\nmodel: x\n---\n\n{{role "system"}}\nBe {{adj}}.\n{{role "user"}}\n{{q}} \n\n',
        [("system", "\nBe .\n"), ("user", "\n")],
    ),
    "dotprompt, history": (
        "a.prompt",
        '{{role "system"}}A{{history}}B{{role "user"}}C\n',
        [("system", "A"), ("model", "B"), ("user", "C\n")],
    ),
    "dotprompt, empty header": (
        "a.prompt",
        '---\n---\n{{role "user"}}Hi',
        [("user", "---\n---\n"), ("user", "Hi")],
    ),
    "dotprompt, BOM": (
        "a.prompt",
        '\ufeff---\na: b\n---\n{{role "user"}}Hi ',
        [("user", "\ufeff---\na: b\n---\n"), ("user", "Hi ")],
    ),
    "dotprompt, licence": (
        "a.prompt",
        '# licence\n\n---\na: b\n---\n  {{#if x}}\nHi\n{{/if}}\n{{role "model"}}Ho',
        [("user", "Hi\n"), ("model", "Ho")],
    ),
    "promptfile": (
        "a.prompt",
        "a comment\n<System>\nBe ${adj}.\n</System>\nignored\n<User>\nHi </User> \n</User>\n",
        [("system", "Be ."), ("user", "Hi </User> ")],
    ),
    "continue": (
        "a.prompt",
        "name: x\n---\nlost <system> Be brief. </system>\n{{{ input }}}\n\n---\nlost",
        [("system", "Be brief."), ("user", "")],
    ),
    "unknown .prompt": ("a.prompt", "Hi {{ name }}!\n", [(None, "Hi !\n")]),
    "chatml": (
        "a.chatml",
        "<|im_start|>system\nA <|im_end|> b.<|im_end|>\n<|im_start|>user\nHi {{x}}\n<|im_end|>\n"
        "<|im_start|>assistant\n",
        [("system", "A <|im_end|> b."), ("user", "Hi \n"), ("assistant", "")],
    ),
    "chatml, never closed": (
        "a.chatml",
        "<|im_start|>system\r\nA\r\n<|im_start|>user\r\nB <|im_start|>x<|im_end|>",
        [("system", "A\r\n"), ("user", "B <|im_start|>x")],
    ),
    "chatml, half-typed": (
        "a.chatml",
        "<|im_start|>user\nA<|im_end|> b<|im_end|>\n<|im_st",
        [("user", "A<|im_end|> b")],
    ),
    "harmony": (
        "a.harmony",
        "<|start|>system<|message|>A<|end|><|start|>assistant<|channel|>analysis<|message|>B<|end|>"
        "<|start|>assistant<|channel|>commentary to=f <|constrain|>json<|message|>{}<|call|>",
        [("system", "A"), ("assistant", "B"), ("assistant", "{}")],
    ),
    "harmony, open": (
        "a.harmony",
        "<|start|>user<|message|>A <|end|> B<|end|>\n<|start|>assistant",
        [("user", "A <|end|> B"), ("assistant", "")],
    ),
    "GitHub Models": (
        "a.prompt.yml",
        "name: n\nmessages:\n  - role: system\n    content: >-\n      Be\n      brief. 🎉\n"
        "  - role: user\n    content: \"Hi {{name}}\\n\\u00e9\"\n",
        [("system", "Be brief. 🎉"), ("user", "Hi \né")],
    ),
    "OpenAI": (
        "a.messages.json",
        r'{"model": "x", "messages": [{"role": "system", "content": "caf\u00e9\n\ud83c\udf3e"},'
        r' {"content": [{"type": "text", "text": "a "}, {"type": "image_url", "image_url": {"url":'
        r' "data:image/png;base64,AAAA"}}, {"type": "text", "text": "{{b}}c"}], "role": "user"},'
        r' {"role": "assistant", "content": null, "tool_calls": []}]}',
        [("system", "café\n🌾"), ("user", "a c")],
    ),
    "OpenAI, tool call": (
        "a.messages.json",
        '[{"role": "user", "content": "¿Llueve?"}, {"role": "assistant", "content": null,'
        ' "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},'
        ' {"role": "tool", "content": "No"}, {"role": "user", "content": [{"type": "image_url"}]}]',
        [("user", "¿Llueve?"), ("assistant", ""), ("tool", "No"), ("user", "")],
    ),
    "OpenAI's responses": (
        "a.messages.json",
        '{"instructions": "S", "input": [{"role": "user", "content": [{"type": "input_text",'
        ' "text": "u"}]}, {"type": "function_call", "name": "f", "arguments": "{}"},'
        ' {"type": "function_call_output", "output": "{\\"a\\": 1}"}]}',
        [("system", "S"), ("user", "u"), ("assistant", ""), ("tool", '{"a": 1}')],
    ),
    "Anthropic, tool result": (
        "a.messages.json",
        '[{"role": "user", "content": [{"type": "tool_result", "content": "a"}, {"type":'
        ' "tool_result", "content": [{"type": "text", "text": "b"}, {"type": "image"}]}]}]',
        [("user", "ab")],
    ),
    "Anthropic": (
        "a.messages.json",
        '{"messages": [{"role": "user", "content": "Hi"}],'
        ' "system": [{"type": "text", "text": "S"}]}',
        [("user", "Hi"), ("system", "S")],
    ),
    "JSON Lines": (
        "a.messages.jsonl",
        '{"messages": [{"role": "user", "content": "a"}]}\n{"messages": [{"role": "user", "conte\n'
        '{"body": {"messages": [{"role": "user", "content": "b"}]}}\r\n'
        '{"role": "user", "content": "c"}',
        [("user", "a"), ("user", "b"), ("user", "c")],
    ),
    "promptfoo": (
        "promptfooconfig.yaml",
        "prompts:\n  - 'Say {{x}}'\n  - file://a.txt\n  - prompts/b.json\n"
        "  - raw: |-\n      {% if a %}\n      b{% endif %}\n    label: l\n"
        "  - '[{\"role\": \"user\", \"content\": \"\\u00e9 {{y}}\"}]'\n",
        [(None, "Say "), (None, "\nb"), ("user", "é ")],
    ),
    "promptfoo text": (
        "prompts.txt",
        " one {{x}} \r\nmore\r\n---\r\n\r\n---\nthree\n----\n",
        [(None, "one  \nmore"), (None, "three\n----")],
    ),
    "LangChain": (
        "p.yaml",
        "_type: prompt\ninput_variables: [x]\ntemplate: |\n  Say {x} {{not}} {x!r:>{w}}\n",
        [(None, "Say  {not} \n")],
    ),
    "LangChain, few-shot": (
        "p.json",
        '{"_type": "few_shot", "suffix": "s {q}", "example_prompt": {"template": "e {a}"},'
        ' "prefix": "p", "input_variables": ["q"]}',
        [(None, "s "), (None, "e "), (None, "p")],
    ),
    "LangChain, chat": (
        "p.yaml",
        "_type: chat\nmessages:\n  - role: system\n    prompt:\n      template: A {{x}}\n"
        "      template_format: mustache\n",
        [("system", "A ")],
    ),
    "Semantic Kernel": (
        "p.yaml",
        "template_format: semantic-kernel\ntemplate: |\n  lost\n  <message role=\"system\">\n"
        "    Be &lt;brief&gt; {{$x}} {{time.now}}\n  </message>\n"
        "  <message role='user'>Hi</message>\n",
        [("system", "Be <brief>  "), ("user", "Hi")],
    ),
    "skprompt.txt": ("skprompt.txt", "Say {{$x}}\n", [(None, "Say \n")]),
    "BAML": (
        "a.baml",
        'function F(t: string) -> R {\n  client X\n  prompt #"\n'
        '    {{ _.role("system") }}\n    Be "brief".\n'
        '      {# c #}\n    {% if t %}\n      in\n    {% endif %}\n'
        '    {{ _.role(\'user\') }} {{ t }} x\n'
        '    {{ ctx.output_format }}\n  "#\n}\ntemplate_string T(a: int) ##"\n  "# {{ a }}\n"##\n',
        [("system", 'Be "brief".\n  in'), ("user", " x\n"), (None, '"# ')],
    ),
    "Jinja": (
        "a.j2",
        "{# c #}Hi {{ name }}{% if a %},{% endif %}\r\n{% raw %}{{x}}{% endraw %}\n",
        [(None, "Hi ,\n{{x}}")],
    ),
    "Jinja chat": (
        "a.j2",
        "{# c #}\nsystem:\nA\n# user:\n{{q}}\n",
        [("system", "A"), ("user", "")],
    ),
    "Handlebars": (
        "a.hbs",
        "{{#if a}}\n  x {{{b}}}\n{{/if}}\n\\{{c}}\n",
        [(None, "  x \n{{c}}\n")],
    ),
    "Mustache": ("a.mustache", "{{=<% %>=}}\n{{x}} <% y %>\n", [(None, "{{x}} \n")]),
    "Markdown": ("README.md", "---\na: b\n---\n{{x}}\n", [(None, "---\na: b\n---\n{{x}}\n")]),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), MESSAGES.values(), ids=MESSAGES.keys())
def test_what_the_model_is_given(
    name: str, text: str, expected: list[tuple[str | None, str]]
) -> None:
    assert [(message.role, message.text) for message in parse(name, text).messages] == expected


_CALL = '{"role": "assistant", "content": null, "tool_calls": [{}, {}]}'
UNCOUNTED = {
    "nothing": ("a.messages.json", '[{"role": "user", "content": "漢字"}]', {}),
    "no calls": ("a.messages.json", '[{"role": "user", "content": "", "tool_calls": []}]', {}),
    "half typed": ("a.messages.json", '[{"role": "user", "content": [{"type": "text", "te', {}),
    "OpenAI": (
        "a.messages.json",
        f'{{"messages": [{_CALL}, {{"role": "assistant", "function_call": {{"name": "f"}}}},'
        ' {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"},'
        ' {"type": "input_audio"}, {"type": "file"}, {"type": "novelty"}]}], "function_call":'
        ' "auto", "tools": [{"type": "function", "function": {"parameters": {"tools": [{}]}}}],'
        ' "response_format": {"type": "json_schema", "json_schema": {}}}',
        {
            "tool": 1,
            "response schema": 1,
            "tool call": 3,
            "image": 1,
            "audio clip": 1,
            "file": 1,
            "part": 1,
        },
    ),
    "plain response": ("a.messages.json", '{"input": "a", "text": {"format": {"type": "x"}}}', {}),
    "OpenAI's responses": (
        "a.messages.json",
        '{"input": [{"type": "function_call"}, {"type": "function_call_output", "output": "1"},'
        ' {"role": "user", "content": [{"type": "input_image"}]}], "tools": [{}, {}],'
        ' "text": {"format": {"type": "json_schema", "schema": {}}}}',
        {"tool": 2, "response schema": 1, "tool call": 1, "image": 1},
    ),
    "Anthropic": (
        "a.messages.json",
        '{"tools": [{}], "messages": [{"role": "assistant", "content": [{"type": "tool_use"}]},'
        ' {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "image"}]},'
        ' {"type": "document"}]}]}',
        {"tool": 1, "tool call": 1, "image": 1, "file": 1},
    ),
    "JSON Lines": (
        "a.messages.jsonl",
        f'{{"messages": [{_CALL}], "tools": [{{}}]}}\n{{"body": {{"tools": [{{}}]}}}}\n{_CALL}',
        {"tool call": 4, "tool": 2},
    ),
    "GitHub Models": ("a.prompt.yml", "responseFormat: json_schema\njsonSchema: '{}'\n", {
        "response schema": 1,
    }),
    "promptfoo": (
        "promptfooconfig.yaml",
        f"prompts: ['[{_CALL}]', '{{% include a %}}']\nproviders:\n  - openai:gpt-4o\n"
        "  - {id: b, config: {tools: [{}]}}\n",
        {"tool call": 2, "tool": 1, "partial": 1},
    ),
    "promptfoo text": ("prompts.txt", f"[{_CALL}]\n---\n[{_CALL}]", {"tool call": 4}),
    "prompty": (
        "a.prompty",
        "---\nmodel:\n  parameters:\n    tools: [{}, {}]\n---\nsystem:\nHi",
        {"tool": 2},
    ),
    "dotprompt": (
        "a.prompt",
        "---\ntools: [f, g]\noutput:\n  schema: {a: string}\n---\n"
        '{{media url=a}}{{! {{media}} }}{{history}}{{>b}}{{role "user"}}',
        {"tool": 2, "response schema": 1, "media part": 1, "history": 1, "partial": 1},
    ),
    "LangChain": (
        "p.json",
        '{"_type": "few_shot", "examples": [{"a": "b"}, {"a": "c"}], "suffix": "s"}',
        {"example": 2},
    ),
    "Jinja": ("a.j2", "{% include 'a' %}{%- extends b %}{% from 'c' import d %}", {"partial": 2}),
    "Handlebars": ("a.hbs", "{{> a}}\n{{>b c}}{{d}}", {"partial": 2}),
    "Mustache": ("a.mustache", "{{> a}}{{d}}", {"partial": 1}),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), UNCOUNTED.values(), ids=UNCOUNTED.keys())
def test_what_no_count_includes_is_said(name: str, text: str, expected: dict[str, int]) -> None:
    assert {each.what: each.count for each in parse(name, text).uncounted} == expected


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [
        ("a.messages.json", ' {"turns": [{"role": "user", "parts": [{"text": "ñ"}]}]}', 1),
        ("a.messages.json", '"just text"', 0),
        ("a.messages.json", '[{"text": "漢字"}]', 0),
        ("a.messages.jsonl", '{"foo": 1}\n', 0),
        ("a.prompt.yml", "# c\nname: x\nmodel: y\n", 4),
        ("a.messages.json", "", None),
        ("a.messages.json", "{}", None),
        ("a.messages.json", '{"messages": []}', None),
        ("a.messages.json", '{"input": "Hola"}', None),
        ("a.messages.json", '[{"role": "user"}]', None),
        ("a.messages.jsonl", '{"foo": 1}\n{"role": "user", "content": "a"}', None),
        ("any.json", '{"log": [{"role": "user", "content": "a"}]}', None),
    ],
)
def test_a_file_of_messages_without_any_is_said(name: str, text: str, start: int | None) -> None:
    found = [each.start for each in parse(name, text).problems if "no messages" in each.message]
    assert found == ([] if start is None else [start])


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("a.txt", "{{x}}", 0),
        ("a.prompt.md", "${file} ${selection} ${workspaceFolder} ${input:x} ${nope}", 4),
        ("a.j2", "{% for d in docs %}{{ d.title }} {{ d.body }}{# {{c}} #}{% endfor %}{{ q }}", 3),
        ("a.hbs", "{{#each b}}{{this.título}}{{/each}}{{json b}}{{! {{c}} }}", 2),
        ("main.baml", 'prompt #"{{ _.role("user") }}{{ a }}{{ ctx.output_format }}"#', 2),
    ],
)
def test_how_many_places_are_filled_later(name: str, text: str, values: int) -> None:
    assert parse(name, text).value_count == values


@pytest.mark.parametrize(
    ("name", "text", "placeholders", "inputs", "samples"),
    [
        ("a.prompt.md", "${input:x:y} ${file}", ["variable x", "local file"], None, {}),
        (
            "a.prompty",
            "---\ninputs:\n  a: {type: string, example: 1}\n  b: {}\nsample:\n  b: two\n---\n"
            "{{a}} {{ c.d }}{% for i in b %}{{ i }}{% endfor %}",
            ["variable a", "variable c.d", "tag ", "local i", "tag "],
            ("a", "b"),
            {"a": "1", "b": "two"},
        ),
        (
            "a.prompt",
            "---\ninput:\n  schema:\n    a?: string, note\n    b(array): string\n"
            "  default:\n    a: x\n"
            "---\n{{a}}{{#each b}}{{this}}{{n}}{{/each}}{{@state.s}}{{json b}}",
            ["variable a", "tag ", "local this", "local n", "tag ", "local @state.s", "local json"],
            ("a", "b"),
            {"a": "x"},
        ),
        (
            "p.yaml",
            "template: '{{$a}} {{ns.f $b}}'\ninput_variables:\n  - name: a\n    default: x\n",
            ["variable a", "local ns.f"],
            ("a",),
            {"a": "x"},
        ),
        (
            "promptfooconfig.yaml",
            "prompts: ['{{a}}']\ndefaultTest:\n  vars: {a: x, b: z}\ntests:\n  - vars: {a: y}\n",
            ["variable a"],
            None,
            {"a": "y", "b": "z"},
        ),
        (
            "main.baml",
            '  prompt #"{{ _.role("user") }}{{ a.b }}{{ ctx.output_format }}"#',
            ["tag ", "variable a.b", "local ctx.output_format"],
            None,
            {},
        ),
    ],
)
def test_placeholders_inputs_and_samples(
    name: str,
    text: str,
    placeholders: list[str],
    inputs: tuple[str, ...] | None,
    samples: dict[str, str],
) -> None:
    prompt = parse(name, text)
    assert [f"{each.kind} {each.name}" for each in prompt.placeholders] == placeholders
    assert prompt.inputs == inputs
    assert dict(prompt.samples) == samples


def test_a_placeholder_in_an_escaped_text_is_found_in_the_file() -> None:
    text = r'[{"role": "user", "content": "\u00e9\n{{ x }} \ud83c\udf3e"}]'
    prompt = parse("a.messages.json", text)
    (placeholder,) = prompt.placeholders
    assert text[placeholder.start : placeholder.end] == "{{ x }}"
    (message,) = prompt.messages
    span = message.file_span(len("é\n "), len(message.text))
    assert text[span.start : span.end] == r"\ud83c\udf3e"


@pytest.mark.parametrize(
    ("name", "text", "structure"),
    [
        ("a.prompty", "# User: \nHi", ["# User: "]),
        ("a.prompt", 'a{{role "user"}}b', ['{{role "user"}}']),
        ("a.chatml", "<|im_start|>user\nHi<|im_end|>\n", ["<|im_start|>user\n", "<|im_end|>"]),
        ("a.prompt", "<User>\nHi\n</User>\n", ["<User>\n", "</User>"]),
    ],
)
def test_structure(name: str, text: str, structure: list[str]) -> None:
    assert [text[start:end] for start, end in parse(name, text).structure] == structure


@pytest.mark.parametrize(
    ("name", "text", "where", "message"),
    [
        ("a.prompt.md", "---\nx\nHi", "---", "the header is never closed with ---"),
        ("a.prompt.md", "---\na: [\n---\nHi", "a: [", "this isn't valid YAML"),
        ("a.prompty", "---\na: b --- c\n---\nuser:\nHi", "---", "it stands inside a line"),
        ("a.prompt", "<User>\nHi", "<User>", "never closed with </User>"),
        ("a.prompt", "a: b\n---\n<system>x</system>y\n---\nz", "---\nz", "does not send"),
        ("a.chatml", "x\n<|im_start|>user\nHi", "x\n", "outside all turns"),
        ("a.chatml", "<|im_start|>user\nHi<|im_end|>\n<|", "\n<|", "outside all turns"),
        ("a.messages.json", '[{"role": "user", "content": "Hi', '"Hi', "no closing quotation mark"),
        ("a.baml", 'prompt #"\nx', '#"', 'never closed with "#'),
        ("p.yaml", "_type: prompt\ntemplate: a } b", "}", "a single } isn't text here"),
        ("skprompt.txt", '<message role="user">x', '<message role="user">', "</message>"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_rest_counts(
    name: str, text: str, where: str, message: str
) -> None:
    prompt = parse(name, text)
    assert [text[p.start : p.end] for p in prompt.problems if message in p.message] == [where]

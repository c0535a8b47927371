"""What must hold for every format and every text, half-typed and hostile ones too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.thorough import THOROUGH

from promptls.formats import Format, all_formats, detect, jinja
from promptls.prompt import Prompt
from promptls.reading.models import Choice
from promptls.reading.reading import Reading
from promptls.settings import Settings
from subword import get_encoding

from .expectations import FIXTURES, format_of
from .sources import check_source

EXAMPLES = Path(__file__).parents[3] / "examples"

# Each format's own marks; a text made of them is much likelier to hit something than a random one.
FRAGMENTS = [
    *["---\n", "----\n", "---", "+++\n", "\ufeff", "\r\n", "\n", "\n\n", " ", "\t", "  "],
    *["name: x\n", "a: [\n", "inputs:\n  x:\n    sample: 1\n", "sample: {x: y}\n", "# c\n"],
    *["system:\n", "# User:\n", "## user:\n", "assistant[name=x]: \n", "user: text\n"],
    *[
        "{{",
        "}}",
        "{{x}}",
        "{{ x.y | f }}",
        "{%",
        "%}",
        "{% if x %}",
        "{% endif %}",
        "{# c #}",
        "{#",
    ],
    *["{% raw %}", "{% endraw %}", "{%- for i in x -%}", "{%- endfor -%}", "{{-", "-}}"],
    *[
        "{{#if x}}",
        "{{/if}}",
        "{{else}}",
        "{{~x~}}",
        "{{!-- c --}}",
        "{{{x}}}",
        "\\{{x}}",
        "{{>p}}",
    ],
    *['{{role "system"}}', "{{history}}", "{{media url=x}}", "<<<dotprompt:role:model>>>"],
    *["<System>\n", "</System>\n", "<User>\n", "</User>", "<system>", "</system>", "${x}"],
    *["${input:x:y}", "${file}", "```\n", "````\n", "# Title\n", "<facts>\n", "</facts>"],
    *["<|im_start|>", "<|im_start|>user\n", "<|im_end|>", "<|im_end|>\n", "<|start|>user"],
    *["<|channel|>final", "<|message|>", "<|end|>", "<|return|>", "<|user|>\n", "<s>", "</s>"],
    *["<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>", "<start_of_turn>model\n"],
    *["<end_of_turn>", "[INST] ", " [/INST]", "<<SYS>>\n", "\n<</SYS>>\n\n", "<｜User｜>"],
    *["messages:\n", "  - role: user\n", "    content: |\n", "      text\n", "    content: >-\n"],
    *['"', "'", "\\", '\\n"', "\\ud83c\\udf3e", "\\u00e9", ": ", "- ", "[", "]", "{", "}", ","],
    *['{"messages": [', '{"role": "user", "content": "x\\n{{y}}"}', '{"role": "system",'],
    *['"content": [{"type": "text", "text": "a\\t"}]', "}]}\n", "*a", "&a "],
    *["prompts:\n", "  - 'a {{b}}'\n", "  - file://x.txt\n", "template: ", "_type: prompt\n"],
    *["template_format: jinja2\n", '<message role="system">', "</message>", "&lt;", "{{$x}}"],
    *[
        '  prompt #"\n',
        '"#',
        '{{ _.role("user") }}',
        'template_string X(a: int) #"',
        "{x!r}",
        "{{{",
    ],
    *["text", "é漢字", "🎉", "عربي", "\u2028", "\x85", "\x00", "\ud83c", "\x0c"],
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=60)


def each_format(test: Callable[..., None]) -> Callable[..., None]:
    names = [each.name for each in all_formats()]
    return pytest.mark.parametrize("file_format", all_formats(), ids=names)(test)


@cache
def texts_of(file_format: Format) -> st.SearchStrategy[str]:
    """Texts of all formats' marks, and of lines of this one's own fixtures."""
    files = [p.read_bytes().decode() for p in FIXTURES if format_of(p) == file_format.name]
    lines = {line for file in files for line in re.findall(r"[^\n]*\n|[^\n]+", file)}
    pieces = st.sampled_from(FRAGMENTS) | st.sampled_from(sorted(lines))
    return st.lists(pieces, max_size=25).map("".join) | st.text(max_size=60)


@each_format
@given(st.data())
def test_any_text_is_read(file_format: Format, data: st.DataObject) -> None:
    text = data.draw(texts_of(file_format))
    check(file_format.parse(text), text)


@each_format
def test_files_at_every_stage_of_typing(file_format: Format) -> None:
    for path in (*FIXTURES, *sorted(EXAMPLES.iterdir())):
        text = path.read_bytes().decode("utf-8")
        if detect(path.name, text) == file_format:
            for end in range(0, len(text), 7):
                check(file_format.parse(text[:end]), text[:end])


@pytest.mark.parametrize("beginning", ["<|im_start|>user\n", "[INST] ", "<|user|>\n", "<｜User｜>"])
@given(text=TEXTS)
def test_any_text_is_read_as_a_raw_chat(beginning: str, text: str) -> None:
    prompt = detect("x.txt", beginning + text).parse(beginning + text)
    assert prompt.format == "raw-chat"
    check(prompt, beginning + text)


@each_format
def test_long_repeats_are_read(file_format: Format) -> None:
    """A mark that is repeated hundreds of times; a pattern that backtracks would not come back."""
    prefixes = ("", "---\n", "{{", 'a: "')
    for number, fragment in enumerate(FRAGMENTS):
        text = fragment * (1_000 // len(fragment))
        for prefix in prefixes if THOROUGH else [prefixes[number % 4]]:
            file_format.parse(prefix + text)


def check(prompt: Prompt, text: str) -> None:
    """The promises of `Prompt`, for one file."""
    check_ascending(text, prompt.messages)
    check_ascending(text, prompt.placeholders)
    check_ascending(text, prompt.structure)
    for message in prompt.messages:
        check_source(text, message.text, message.source, message.start, message.end)
        if prompt.header:
            assert prompt.header.end <= message.start
    # Of a file that isn't blank and of which nothing is sent, a finding or the count says why.
    if not any(message.text for message in prompt.messages) and text.strip("\ufeff \t\r\n"):
        is_filled = prompt.value_count or prompt.uncounted or prompt.has_open_turn
        assert prompt.problems or is_filled
    for problem in prompt.problems:
        assert 0 <= problem.start <= problem.end <= len(text)
    for each in prompt.alternatives:
        assert 0 <= each.start <= each.end <= len(text)
        for message in prompt.messages[each.first : each.stop]:
            assert each.start <= message.start <= message.end <= each.end
    choice = Choice(get_encoding("r50k_base"))
    reading = Reading(text, None, jinja.FORMAT, Settings(), choice, prompt)
    assert sum(reading.line_tokens) == sum(count.total for count in reading.counts)
    least, most, _ = reading.ranges.total
    assert 0 <= least <= most


def check_ascending(text: str, spans: Iterable[object]) -> None:
    edges = [(span.start, span.end) for span in spans]  # type: ignore[attr-defined]
    for start, end in edges:
        assert 0 <= start <= end <= len(text)
    for (_, end), (start, _) in pairwise(edges):
        assert end <= start

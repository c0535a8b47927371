"""However deep a text is nested, it is read, counted, checked and outlined, and nothing raises."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from tests.lsp.wire import Wire, span
from tests.thorough import THOROUGH

from promptls.reading.outline import outline
from promptls.reading.reader import Reader
from promptls.reading.reading import read
from promptls.reports import baseline
from promptls.rules.checking import check
from promptls.settings import Settings
from promptls.text import Text
from subword import get_encoding

# More than Python's own stack or, if thorough, a parser's in C would hold.
DEEP = 100_000 if THOROUGH else 10_000
# YAML's own readers take quadratic time for what is nested.
DEEP_YAML = 10_000 if THOROUGH else 2_000


def nested(opening: str, closing: str, inside: str = "", depth: int = DEEP) -> str:
    return opening * depth + inside + closing * depth


EXAMPLES = nested('{"_type":"few_shot","example_prompt":', "}", '{"template":"hi"}')
CHATS = nested('{"_type":"chat","messages":[{"prompt":', "}]}", '{"template":"hi"}')
REQUEST = '{"messages":[{"role":"user","content":%s}],"tools":%s}'
HEADINGS = "".join(f"{'#' * (n % 6 + 1)} Part {n}\n\nText.\n" for n in range(DEEP_YAML))
TAGS = "".join(f"<a{n}>\n" for n in range(DEEP_YAML))
TAGS += "text\n" + "".join(f"</a{n}>\n" for n in reversed(range(DEEP_YAML)))
FLOW = nested("[", "]", depth=DEEP_YAML)

# The name of each file, its text, and how many messages it has.
FILES = {
    "arrays": ("a.json", nested("[", "]"), 1),
    "objects": ("a.json", nested('{"a":', "}", "1"), 1),
    "arrays for messages": ("a.messages.json", nested("[", "]"), 0),
    "open arrays": ("a.json", "[" * DEEP, 1),
    "content of a message": ("a.json", REQUEST % (nested("[", "]"), "[]"), 0),
    "tools of a request": ("a.json", REQUEST % ('"hi"', nested('{"a":[', "]}", "1")), 1),
    "a line of requests": ("a.jsonl", REQUEST % ('"hi"', nested("[", "]")) + "\n", 1),
    "an input of LangChain's": (
        "a.json",
        '{"_type":"prompt","template":"hi","input_variables":' + nested("[", "]") + "}",
        1,
    ),
    "examples of examples": ("a.json", EXAMPLES, 1),
    "chats in chats": ("a.json", CHATS, 1),
    "YAML in brackets": ("a.yaml", f"_type: prompt\ntemplate: hi\na: {FLOW}\n", 1),
    "YAML in braces": (
        "a.yaml",
        "_type: prompt\ntemplate: hi\na: " + nested("{a: ", "}", depth=DEEP_YAML),
        1,
    ),
    "YAML in dashes": ("a.yaml", "_type: prompt\ntemplate: hi\na:\n" + "- " * DEEP_YAML + "x", 1),
    "a header": ("a.prompty", f"---\nname: x\nsample:\n  a: {FLOW}\n---\nsystem:\nhi\n", 1),
    "a message in YAML": ("a.prompt.yml", f"messages:\n- role: user\n  content: {FLOW}\n", 0),
    "prompts to compare": ("promptfooconfig.yaml", f"providers: [a]\nprompts: {FLOW}\n", 0),
    "JSON in a text": ("a.md", f"```json\n{nested('[', ']')}\n```\n", 1),
    "YAML in a text": ("a.md", f"```yaml\n{FLOW}\n```\n", 1),
    "headings": ("a.md", HEADINGS, 1),
    "tags": ("a.md", TAGS, 1),
    "quotes": ("a.md", "> " * DEEP + "x", 1),
    "statements": ("a.j2", nested("{% if a %}", "{% endif %}", "x", DEEP_YAML), None),
    "an expression": ("a.j2", "{{ " + nested("(", ")", "x") + " }}", None),
    "blocks": ("a.hbs", nested("{{#if a}}", "{{/if}}", "x", DEEP_YAML), None),
    "sections": ("a.mustache", nested("{{#a}}", "{{/a}}", "x", DEEP_YAML), None),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_nested_deep_is_counted_checked_and_outlined(name: str) -> None:
    path, text, messages = FILES[name]
    settings = Settings()
    reading = read(text, path, settings)
    check(reading)
    live = Reader(path, "", settings).read(Text(text))
    sent = [message.total for message in live.counts]
    assert sent == [message.total for message in reading.counts]
    assert messages is None or len(sent) == messages
    # What can't be read as deep as that is said, and a text that is its own prompt counts whole.
    assert sent or reading.prompt.problems
    if reading.format.name in ("plain", "markdown"):
        assert live.total == len(get_encoding("o200k_base").encode(text))
    outline(live)
    if text in (EXAMPLES, CHATS):
        (innermost,) = reading.prompt.messages
        assert text[innermost.start : innermost.end] == innermost.text == "hi"


def test_each_of_the_tags_lies_in_the_one_before() -> None:
    parts = outline(Reader("a.md", "", Settings()).read(Text(TAGS)))
    assert len(parts) == DEEP_YAML
    assert all(part.parent is above for above, part in pairwise(parts))


def test_the_server_answers_about_what_is_nested_deep() -> None:
    with Wire() as wire:
        wire.start("vscode")
        for name in ("arrays", "chats in chats", "YAML in brackets", "tags"):
            path, text, _ = FILES[name]
            uri = f"file:///workspace/{name}/{path}"
            wire.open(uri, text)
            symbols = wire.ask_of(uri, "documentSymbol")
            wire.ask_of(uri, "foldingRange")
            inside = {"line": text.count("\n") // 2, "character": 0}
            selections = wire.ask_of(uri, "selectionRange", positions=[inside])
    # Those of the tags.
    assert count(symbols) == DEEP_YAML
    whole = selections[0]
    while outer := whole.get("parent"):
        whole = outer
    assert whole["range"] == span((0, 0), (text.count("\n"), 0))


def count(symbols: list[dict[str, Any]]) -> int:
    return sum(1 + count(symbol["children"] or []) for symbol in symbols)


def test_a_baseline_that_is_nested_deep_is_none() -> None:
    with pytest.raises(ValueError):
        baseline.load(nested("[", "]"))
    assert json.loads(baseline.dump([]))["files"] == {}

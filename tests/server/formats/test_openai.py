"""Chats in JSON and JSON Lines: a request is the same in whatever stands around it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptls.formats import detect
from promptls.prompt import Prompt
from promptls.reading.reading import read

FOLDER = Path(__file__).with_name("openai-messages")


def parse(name: str, text: str) -> Prompt:
    return detect(name, text).parse(text)


@pytest.mark.parametrize("name", ["gemini.json", "anthropic.json", "responses.messages.json"])
@pytest.mark.parametrize("wrapper", ["body", "params", "request"])
def test_a_request_is_the_same_in_a_batch(name: str, wrapper: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    alone = parse(name, text)
    line = json.dumps({"custom_id": "1", wrapper: json.loads(text)})
    batch = parse("a.jsonl", line)
    assert [(m.role, m.text) for m in batch.messages] == [(m.role, m.text) for m in alone.messages]
    assert (batch.uncounted, batch.models) == (alone.uncounted, alone.models)
    assert not (batch.problems or batch.alternatives)


def test_a_placeholder_in_an_escaped_text_is_found_in_the_file() -> None:
    text = r'[{"role": "user", "content": "\u00e9\n{{ x }} \ud83c\udf3e"}]'
    prompt = parse("a.messages.json", text)
    (placeholder,) = prompt.placeholders
    assert text[placeholder.start : placeholder.end] == "{{ x }}"
    (message,) = prompt.messages
    span = message.file_span(len("é\n "), len(message.text))
    assert text[span.start : span.end] == r"\ud83c\udf3e"


ROLES = st.sampled_from(["system", "user", "assistant"])
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


@given(st.lists(st.lists(st.tuples(ROLES, WORDS), min_size=1, max_size=3), min_size=2, max_size=4))
def test_the_prompts_of_a_file_are_what_each_is_alone(talks: list[list[tuple[str, str]]]) -> None:
    requests = [{"messages": [{"role": r, "content": c} for r, c in talk]} for talk in talks]
    together = "\n".join(json.dumps(request) for request in requests)
    reading = read(together, "a.jsonl")
    alone = [read(json.dumps(request), "a.json").total for request in requests]
    assert [amount.tokens for amount in reading.alternative_amounts] == alone
    assert reading.total == sum(alone)

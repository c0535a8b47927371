"""Figures beside the count: the chat's wrapper and filled placeholders, against tiktoken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer import oracle

from promptls.cli.count import Counted, _details, count_source
from promptls.cli.inputs import Source
from promptls.reading.drafts import Draft
from promptls.reading.estimates import Filled, chat_wrapper, count_filled, with_markers
from promptls.reading.reading import read
from promptls.settings import Settings
from subword import get_encoding

CHAT = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi {{name}}!<|im_end|>\n"


@pytest.mark.parametrize(
    ("name", "text", "encoding", "total"),
    [
        ("a.chatml", CHAT, "o200k_base", 11),
        ("a.chatml", CHAT, "gpt2", None),
        ("a.txt", "Hi", "o200k_base", None),
        ("a.messages.json", '[{"role": "user", "content": "Hi"}]', "cl100k_base", 7),
    ],
)
def test_the_wrapper_of_a_chat(name: str, text: str, encoding: str, total: int | None) -> None:
    reading = read(text, name, Settings(encoding=encoding))
    wrapper = chat_wrapper(reading.prompt, reading.encoding)
    assert (wrapper.total if wrapper else None) == total


@given(st.dictionaries(st.sampled_from(["name", "city", "漢"]), st.text(max_size=8), max_size=3))
def test_filled_placeholders_cost_what_the_filled_text_costs(samples: dict[str, str]) -> None:
    text = "Hola {{name}},\n{{ city }}{{city}} 😀 {{漢}}"
    settings = Settings(samples=samples)
    reading = read(text, "a.mustache", settings)
    filled = count_filled(reading.prompt, reading.encoding, settings)
    expected = text
    for written in ("{{name}}", "{{ city }}", "{{city}}", "{{漢}}"):
        expected = expected.replace(written, samples.get(written.strip("{} "), ""), 1)
    assert reading.prompt.value_count == 4
    (message,) = reading.prompt.messages
    texts = {p.start: samples[p.name] for p in reading.prompt.placeholders if p.name in samples}
    assert Draft(message, texts).text == expected
    if not samples:
        assert filled is None
        return
    assert filled is not None and filled.tokens
    clean = expected.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert filled.tokens.high == len(oracle.encoding("o200k_base").encode_ordinary(clean))
    uses = {"name": 1, "city": 2, "漢": 1}
    assert filled.filled == sum(uses[name] for name in samples)
    assert filled.filled + filled.left == 4


def test_the_settings_win_over_the_headers_samples() -> None:
    text = "---\nname: x\nsample:\n  city: Oslo\n---\nsystem:\nGo to {{city}}."
    plain = count_filled(*_parts(text, Settings()))
    other = count_filled(*_parts(text, Settings(samples={"city": "Constantinople"})))
    count = oracle.encoding("o200k_base").encode_ordinary
    assert plain and plain.tokens and plain.tokens.high == len(count("Go to Oslo."))
    assert other and other.tokens and other.tokens.high == len(count("Go to Constantinople."))


def _parts(text: str, settings: Settings):  # type: ignore[no-untyped-def]
    reading = read(text, "a.prompty", settings)
    return reading.prompt, reading.encoding, settings


def test_a_long_sample_in_many_places_is_not_written_out() -> None:
    text = "---\nsample:\n  a: " + "word " * 2_000 + "\n---\nuser:\n" + "{{a}} " * 2_000
    assert count_filled(*_parts(text, Settings())) == Filled(None, 2_000, 0)
    row = count_source(Source("a.prompty", Path("a.prompty"), Settings(), text=text), False, False)
    assert isinstance(row, Counted)
    assert row.row["filled"] == {"tokens": None, "filled": 2_000, "left": 0}
    assert "too much text to count with 2,000 sample values" in _details(row.row, row.encoding)
    one = count_filled(*_parts(text[: text.index("{{a}}") + 6], Settings()))
    assert one and one.tokens


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
    wrapper = chat_wrapper(read(text, "a.messages.json").prompt, get_encoding("o200k_base"))
    assert wrapper
    assert (wrapper.messages, wrapper.total) == (messages, total)


def test_an_open_turn_is_no_message_and_an_answer() -> None:
    closed = "<|im_start|>user\nHi<|im_end|>\n"
    encoding = get_encoding("o200k_base")
    for text in (closed, f"{closed}<|im_start|>assistant\n", f"{closed}<|im_start|>assistant\nSo"):
        wrapper = chat_wrapper(read(text, "a.chatml").prompt, encoding)
        assert wrapper
        assert wrapper.total == 7
    wrapper = chat_wrapper(read(f"{closed}<|im_start|>user\nAnd", "a.chatml").prompt, encoding)
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
    prompt = read(text, "a.txt").prompt
    assert with_markers(text, prompt, get_encoding("o200k_base")) == tokens

"""Names and models lead to encodings as tiktoken's own table has them, and nothing is guessed."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from tests.tokenizer import oracle
from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING
from tiktoken.model import encoding_name_for_model as tiktokens_name

from subword import (
    Encoding,
    UnknownEncodingError,
    UnknownModelError,
    encoding_for_model,
    encoding_name_for_model,
    encodings,
    get_encoding,
    list_encodings,
)
from subword.encodings import ENCODINGS, TABLES
from subword.special import control_tokens

# tiktoken matches "ft:gpt-4" before it could see that gpt-4.1 was tuned.
PREFIXES = {p: e for p, e in MODEL_PREFIX_TO_ENCODING.items() if not p.startswith("ft:")}
TUNED = {p: e for p, e in MODEL_PREFIX_TO_ENCODING.items() if p.startswith("ft:")}


def test_tiktokens_encodings_are_here() -> None:
    assert {*oracle.NAMES} <= {*list_encodings()}


@pytest.mark.parametrize("name", list_encodings())
def test_a_row_is_true(name: str) -> None:
    """What a row says, held against its table and the lists of special tokens."""
    row, encoding = ENCODINGS[name], get_encoding(name)
    assert row.size == encoding.n_vocab
    assert len(encoding.ranks) + len(encoding.special_ids) <= row.size
    assert TABLES[row.table].licence and TABLES[row.table].source
    assert not row.same_ids or encoding.ranks.items() >= get_encoding(row.same_ids).ranks.items()
    assert encoding.special_tokens == row.special_tokens
    listed = [token for token in control_tokens() if token.family == row.family]
    ids = {token.token: token.id for token in listed if token.id is not None}
    assert ids and ids.items() <= row.special_tokens.items()
    for token in row.special_tokens:
        assert any(re.fullmatch(each.regex, token) for each in listed), token
    for text in ("¿Qué tal? 漢字", "  x\n\ty \r\n", "naïve 😀 1234", *row.special_tokens):
        assert encoding.decode(encoding.encode(text)) == text
        assert [token.start for token in encoding.split(text)] == encoding.token_starts(text)
    for model in row.models:
        assert encoding_name_for_model(model.replace("*", "x")) == name


@pytest.mark.parametrize(("model", "encoding"), MODEL_TO_ENCODING.items())
def test_every_model_of_tiktokens_table(model: str, encoding: str) -> None:
    for spelling in (model, model.upper(), model.title(), f"openai/{model}", f" {model}\n"):
        assert encoding_name_for_model(spelling) == encoding
    assert encoding_name_for_model(f"openrouter/openai/{model}") == encoding
    assert encoding_name_for_model(f"openai/{model}:free") == encoding
    assert encoding_name_for_model(f"ft:{model}:acme::9xYz") == encoding
    assert encoding_for_model(model) is get_encoding(encoding)
    assert model in encodings.known_models(encoding)


@pytest.mark.parametrize(("prefix", "encoding"), PREFIXES.items())
def test_every_prefix_of_tiktokens_table(prefix: str, encoding: str) -> None:
    dated = prefix.removesuffix("-") + "-2031-02-28"
    assert tiktokens_name(dated) == encoding
    assert encoding_name_for_model(dated) == encoding
    known = encodings.known_models(encoding)
    base = prefix.removeprefix("ft:").removesuffix("-")
    # A fine-tuned gpt-4o is known by its own name, and one of its own prefix.
    assert base in known or f"{base}-*" in known
    assert encoding_name_for_model(dated.upper()) == encoding
    assert encoding_name_for_model(f"azure/{dated}") == encoding
    assert encoding_name_for_model(f"ft:{dated}:acme:niño:9xYz") == encoding


@pytest.mark.parametrize(("prefix", "encoding"), TUNED.items())
def test_every_fine_tuned_prefix_of_tiktokens_table(prefix: str, encoding: str) -> None:
    for model in (f"{prefix}:acme::9xYz", f"{prefix}:mi/equipo::9xYz"):
        assert tiktokens_name(model) == encoding
        assert encoding_name_for_model(model) == encoding


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("GPT-4o", "o200k_base"),
        ("openai/gpt-4o", "o200k_base"),
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4-32k", "cl100k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("gpt-5-mini", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("openai/gpt-oss-20b:free", "o200k_harmony"),
        ("ft:gpt-4o-2024-08-06:acme::id", "o200k_base"),
        ("ft:gpt-3.5-turbo-0125:acme::id", "cl100k_base"),
        ("ft:gpt-4-0613:acme::id", "cl100k_base"),
        # tiktoken says cl100k_base here, since "ft:gpt-4" also begins this name.
        ("ft:gpt-4.1-2025-04-14:acme::id", "o200k_base"),
    ],
)
def test_known_models(model: str, encoding: str) -> None:
    assert encoding_name_for_model(model) == encoding


@pytest.mark.parametrize(
    ("model", "near"),
    [
        ("gpt-50foo", "gpt-5"),
        ("gpt-5o", "gpt-5"),
        ("gpt5", "gpt-5"),
        ("gpt-4ofoo", "gpt-4o"),
        ("gpt-4.1foo", "gpt-4.1"),
        ("gpt4", "gpt-4"),
        ("ft:gpt-50foo:acme::id", "gpt-5"),
        ("openai/gpt-50foo", "gpt-5"),
        ("text-embedding-4-small", "text-embedding-3-small"),
        ("claude-3", None),
        ("mistral-large", None),
        ("gpt-", "gpt-5"),
        ("ft:", None),
        ("openai/", None),
        ("", None),
    ],
)
def test_an_unknown_model_is_refused_with_what_is_known(model: str, near: str | None) -> None:
    with pytest.raises(UnknownModelError) as raised:
        encoding_name_for_model(model)
    message = str(raised.value)
    assert f"unknown model {model!r}" in message
    assert ("Did you mean" in message) == (near is not None)
    assert near is None or near in message
    assert "gpt-5" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("o200k", "o200k_base"),
        ("CL100K_BASE", "cl100k_base"),
        ("cl100k-base", "cl100k_base"),
        ("gpt-2", "gpt2"),
        ("zzz", None),
        ("", None),
    ],
)
def test_an_unknown_encoding_is_refused_with_the_nearest(name: str, near: str | None) -> None:
    with pytest.raises(UnknownEncodingError) as raised:
        get_encoding(name)
    message = str(raised.value)
    assert (f"Did you mean {near}" in message) == (near is not None)
    assert all(known in message for known in list_encodings())
    assert "\n" not in message


def test_threads_that_ask_at_once_share_one_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    barrier = Barrier(8)

    def slow_load(name: str) -> Encoding:
        loads.append(name)
        time.sleep(0.02)
        return load(name)

    def ask(name: str) -> Encoding:
        barrier.wait()
        return get_encoding(name)

    load = encodings._load
    monkeypatch.setattr(encodings, "_loaded", {})
    monkeypatch.setattr(encodings, "_load", slow_load)
    names = ["gpt2", "p50k_edit"] * 4
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(ask, names))
    assert sorted(loads) == ["gpt2", "p50k_edit"]
    assert [encoding.name for encoding in got] == names
    assert len(set(map(id, got))) == 2


@pytest.mark.parametrize("name", oracle.NAMES)
def test_the_vocabulary_sizes_are_tiktokens(name: str) -> None:
    assert ENCODINGS[name].size == oracle.encoding(name).n_vocab

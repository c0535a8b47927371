"""The control tokens of model families: well-formed rows, and ids that tiktoken confirms."""

from __future__ import annotations

import re

import pytest
from tests.tokenizer import oracle

from subword import get_encoding
from subword.encodings import ENCODINGS
from subword.special import control_tokens, families, family_tokens


def test_the_encodings_have_tiktokens_special_tokens() -> None:
    theirs = {name: oracle.encoding(name)._special_tokens for name in oracle.NAMES}
    assert theirs == {name: ENCODINGS[name].special_tokens for name in theirs}


@pytest.mark.parametrize("name", oracle.NAMES)
def test_each_special_token_is_one_id_as_control_and_several_as_text(name: str) -> None:
    encoding = get_encoding(name)
    for token, id in encoding.special_tokens.items():
        assert encoding.encode(token, special="control") == [id]
        assert len(encoding.encode(token)) > 1
        assert encoding.encode(encoding.decode([id]), special="control") == [id]


def test_rows_of_control_tokens_are_well_formed() -> None:
    rows = control_tokens()
    assert len(rows) > 400
    for row in rows:
        assert row.token.strip() and row.family and row.role and row.source, row
        assert row.kind in ("special", "text"), row
        assert row.id is None or row.id >= 0, row
        is_series = row.regex != re.escape(row.token)
        assert is_series or re.fullmatch(row.regex, row.token), row
        assert not (is_series and row.id is not None), row
        assert not re.search(row.regex, "Escribe una nota: <b>hola</b> [1] {x} | y"), row
    assert len({(row.family, row.token) for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("family", "token", "id"),
    [
        ("llama-3.1", "<|eot_id|>", 128009),
        ("llama", "<|eot_id|>", 128009),
        ("Qwen-2", "<|im_start|>", 151644),
        ("chatml", "<|im_end|>", None),
        ("harmony", "<|channel|>", 200005),
        ("gemma-2", "<start_of_turn>", 106),
        ("mistral-v3", "[INST]", 3),
    ],
)
def test_known_control_tokens(family: str, token: str, id: int | None) -> None:
    found = [row for row in family_tokens(family) if row.token == token]
    assert found
    assert id is None or id in {row.id for row in found}


@pytest.mark.parametrize("family", ["", "ll", "nothing", "llama-99"])
def test_an_unknown_family_has_no_control_tokens(family: str) -> None:
    assert family_tokens(family) == ()


def test_a_family_is_all_its_members() -> None:
    for name in families():
        assert {row for row in control_tokens() if row.family == name} <= {*family_tokens(name)}
    members = {row.family for row in family_tokens("llama")}
    assert members == {name for name in families() if name.startswith("llama-")}

"""Model families and glitch tokens: the data is sound and agrees with the vocabularies."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from tests.tokenizer import oracle

from subword import get_encoding, list_encodings
from subword.encodings import ENCODINGS
from subword.glitch import glitch_tokens
from subword.special import control_tokens, families, family_tokens


def test_every_row_matches_what_it_spells() -> None:
    for token in control_tokens():
        is_series = token.regex != re.escape(token.token)
        member = re.sub(r"[NK](?=\W*$)", "7", token.token) if is_series else token.token
        assert re.fullmatch(token.regex, member), token
        assert token.kind in ("special", "text") and token.source and token.family


def test_family_names_can_be_written_in_a_setting() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name) for name in families())


SELECTED = [
    ("llama-3", {"llama-3"}),
    ("llama-3.1", {"llama-3"}),
    ("Llama", {"llama-2", "llama-3", "llama-4"}),
    ("gemma-3", {"gemma", "gemma-3"}),
    ("qwen-2.5", {"qwen-2"}),
    ("claude", {"claude-legacy"}),
    ("llam", set()),
    ("nobody", set()),
    ("", set()),
]


@pytest.mark.parametrize(("name", "expected"), SELECTED)
def test_a_name_selects_families(name: str, expected: set[str]) -> None:
    assert {token.family for token in family_tokens(name)} == expected


UNMISTAKABLE = ["<|im_end|>", "<|eot_id|>", "<｜end▁of▁sentence｜>", "<end_of_turn>"]
AMBIGUOUS = ["<s>", "[INST]", "<think>", "<mask>", "[MASK]", "<pad>", "sop", "USER:", "<|turn>"]


@pytest.mark.parametrize("token", UNMISTAKABLE + AMBIGUOUS)
def test_a_spelling_is_unmistakable_or_not(token: str) -> None:
    rows = [row for row in control_tokens() if row.token == token]
    assert rows and {row.is_unmistakable for row in rows} == {token in UNMISTAKABLE}


@pytest.mark.parametrize("name", list_encodings())
def test_glitch_tokens_are_in_the_vocabulary(name: str) -> None:
    encoding = get_encoding(name)
    text = files("subword").joinpath("data/glitch_tokens.json").read_text(encoding="utf-8")
    listed = {(row["id"], row["token"]) for row in json.loads(text)["tokens"] if "token" in row}
    known = glitch_tokens(name)
    own = ENCODINGS[name].same_ids or name
    assert known == glitch_tokens(own)
    assert len(known) > 40 or name not in oracle.NAMES
    for id, glitch in known.items():
        spelled = encoding.decode([id])
        assert encoding.encode(spelled) == [id], spelled
        assert glitch.tier == "polluted-vocabulary" or (id, spelled) in listed


def test_an_encoding_without_a_list_has_none() -> None:
    assert glitch_tokens("somebody's own") == {}

"""Pieces that are one byte again and again: their ids are those of the core."""

from __future__ import annotations

import pytest
from tests.tokenizer import oracle

from subword import get_encoding, list_encodings
from subword.uniform import encode_uniform

LENGTHS = [*range(1, 140), 255, 256, 257, 1000, 4095, 4097, 65_537]


@pytest.mark.parametrize("name", list_encodings())
@pytest.mark.parametrize("byte", [" ", "\t", "\n", "=", "-", "a", "0"])
def test_ids_are_those_of_the_core(name: str, byte: str) -> None:
    encoding = get_encoding(name)
    for length in LENGTHS:
        expected = oracle.encoding(name)._core_bpe.encode_single_piece(byte.encode() * length)
        assert encode_uniform(encoding.ranks, byte.encode(), length) == expected


def test_an_order_that_is_not_that_of_learning_is_not_guessed() -> None:
    # Once the first two of three are merged, their merge with the third comes before all others.
    ranks = {b"a": 0, b"aa": 2, b"aaa": 1}
    assert encode_uniform(ranks, b"a", 4) is None


@pytest.mark.parametrize(
    "text", [" " * 140_000 + "x", "x" + "\t" * 140_000, "a\n" + "\n" * 140_000]
)
def test_a_long_run_in_a_text_is_encoded_as_the_core_does(text: str) -> None:
    for name in ("o200k_base", "cl100k_base", "gpt2"):
        encoding = get_encoding(name)
        assert encoding.encode(text) == oracle.encoding(name).encode(text)

"""Tokens with their places: bytes and characters, also where tokens share a character."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.tokenizer import oracle
from tests.tokenizer.texts import texts

from subword import SpecialMode, Token, get_encoding
from subword.surrogates import join_surrogates, pair_offsets

MODES: tuple[SpecialMode, ...] = ("text", "control")


def character_of_each_byte(text: str) -> list[tuple[int, int]]:
    """For each UTF-8 byte of the text, where its character begins and ends in the text as given."""
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = start + 1
        if len(oracle.with_pairs_joined(text[start : start + 2])) < len(text[start : start + 2]):
            end = start + 2
        character = oracle.with_pairs_joined(text[start:end])
        spans += [(start, end)] * len(character.encode())
        start = end
    return spans


@pytest.mark.parametrize("name", oracle.NAMES)
@given(text=texts(), mode=st.sampled_from(MODES))
@example("漢字\ud83d\ude00漢\ud83d👩‍👩‍👧‍👦\ude00", "text")
@example("<|reserved_200018|>漢<|endofprompt|>", "control")
def test_tokens_cover_the_text_without_gaps(name: str, text: str, mode: SpecialMode) -> None:
    encoding = get_encoding(name)
    tokens = encoding.split(text, mode)
    data = oracle.with_pairs_joined(text).encode()
    places = character_of_each_byte(text)
    assert [token.id for token in tokens] == encoding.encode(text, mode)
    assert b"".join(token.bytes for token in tokens) == data
    position = 0
    for token in tokens:
        assert token.byte_start == position
        position = token.byte_end
        assert token.bytes == data[token.byte_start : token.byte_end]
        assert token.start == places[token.byte_start][0]
        assert token.end == places[token.byte_end - 1][1]
        assert token.text is None or token.text.encode() == token.bytes
        whole = position == len(data) or places[position] != places[position - 1]
        begins = token.byte_start == 0 or places[token.byte_start] != places[token.byte_start - 1]
        assert (token.text is not None) == (whole and begins)
    assert position == len(data)
    assert encoding.token_starts(text, mode) == [token.start for token in tokens]


@pytest.mark.parametrize("name", oracle.NAMES)
@given(text=texts(surrogates=False))
def test_starts_are_those_that_tiktoken_gives(name: str, text: str) -> None:
    theirs = oracle.encoding(name)
    _, offsets = theirs.decode_with_offsets(theirs.encode(text, disallowed_special=()))
    assert get_encoding(name).token_starts(text) == offsets


def test_one_character_in_several_tokens() -> None:
    assert get_encoding("gpt2").split("a漢字") == [
        Token(64, b"a", "a", 0, 1, 0, 1),
        Token(162, b"\xe6", None, 1, 2, 1, 2),
        Token(120, b"\xbc", None, 1, 2, 2, 3),
        Token(95, b"\xa2", None, 1, 2, 3, 4),
        Token(27764, b"\xe5\xad", None, 2, 3, 4, 6),
        Token(245, b"\x97", None, 2, 3, 6, 7),
    ]


def test_a_surrogate_pair_is_two_characters_and_four_bytes() -> None:
    joined = get_encoding("o200k_base").split("x😀 y")
    paired = get_encoding("o200k_base").split("x\ud83d\ude00 y")
    assert [token.bytes for token in paired] == [token.bytes for token in joined]
    assert [(token.start, token.end) for token in joined] == [(0, 1), (1, 2), (2, 4)]
    assert [(token.start, token.end) for token in paired] == [(0, 1), (1, 3), (3, 5)]


def test_a_lone_surrogate_is_one_character_and_the_bytes_of_u_fffd() -> None:
    tokens = get_encoding("o200k_base").split("a\udc00b")
    assert b"".join(token.bytes for token in tokens) == "a\ufffdb".encode()
    assert tokens[-1].end == 3


def test_a_token_keeps_the_spelling_of_the_text_when_its_id_has_two() -> None:
    text = "<|endofprompt|><|reserved_200018|>"
    tokens = get_encoding("o200k_harmony").split(text, special="control")
    assert [token.id for token in tokens] == [200018, 200018]
    assert [token.text for token in tokens] == ["<|endofprompt|>", "<|reserved_200018|>"]


@given(text=texts())
@example("\ud83d\ud83d\ude00\ude00")
@example("\ufeff\ud83d")
def test_surrogates_are_joined_as_tiktoken_joins_them(text: str) -> None:
    assert join_surrogates(text) == oracle.with_pairs_joined(text)
    assert join_surrogates(join_surrogates(text)) == join_surrogates(text)


@given(text=texts())
def test_pair_offsets_lead_back_to_the_text_as_given(text: str) -> None:
    joined = join_surrogates(text)
    offsets = pair_offsets(text)
    if len(joined) == len(text):
        assert offsets is None
        return
    assert offsets is not None
    assert [len(join_surrogates(text[:offset])) for offset in offsets] == [*range(len(joined) + 1)]

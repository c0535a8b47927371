"""Ids: the same as tiktoken's on every text, in every mode, and back again."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.tokenizer import oracle
from tests.tokenizer.texts import BREAKERS, NOT_WHITESPACE, WHITESPACE, WORDS, disputed, texts

from subword import SpecialMode, SpecialTokenError, get_encoding
from subword.core import CoreEncoding

every_encoding = pytest.mark.parametrize("name", oracle.NAMES)


def check_text(name: str, text: str) -> None:
    expected = oracle.encoding(name).encode(text, disallowed_special=())
    assert get_encoding(name).encode(text) == expected


def check_control(name: str, text: str) -> None:
    expected = oracle.encoding(name).encode(text, allowed_special="all")
    assert get_encoding(name).encode(text, special="control") == expected


def check_error(name: str, text: str) -> None:
    """We refuse the texts that tiktoken refuses, and no others."""
    try:
        expected = oracle.encoding(name).encode(text)
    except ValueError:
        with pytest.raises(SpecialTokenError):
            get_encoding(name).encode(text, special="error")
    else:
        assert get_encoding(name).encode(text, special="error") == expected


@every_encoding
@given(text=texts())
@example("")
@example("\ud83d\ude00 \ud83d \ude00")
@example("\ufeff\ud83d")
@example("\ude00\ud83d")
@example("<|endoftext|> hola <|endofprompt|><|start|><|reserved_200018|>")
def test_the_ids_are_tiktokens(name: str, text: str) -> None:
    check_text(name, text)
    check_control(name, text)
    check_error(name, text)
    assert get_encoding(name).count(text) == len(get_encoding(name).encode(text))


@every_encoding
@pytest.mark.parametrize("text", BREAKERS + WORDS + WHITESPACE + NOT_WHITESPACE)
def test_texts_that_broke_other_tokenizers(name: str, text: str) -> None:
    for variant in (text, f" {text}", f"{text} ", f"{text}\n", f"x{text}x", text * 3):
        check_text(name, variant)


@every_encoding
def test_characters_of_newer_and_older_unicode(name: str) -> None:
    """Each character that `regex` classifies otherwise, next to letters, digits and marks."""
    for context in ("{}'s", " {}x", "A{}a", "1{}2", "\n{} ", "{0}{0}"):
        check_text(name, "|".join(map(context.format, disputed())))


@pytest.mark.parametrize("name", oracle.PATTERN_ENCODINGS.values())
@given(text=texts(surrogates=False, max_fragments=5))
def test_the_ids_are_those_of_the_algorithm(name: str, text: str) -> None:
    """tiktoken itself is held against byte pair encoding in its simplest form."""
    text = text[:60]
    assert get_encoding(name).encode(text) == oracle.slow_encode(name, text)


KNOWN = [
    (
        "o200k_base",
        "Los tokenizadores son la parte más subestimada de un LLM.",
        "16593 6602 170058 2391 557 7441 3932 1543 125938 1194 334 537 451 19641 13",
    ),
    ("o200k_base", "hola", "122845"),
    ("o200k_base", " hola", "171847"),
    ("o200k_base", "Hola", "49864"),
    ("o200k_base", " Hola", "157464"),
    ("o200k_base", "HOLA", "39 87254"),
    ("o200k_base", "hola ", "122845 220"),
    ("gpt2", " SolidGoldMagikarp", "43453"),
    ("cl100k_base", " SolidGoldMagikarp", "22925 26509 34015 1609 8035"),
    ("cl100k_base", "'rer", "2351 81"),
    ("o200k_base", "'rer", "15770 259"),
    ("cl100k_base", "\u0558's", "145 246 6 82"),
]


@pytest.mark.parametrize(("name", "text", "ids"), KNOWN)
def test_known_ids(name: str, text: str, ids: str) -> None:
    assert get_encoding(name).encode(text) == list(map(int, ids.split()))


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("gpt2", "El niño juega en el jardín.", 12),
        ("cl100k_base", "El niño juega en el jardín.", 11),
        ("o200k_base", "El niño juega en el jardín.", 7),
        ("cl100k_base", "unbeli", 3),
        ("cl100k_base", "unbelie", 2),
    ],
)
def test_known_counts(name: str, text: str, count: int) -> None:
    assert get_encoding(name).count(text) == count


def test_special_tokens_are_control_only_when_asked_for() -> None:
    cl100k = get_encoding("cl100k_base")
    assert cl100k.encode("<|endoftext|> hola", special="control") == [100257, 305, 8083]
    assert 100257 not in cl100k.encode("<|endoftext|> hola")
    with pytest.raises(SpecialTokenError, match=r"<\|endoftext\|>.*cl100k_base"):
        cl100k.encode("hola <|endoftext|>", special="error")


@pytest.mark.parametrize("call", ["count", "split", "token_starts"])
def test_every_call_refuses_special_tokens_when_told_to(call: str) -> None:
    with pytest.raises(SpecialTokenError):
        getattr(get_encoding("gpt2"), call)("a<|endoftext|>", special="error")


def test_the_error_names_the_special_token_that_comes_first_in_the_text() -> None:
    with pytest.raises(SpecialTokenError, match=r"<\|start\|>"):
        get_encoding("o200k_harmony").encode("<|start|>x<|endoftext|>", special="error")


@every_encoding
@given(text=texts(surrogates=False))
def test_decode_undoes_encode(name: str, text: str) -> None:
    encoding = get_encoding(name)
    assert encoding.decode(encoding.encode(text)) == text
    # Id 200018 has two spellings, so the text of one of them can't come back.
    if "<|reserved_200018|>" not in text:
        assert encoding.decode(encoding.encode(text, special="control")) == text


@cache
def known_ids(name: str) -> st.SearchStrategy[int]:
    """Ids of any tokens, and often of single bytes; not the one with two spellings."""
    ids = sorted(set(get_encoding(name).token_bytes) - {200018})
    return st.sampled_from(ids) | st.integers(0, 255)


@every_encoding
@given(data=st.data())
def test_any_ids_decode_as_tiktoken_decodes_them(name: str, data: st.DataObject) -> None:
    encoding = get_encoding(name)
    ids = data.draw(st.lists(known_ids(name), max_size=20))
    assert encoding.decode_bytes(ids) == oracle.encoding(name).decode_bytes(ids)
    assert encoding.decode(ids) == oracle.encoding(name).decode(ids)


def test_an_id_with_two_spellings_decodes_to_the_name_that_says_something() -> None:
    assert get_encoding("o200k_harmony").decode([200018]) == "<|endofprompt|>"


def test_broken_bytes_decode_to_replacement_characters() -> None:
    gpt2 = get_encoding("gpt2")
    first, *rest = gpt2.encode("漢")
    assert gpt2.decode_bytes([first]) == b"\xe6"
    assert gpt2.decode([first]) == "\ufffd"
    assert gpt2.decode([*rest, first]) == "\ufffd\ufffd\ufffd"


@pytest.mark.parametrize("id", [-1, 100256, 100261, 100275, 100277, 1 << 64])
def test_an_id_that_the_encoding_has_not(id: int) -> None:
    with pytest.raises(ValueError, match=rf"cl100k_base has no token with the id {id}\b"):
        get_encoding("cl100k_base").decode([15339, id])


@every_encoding
def test_every_token_encodes_to_itself(name: str) -> None:
    """Whole pieces are looked up before merging, so a token that is one piece is one id."""
    encoding, theirs = get_encoding(name), oracle.encoding(name)
    lengths = {id: len(token) for id, token in encoding.token_bytes.items()}
    assert encoding.token_lengths == [lengths.get(id, 0) for id in range(encoding.n_vocab)]
    holes = set(range(encoding.n_vocab)) - set(encoding.token_bytes)
    assert all(
        theirs._core_bpe.encode_single_piece(token) == [id] for token, id in encoding.ranks.items()
    )
    expected = {100256, *range(100261, 100276)} if name == "cl100k_base" else set()
    if name == "o200k_base":
        expected = {199998, *range(200000, 200018)}
    assert holes == expected


BYTES = oracle.SINGLE_BYTES


@pytest.mark.parametrize("text", ["<a>", "<a", "<a>>", "<a>>>x<a", "<<a>a<a"])
@pytest.mark.parametrize("order", [("<a", "<a>", "<a>>"), ("<a>>", "<a", "<a>")])
def test_of_special_tokens_that_begin_alike_the_longest_counts(
    order: tuple[str, ...], text: str
) -> None:
    special = {token: 300 + len(token) for token in order}
    encoding = CoreEncoding("alike", BYTES, r"\s+|\S+", special)
    tokens = encoding.split(text, special="control")
    assert [token.id for token in tokens] == encoding.encode(text, special="control")
    assert "".join(token.bytes.decode() for token in tokens) == text
    longest = re.findall("<a>>|<a>|<a|.", text)
    assert [token.bytes.decode() for token in tokens] == longest


def test_an_encoding_without_special_tokens() -> None:
    encoding = CoreEncoding("plain", BYTES, r"\s+|\S+", {})
    modes: tuple[SpecialMode, ...] = ("text", "control", "error")
    for mode in modes:
        assert encoding.encode("<|endoftext|>", mode) == list(b"<|endoftext|>")
        assert len(encoding.split("<|endoftext|>", mode)) == 13


@pytest.mark.parametrize(
    ("ranks", "pattern", "message"),
    [
        ({b"a": 0}, r".+", "lacks some of the 256 single bytes"),
        ({}, r".+", "lacks some of the 256 single bytes"),
        (BYTES, r"\p{L}+", "does not match every text"),
        (BYTES, r"a*", "matches where there is nothing"),
        (BYTES, r"", "matches where there is nothing"),
        (BYTES, r"(", "pattern"),
    ],
)
def test_a_vocabulary_or_pattern_that_cannot_count_is_refused(
    ranks: dict[bytes, int], pattern: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CoreEncoding("broken", ranks, pattern, {})


def test_encoding_from_several_threads() -> None:
    encoding = get_encoding("o200k_base")
    samples = [word * n for word in WORDS for n in range(1, 30)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(encoding.encode, samples)) == list(map(encoding.encode, samples))

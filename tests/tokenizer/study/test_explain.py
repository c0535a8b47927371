"""What is explained is what happens: the ids are tiktoken's, the rules those of the pattern."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS

from subword import get_encoding
from subword.explain.merges import ALTERNATIVES, Node, explain, fewest_tokens, shown
from subword.models.bpe import BPE
from subword.surrogates import join_surrogates

ENCODINGS = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
TEXTS = st.lists(st.sampled_from(" ".join(CORPUS).split(" "))).map(" ".join) | st.text(
    st.sampled_from("a'sſA0 \n\r\t/!\u0301漢ǅ²🙂") | st.characters(), max_size=30
)


AT_THE_END = "whitespace at the end of the text"


def purpose(rule: str) -> str:
    """A rule without what it says of the character before and what comes after."""
    return re.sub(
        r"^(a space|one other character), then |, then (the ending|line ends).*", "", rule
    )


def leaves(node: Node) -> bytes:
    return b"".join(map(leaves, node.parts)) if node.parts else node.token


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=TEXTS)
def test_the_story_ends_with_the_ids(name: str, text: str) -> None:
    encoding = get_encoding(ENCODINGS[name])
    pieces = explain(encoding, text)
    assert [id for piece in pieces for id in piece.ids] == encoding.encode(text)
    assert "".join(piece.text for piece in pieces) == join_surrogates(text)
    for piece in pieces:
        data = piece.text.encode()
        assert purpose(piece.rule) in {*ALTERNATIVES[name], AT_THE_END}
        assert b"".join(map(leaves, piece.trees)) == data
        assert b"".join(piece.shortest) == data
        assert len(piece.shortest) <= len(piece.trees)
        assert len(piece.boundaries) == len(piece.trees) - 1
        if piece.steps:
            assert piece.steps[-1].after == [tree.token for tree in piece.trees]
        for step in piece.steps:
            assert encoding.ranks[step.left + step.right] == step.id


@pytest.mark.parametrize("name", ENCODINGS)
def test_each_piece_has_a_rule(name: str) -> None:
    encoding = get_encoding(ENCODINGS[name])
    rules = set()
    for characters in product("a'sA0 \n\t/!漢", repeat=3):
        rules |= {purpose(piece.rule) for piece in explain(encoding, "".join(characters))}
    assert rules == {*ALTERNATIVES[name], AT_THE_END}


WORD = "a word that ends in lower case or has no case"
REST = "whitespace, but for its last character, which is left for what follows"
LAST = "one whitespace character before what it cannot go with"


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        ("o200k", "hi", [WORD]),
        ("o200k", "hi है", [WORD, f"a space, then {WORD}"]),
        ("o200k", "(漢", [f"one other character, then {WORD}"]),
        ("o200k", "\u0301's", [f"{WORD}, then the ending of a contraction"]),
        (
            "o200k",
            "it's ÉTÉ",
            [
                f"{WORD}, then the ending of a contraction",
                "a space, then a word that ends in upper case",
            ],
        ),
        (
            "o200k",
            "?\n// \n",
            [
                "other characters, then line ends and slashes",
                "whitespace up to its last line end",
            ],
        ),
        (
            "o200k",
            " ?\r\n12",
            ["a space, then other characters, then line ends", "at most three digits"],
        ),
        (
            "o200k",
            "1   2  ",
            ["at most three digits", REST, LAST, "at most three digits", AT_THE_END],
        ),
        ("cl100k", "unborn\ttwin", ["letters", "one other character, then letters"]),
        ("cl100k", "a?\n", ["letters", "other characters, then line ends"]),
        ("gpt2", "漢", ["letters"]),
        (
            "gpt2",
            "год 1948 !",
            ["letters", "a space, then digits", "a space, then other characters"],
        ),
        ("gpt2", "a\tb", ["letters", LAST, "letters"]),
    ],
)
def test_a_rule_says_what_is_true_of_its_piece(name: str, text: str, rules: list[str]) -> None:
    pieces = explain(get_encoding(ENCODINGS[name]), text)
    assert [piece.rule for piece in pieces] == rules


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=TEXTS)
def test_what_stands_before_is_said_if_it_is_there(name: str, text: str) -> None:
    for piece in explain(get_encoding(ENCODINGS[name]), text):
        if "whitespace" not in piece.rule:
            assert piece.rule.startswith("a space, then") == (piece.text[0] == " "), piece
        if piece.rule.startswith("one other character"):
            assert not piece.text[0].isalpha() and piece.text[0] != " "


def test_a_contraction() -> None:
    first, second = explain(get_encoding("cl100k_base"), "don't")
    assert (first.text, second.text) == ("don", "'t")
    assert second.rule == "the ending of a contraction"
    assert [(step.left, step.right) for step in first.steps] == [(b"o", b"n"), (b"d", b"on")]


def test_why_two_tokens_stay_apart() -> None:
    """`ab` comes before `bc`, so `abc` ends as `ab` `c`."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"bc": 257}
    from subword.files.tiktoken import core_encoding
    from subword.patterns import PATTERNS

    encoding = core_encoding("made", ranks, PATTERNS["gpt2"], {})
    (piece,) = explain(encoding, "abc")
    assert [tree.token for tree in piece.trees] == [b"ab", b"c"]
    assert piece.boundaries[0].reason == (
        "“abc” is not in the vocabulary; “bc” (257) would have joined them, but “ab” (256) "
        "came first"
    )
    # The fewest tokens can be fewer than merges find.
    more = ranks | {b"abcd": 258, b"bcd": 259}
    (piece,) = explain(core_encoding("made", more, PATTERNS["gpt2"], {}), "abcdx")
    assert piece.shortest == [b"abcd", b"x"]
    assert [tree.token for tree in piece.trees] == [b"ab", b"c", b"d", b"x"]


def test_a_whole_piece_is_found_before_any_merge() -> None:
    """As in Llama 3's vocabulary: a token that merges never make."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"abc": 256}
    from subword.files.tiktoken import core_encoding
    from subword.patterns import PATTERNS

    encoding = core_encoding("made", ranks, PATTERNS["gpt2"], {})
    (piece,) = explain(encoding, "abc")
    assert piece.whole
    assert piece.steps == []
    assert piece.ids == encoding.encode("abc") == [256]


def test_without_a_pattern_there_is_one_piece() -> None:
    model = BPE()
    model.train("ab ab ab", 260)
    (piece,) = explain(model.encoding("made"), "ab ab")
    assert piece.ids == model.encode("ab ab")
    assert "no pattern" in piece.rule
    assert explain(model.encoding("made"), "") == []


def test_ones_own_pattern() -> None:
    model = BPE(r"[\p{L}\p{M}]+|[^\p{L}\p{M}]")
    model.train("ab ab ab", 260)
    pieces = explain(model.encoding("made"), "ab ab")
    assert [piece.text for piece in pieces] == ["ab", " ", "ab"]


def test_how_tokens_are_shown() -> None:
    assert shown(b" a\n\t\r\xe6") == "“␣a⏎⇥␍\\xe6”"
    assert fewest_tokens({b"a": 0, b"b": 1, b"ab": 2}, b"aab") == [b"a", b"ab"]


def test_a_piece_too_long_to_explain() -> None:
    with pytest.raises(ValueError, match="3,000 bytes is too long to explain"):
        explain(get_encoding("gpt2"), "a" * 3000)

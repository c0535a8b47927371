"""Splitting in Python cuts where tiktoken's engine cuts, whatever Unicode `regex` knows."""

from __future__ import annotations

import itertools
import json
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.thorough import THOROUGH
from tests.tokenizer import oracle
from tests.tokenizer.texts import disputed, texts

from subword import get_encoding
from subword.patterns import (
    PATTERNS,
    UNIVERSAL_CUT,
    WHITESPACE,
    compile_pattern,
    cut_into_chunks,
    pattern_name,
    pin_classes,
)

CLASSES = json.loads(files("subword").joinpath("data/unicode.json").read_text("utf-8"))["classes"]
every_pattern = pytest.mark.parametrize("name", PATTERNS)


def check_pieces(name: str, samples: list[str]) -> None:
    compiled = compile_pattern(name)
    for sample, expected in zip(samples, oracle.pieces(PATTERNS[name], samples), strict=True):
        assert compiled.findall(sample, concurrent=False) == expected, ascii(sample)


@pytest.mark.parametrize("name", CLASSES)
def test_the_pinned_classes_are_those_of_tiktokens_engine(name: str) -> None:
    pinned = "".join(chr(n) for a, b in CLASSES[name] for n in range(a, b + 1))
    assert pinned == oracle.members(rf"\p{{{name}}}")


def test_letters_are_the_sum_of_their_classes() -> None:
    pinned = (
        n for name in CLASSES if name in ("Lu", "Ll", "Lt", "Lm", "Lo") for n in CLASSES[name]
    )
    letters = {chr(n) for a, b in pinned for n in range(a, b + 1)}
    assert letters == set(oracle.members(r"\p{L}"))


def test_whitespace_is_what_tiktokens_engine_says() -> None:
    pinned = compile_pattern(r"\s")
    everything = "".join(map(chr, range(0x110000)))
    assert "".join(pinned.findall(everything, concurrent=False)) == oracle.members(r"\s")
    assert len(oracle.members(r"\s")) == 25
    assert WHITESPACE


@every_pattern
def test_characters_that_regex_classifies_otherwise(name: str) -> None:
    """In contexts where the class decides: beside letters, digits, marks, spaces, quotes."""
    contexts = (
        "{}",
        "a{}",
        "A{}b",
        " {}'s",
        "1{}2",
        "\n{} x",
        "!{}/",
        "{0}{0}\u0301",
        "'{}",
        "{}XXx",
    )
    characters = disputed() if THOROUGH else disputed()[::16]
    for context in contexts:
        check_pieces(name, [context.format(character) for character in characters])


@every_pattern
def test_contractions_fold_case_as_tiktokens_engine_does(name: str) -> None:
    endings = ("s", "d", "m", "t", "ll", "ve", "re")
    others = {c for e in endings for c in e}
    letters = {c for c in map(chr, range(0x2000)) if {*c.lower(), *c.upper().lower()} & others}
    letters |= {"\u017f", "\u1e9e", "\ufb06", "\ufb05", "\u0149", "K"} | others
    check_pieces(name, [f"x'{a}{b}y" for a, b in itertools.product(sorted(letters), repeat=2)])


@every_pattern
def test_all_short_strings_of_telling_characters(name: str) -> None:
    alphabet = "aA1 \t\n\r'/!s漢\u0301\u3000ǅ"
    length = 4 if THOROUGH else 3
    for n in range(1, length + 1):
        check_pieces(name, ["".join(s) for s in itertools.product(alphabet, repeat=n)])


@every_pattern
@given(text=texts(surrogates=False, max_fragments=4))
@example("!!\n\n/x")
@example("漢XXXXXa")
def test_any_text(name: str, text: str) -> None:
    check_pieces(name, [text[:40]])


@every_pattern
def test_the_patterns_are_known_by_name(name: str) -> None:
    assert pattern_name(PATTERNS[name]) == name
    assert PATTERNS[name] == oracle.encoding(oracle.PATTERN_ENCODINGS[name])._pat_str
    assert pattern_name(PATTERNS[name] + "|x") is None
    assert compile_pattern(name).pattern == compile_pattern(PATTERNS[name]).pattern


@pytest.mark.parametrize("name", oracle.NAMES)
@given(text=texts())
@example("x \n y\u3000z\xa0!  ")
def test_cut_at_a_universal_cut_the_parts_have_the_same_ids(name: str, text: str) -> None:
    encoding = get_encoding(name)
    for cut in UNIVERSAL_CUT.finditer(text):
        parts = text[: cut.start()], text[cut.start() :]
        assert [id for part in parts for id in encoding.encode(part)] == encoding.encode(text)


@given(text=texts(), size=st.integers(1, 50))
def test_chunks_are_the_text_cut_at_universal_cuts(text: str, size: int) -> None:
    chunks = list(cut_into_chunks(text, size))
    assert "".join(chunks) == text
    assert all(chunks)
    cuts = {cut.start() for cut in UNIVERSAL_CUT.finditer(text)}
    ends = list(itertools.accumulate(map(len, chunks)))
    assert cuts.issuperset(ends[:-1])
    assert all(len(chunk) >= size for chunk in chunks[:-1])


# Patterns of other models' vocabularies, which users may bring.
FOREIGN = {
    "llama 3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen 2": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "end of text": r"\s+$|x$|[^$x]|\s|x|\$",
    "outside": r"\P{L}+|\p{Lu}|\PN|\pL|\S",
    "set with a colon": r"[:;]+|[^:;]",
}


@pytest.mark.parametrize("pattern", FOREIGN.values(), ids=FOREIGN)
@given(text=texts(surrogates=False, max_fragments=4) | st.text("x$\n :;aA1", max_size=8))
@example("x\n")
@example(" \n")
def test_foreign_patterns_cut_where_tiktokens_engine_cuts(pattern: str, text: str) -> None:
    compiled = compile_pattern(pattern)
    (expected,) = oracle.pieces(pattern, [text[:30]])
    assert compiled.findall(text[:30], concurrent=False) == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"\p{Han}+", r"\\p\{Han\}"),
        (r"[a\P{L}]", r"\\P\{L\}"),
        (r"[\S]+", r"\\S"),
        (r"\w+", r"\\w"),
        (r"\d+", r"\\d"),
        (r"\bx", r"\\b"),
        (r"[[:alpha:]]+", r"\[:"),
        (r"(", "not a regular expression"),
        (r"[a", "not a regular expression"),
    ],
)
def test_a_pattern_that_would_depend_on_the_engine_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compile_pattern(pattern)


def test_escapes_in_sets_stay_as_they_are() -> None:
    assert pin_classes(r"[\]\\$]\$") == r"[\]\\$]\$"

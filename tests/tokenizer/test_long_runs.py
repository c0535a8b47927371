"""Texts that tiktoken 0.14 can't encode, or that make an engine slow, have their true ids."""

from __future__ import annotations

import base64
import copy
import random
import re
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tests.thorough import THOROUGH
from tests.tokenizer import oracle
from tests.tokenizer.texts import disputed, texts

from subword import Encoding, SpecialMode, get_encoding
from subword.patterns import cut_into_chunks

MILLION = 1_000_000
# More than the engine is given at once.
LONG = MILLION if THOROUGH else 200_000


class Run(NamedTuple):
    """A text with a run of any length, which all patterns put into one piece."""

    before: str
    unit: str
    after: str
    length: int = LONG

    def text(self, length: int) -> str:
        return self.before + self.unit * length + self.after

    def pieces(self, pattern: str, length: int) -> list[str]:
        """The pieces at any length, from tiktoken's at a short one."""
        short = 24
        (found,) = oracle.pieces(pattern, [self.text(short)])
        longest = max(range(len(found)), key=lambda i: len(found[i]))
        missing = self.unit * (length - short)
        found[longest] = found[longest].replace(self.unit, self.unit + missing, 1)
        return found


RUNS = {
    "spaces": Run("", " ", ""),
    "spaces, letter": Run("", " ", "a"),
    "letter, spaces, digit": Run("a", " ", "1"),
    "spaces, line end, letter": Run("", " ", "\na"),
    "tabs, word": Run("x\n", "\t", "return"),
    "ideographic spaces, ideograph": Run("", "\u3000", "漢", MILLION),
    "one letter": Run(" ", "x", ""),
    "one capital letter": Run("", "X", " y"),
    "circumflexes": Run("a", "^", "a"),
    "ideographs without a space": Run("", "漢", "。", 100_000),
}


def check_ids(ids: list[int], pieces: Iterable[str], name: str) -> None:
    encode_piece = oracle.encoding(name)._core_bpe.encode_single_piece
    assert ids == [id for piece in pieces for id in encode_piece(piece.encode())]


# Each run under each pattern, and spaces where there are tokens for long runs of them.
CASES = [
    *((run, name) for run in RUNS for name in oracle.PATTERN_ENCODINGS.values()),
    *((run, "p50k_base") for run in ("spaces", "spaces, letter")),
]


@pytest.mark.parametrize(("run", "name"), CASES)
def test_a_run_has_the_same_pieces_at_every_length(run: str, name: str) -> None:
    check_run(RUNS[run], name)


def check_run(run: Run, name: str) -> None:
    pattern = oracle.encoding(name)._pat_str
    for length in (25, 26, 40, 63):
        assert oracle.pieces(pattern, [run.text(length)]) == [run.pieces(pattern, length)]
    encoding = get_encoding(name)
    for length in (25, 1_000, run.length):
        pieces = run.pieces(pattern, length)
        check_ids(encoding.encode(run.text(length)), pieces, name)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_another_engine_counts_the_same(name: str) -> None:
    toktok = pytest.importorskip("toktok")
    labels = ("spaces, letter", "one capital letter", "ideographs without a space")
    long_texts = [RUNS[label].text(RUNS[label].length) for label in labels]
    counts = list(map(get_encoding(name).count, long_texts))
    assert counts == toktok.batch_count(long_texts, name)


@pytest.mark.parametrize("name", oracle.PATTERN_ENCODINGS.values())
def test_tiktoken_gives_up_where_we_do_not(name: str) -> None:
    """If this fails, tiktoken has learnt it and our slow path can go."""
    with pytest.raises(ValueError, match="regex"):
        oracle.encoding(name).encode(" " * 2 * MILLION + "a")


def test_a_base64_blob() -> None:
    blob = base64.b64encode(random.Random(1).randbytes(750_000)).decode()
    for name in oracle.PATTERN_ENCODINGS.values():
        ids = get_encoding(name).encode(blob)
        assert ids == oracle.encoding(name).encode_ordinary(blob)
        assert get_encoding(name).decode(ids) == blob


def test_places_and_special_tokens_around_a_run() -> None:
    encoding = get_encoding("cl100k_base")
    text = "a <|endoftext|>" + " " * MILLION + "漢<|endoftext|>\ud83d\ude00"
    tokens = encoding.split(text, special="control")
    assert [token.id for token in tokens] == encoding.encode(text, special="control")
    assert [token.id for token in tokens].count(100257) == 2
    assert tokens[0].start == 0
    assert tokens[-1].end == len(text)
    assert all(a.byte_end == b.byte_start for a, b in pairwise(tokens))


class WeakEngine:
    """tiktoken's engine with a limit so low that short texts reach it."""

    def __init__(self, engine: tiktoken.Encoding) -> None:
        self._engine = engine
        self._encode_single_piece = engine._encode_single_piece
        self.decode_tokens_bytes = engine.decode_tokens_bytes

    def encode(self, text: str, **options: Any) -> list[int]:
        if re.search(r"\s\s", text):
            raise ValueError("Max stack size exceeded for backtracking")
        return self._engine.encode(text, **options)


def weakened(name: str) -> Encoding:
    encoding = copy.copy(get_encoding(name))
    encoding._engine = WeakEngine(encoding._engine)  # type: ignore[attr-defined]
    return encoding


@pytest.mark.parametrize("name", oracle.NAMES)
@given(text=texts(), mode=st.sampled_from(["text", "control"]), size=st.integers(1, 20))
def test_the_slow_path_gives_the_same_ids(
    name: str, text: str, mode: SpecialMode, size: int
) -> None:
    with patch("subword.core.cut_into_chunks", partial(cut_into_chunks, size=size)):
        slow = weakened(name)
        assert slow.encode(text, mode) == get_encoding(name).encode(text, mode)
        assert slow.split(text, mode) == get_encoding(name).split(text, mode)


@pytest.mark.parametrize("name", oracle.PATTERN_ENCODINGS.values())
@pytest.mark.parametrize("context", ["{}'s", " {}x", "A{}a", "1{}2"])
def test_the_slow_path_knows_tiktokens_unicode(context: str, name: str) -> None:
    # `test_patterns.py` tries every one of them.
    text = "  ".join(map(context.format, disputed()[:: 1 if THOROUGH else 8]))
    assert weakened(name).encode(text) == oracle.encoding(name).encode_ordinary(text)

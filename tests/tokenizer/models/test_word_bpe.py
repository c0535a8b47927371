"""Word BPE against the example of its paper and the paper's way of counting."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS

from subword.files.saved import ModelError
from subword.models.word_bpe import WordBPE

PAPER = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)
TRAINED = WordBPE()
TRAINED.train(CORPUS, 300)


def as_in_the_paper(text: str, merges: int) -> list[tuple[str, str]]:
    """Words written with spaces between their symbols, and a search for the pair in each round."""
    words = {" ".join([*word, "</w>"]): n for word, n in Counter(text.split(" ")).items() if word}
    learnt: list[tuple[str, str]] = []
    for _ in range(merges):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in words.items():
            symbols = word.split(" ")
            for pair in pairwise(symbols):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=pairs.__getitem__)
        found = re.compile(rf"(?<!\S){re.escape(' '.join(best))}(?!\S)")
        joined = "".join(best)
        words = {
            # A function, since what is learnt may have a backslash.
            found.sub(lambda _: joined, word): n  # noqa: B023
            for word, n in words.items()
        }
        learnt.append(best)
    return learnt


def test_the_example_of_the_paper() -> None:
    model = WordBPE()
    model.train(PAPER, 10)
    assert model.merges == [
        ("e", "s"), ("es", "t"), ("est", "</w>"), ("l", "o"), ("lo", "w"),
        ("n", "e"), ("ne", "w"), ("new", "est</w>"), ("low", "</w>"), ("w", "i"),
    ]  # fmt: skip
    assert model.tokens("lowest") == ["low", "est</w>"]
    first, *_, last = model.trace().splitlines()
    assert first.split() == ["1", "9", "e", "+", "s", "→", "es"]
    assert last.split() == ["10", "3", "w", "+", "i", "→", "wi"]


@given(text=st.text("abc ", max_size=60), merges=st.integers(0, 20))
def test_learns_what_the_paper_learns(text: str, merges: int) -> None:
    model = WordBPE()
    model.train(text, merges)
    assert model.merges == as_in_the_paper(text, merges)


@given(words=st.lists(st.sampled_from([*" ".join(CORPUS).split(), "</w>", "a</w>b"])))
def test_decodes_the_words_that_it_encoded(words: list[str]) -> None:
    known = [word for word in words if 0 not in TRAINED.encode(word)]
    assert TRAINED.decode(TRAINED.encode("\n ".join(known))) == " ".join(known)


def test_a_character_that_was_not_seen_is_unknown() -> None:
    assert TRAINED.decode(TRAINED.encode("the\u1234")) == "the<unk>"
    with pytest.raises(ValueError, match="no token with the id -1"):
        TRAINED.decode([-1])


def test_a_saved_model_is_the_same_when_loaded(tmp_path: Path) -> None:
    TRAINED.save(tmp_path / "words.json")
    loaded = WordBPE.load(tmp_path / "words.json")
    assert (loaded.merges, loaded.vocab) == (TRAINED.merges, TRAINED.vocab)
    assert loaded.trace() == TRAINED.trace()
    rows = ", ".join(f'[{id}, {id}, 1, ""]' for id in range(4, 64))
    head = '{"format": "subword", "version": 1, "algorithm": "word-bpe", "ties": "first", '
    (tmp_path / "words.json").write_text(
        f'{head}"alphabet": "ab", "merges": [[2, 2, 1, ""], {rows}]}}'
    )
    with pytest.raises(ModelError, match="more than 65,536"):
        WordBPE.load(tmp_path / "words.json")
    (tmp_path / "words.json").write_text(
        '{"format": "subword", "version": 1, "algorithm": "word-bpe",'
        ' "ties": "first", "alphabet": "ab", "merges": [[2, 9, 1, ""]]}'
    )
    with pytest.raises(ModelError, match="comes before its parts"):
        WordBPE.load(tmp_path / "words.json")

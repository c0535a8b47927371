"""WordPiece against scores by hand, a plain loop, and `tokenizers`."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS
from tokenizers import decoders, models, pre_tokenizers

from subword.files.saved import ModelError
from subword.models.wordpiece import MAX_WORD, PREFIX, UNKNOWN, WORDS, WordPiece

TRAINED = WordPiece()
TRAINED.train(CORPUS, 900)
TEXTS = st.lists(st.sampled_from(" ".join(CORPUS).split(" "))).map(" ".join) | st.text()


def by_plain_loop(words: dict[str, int], size: int) -> list[tuple[str, str]]:
    """All scores counted anew in each round; of equals the first one met."""
    splits = [([word[0], *(PREFIX + c for c in word[1:])], n) for word, n in words.items()]
    tokens = {piece for word, _ in splits for piece in word}
    merges: list[tuple[str, str]] = []
    while len(tokens) < size:
        single: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for word, n in splits:
            single.update(word * n)
            for pair in pairwise(word):
                pairs[pair] += n
        if not pairs:
            break
        best = max(pairs, key=lambda pair: pairs[pair] / (single[pair[0]] * single[pair[1]]))
        joined = best[0] + best[1].removeprefix(PREFIX)
        for word, _ in splits:
            for at in range(len(word) - 1):
                if tuple(word[at : at + 2]) == best:
                    word[at : at + 2] = [joined]
        tokens.add(joined)
        merges.append(best)
    return merges


def test_the_scores_of_a_small_corpus() -> None:
    """By hand: ##g ##s 5/(20·5), then h ##u 15/(15·36), then hu ##gs 5/(15·5)."""
    words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    model = WordPiece()
    model.train_counts(words, len(model.special_tokens) + 7 + 3)
    assert model.merges == [("##g", "##s"), ("h", "##u"), ("hu", "##gs")]
    assert model.tokens("hugs bugs") == ["hugs", "b", "##u", "##gs"]
    assert model.tokens("mug") == [UNKNOWN]


@given(
    words=st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 5), max_size=8),
    extra=st.integers(0, 20),
)
def test_learns_what_a_plain_loop_learns(words: dict[str, int], extra: int) -> None:
    pieces = {PREFIX * bool(i) + c for word in words for i, c in enumerate(word)}
    model = WordPiece()
    model.train_counts(words, len(model.special_tokens) + len(pieces) + extra)
    assert model.merges == by_plain_loop(words, len(pieces) + extra)


def reference() -> tokenizers.Tokenizer:
    model = models.WordPiece(TRAINED.vocab, unk_token=UNKNOWN, max_input_chars_per_word=MAX_WORD)
    tokenizer = tokenizers.Tokenizer(model)
    words = tokenizers.Regex(WORDS)
    tokenizer.pre_tokenizer = pre_tokenizers.Split(words, "removed", invert=True)
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return tokenizer


@given(text=TEXTS)
def test_encodes_as_tokenizers_does(text: str) -> None:
    # The library's regular expressions know another Unicode version than tiktoken's.
    text = "".join(c for c in text if c in " ".join(CORPUS))
    tokenizer = reference()
    ids = TRAINED.encode(text)
    assert ids == tokenizer.encode(text).ids
    assert TRAINED.decode(ids) == tokenizer.decode(ids, skip_special_tokens=False)


@given(text=TEXTS)
def test_any_text(text: str) -> None:
    assert all(id in TRAINED.vocab.values() for id in TRAINED.encode(text))


def test_long_words_are_unknown() -> None:
    assert TRAINED.tokens("a" * 101) == [UNKNOWN]
    assert UNKNOWN not in TRAINED.tokens("a" * 100)


def test_too_small_a_vocabulary() -> None:
    with pytest.raises(ValueError, match="the characters alone are"):
        WordPiece().train(CORPUS, 20)


def test_a_saved_model_is_the_same_when_loaded(tmp_path: Path) -> None:
    TRAINED.save(tmp_path / "pieces.json")
    loaded = WordPiece.load(tmp_path / "pieces.json")
    assert loaded.vocab == TRAINED.vocab
    assert loaded.encode(CORPUS[0]) == TRAINED.encode(CORPUS[0])
    for damage in ('"tokens": 3', '"special_tokens": ["[UNK]"], "tokens": ["a"]'):
        head = '{"format": "subword", "version": 1, "algorithm": "wordpiece", '
        (tmp_path / "pieces.json").write_text(head + damage + "}")
        with pytest.raises(ModelError, match="damaged"):
            WordPiece.load(tmp_path / "pieces.json")

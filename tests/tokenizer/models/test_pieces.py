"""Unigram and character BPE against `sentencepiece` and `tokenizers` on the same corpus."""

from __future__ import annotations

import io
import math
import re
import unicodedata
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sentencepiece
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import MANY_SCRIPTS, SOURCE, ZEN
from tokenizers import models, trainers

from subword.files.saved import ModelError
from subword.models.character_bpe import CharacterBPE
from subword.models.normalizer import Options, normalize
from subword.models.pieces import PieceModel
from subword.models.unigram import lattice
from subword.models.unigram.model import Unigram, _digamma

LINES = (ZEN + MANY_SCRIPTS + SOURCE).split("\n")
PLAIN = Options(normalization="identity", character_coverage=1.0)
MODELS = {"unigram": Unigram, "bpe": CharacterBPE}
TEXTS = st.lists(st.sampled_from(" ".join(LINES).split(" "))).map(" ".join) | st.text()


def sentencepiece_trained(kind: str, **options: object) -> sentencepiece.SentencePieceProcessor:
    written = io.BytesIO()
    settings: dict[str, Any] = {
        "vocab_size": 1000,
        "model_type": kind,
        "character_coverage": 1.0,
        "normalization_rule_name": "identity",
        "split_by_unicode_script": False,
        "split_by_number": False,
        "hard_vocab_limit": False,
        "minloglevel": 2,
    }
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES), model_writer=written, **(settings | options)
    )
    return sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())


def scores_of(reference: sentencepiece.SentencePieceProcessor) -> dict[str, float]:
    return {
        reference.id_to_piece(id): reference.get_score(id)
        for id in range(reference.get_piece_size())
        if not (reference.is_control(id) or reference.is_unknown(id) or reference.is_byte(id))
    }


def given_scores(kind: str, scores: dict[str, float], options: Options) -> PieceModel:
    model = MODELS[kind](options)
    model._set(scores)
    return model


@pytest.fixture(scope="module", params=MODELS)
def trained(request: pytest.FixtureRequest) -> tuple[str, PieceModel]:
    model = MODELS[request.param](PLAIN)
    model.train(LINES, 998)
    return request.param, model


@pytest.mark.parametrize("byte_fallback", [False, True])
@pytest.mark.parametrize("form", ["identity", "nfkc"])
@pytest.mark.parametrize("kind", MODELS)
def test_pieces_of_sentencepiece_give_its_tokens(kind: str, form: str, byte_fallback: bool) -> None:
    reference = sentencepiece_trained(
        kind, normalization_rule_name=form, byte_fallback=byte_fallback
    )
    options = Options(form, byte_fallback=byte_fallback)  # type: ignore[arg-type]
    model = given_scores(kind, scores_of(reference), options)

    @given(text=TEXTS)
    def same_tokens(text: str) -> None:
        # Its tables of normal forms are of another Unicode version, and it removes U+0000.
        text = "".join(c for c in text if c in "".join(LINES) or c in "ｱﬁ①🙃\u3000\xa0")
        # In long runs several segmentations are equally probable but for its 32-bit rounding.
        text = re.sub(r"(.)\1{2,}", r"\1\1", text)
        pieces = reference.encode(text, out_type=str)
        unknown = {id for id in range(3) if reference.is_unknown(id)}
        expected = [
            "<unk>" if id in unknown else piece
            for id, piece in zip(reference.encode(text), pieces, strict=True)
        ]
        assert model.tokens(text) == expected
        assert model.decode(model.encode(text)) == reference.decode(reference.encode(text))

    same_tokens()


def test_the_merges_of_sentencepieces_bpe() -> None:
    """Its ties are its own, so the vocabularies are compared by what they share and save."""
    ours = CharacterBPE(PLAIN)
    ours.train(LINES, 998)
    reference = sentencepiece_trained("bpe")
    shared = ours.scores.keys() & scores_of(reference).keys()
    assert len(shared) > 0.9 * len(ours.scores)


def test_compresses_as_well_as_sentencepiece(trained: tuple[str, PieceModel]) -> None:
    kind, model = trained
    ours = sum(len(model.encode(line)) for line in LINES)
    theirs = sum(map(len, sentencepiece_trained(kind).encode(LINES)))
    assert ours < 1.02 * theirs


def test_unigram_compresses_as_well_as_tokenizers() -> None:
    ours = Unigram(Options("identity", character_coverage=1.0))
    ours.train(LINES, 1000)
    reference = tokenizers.Tokenizer(models.Unigram())
    reference.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=1000, unk_token="<unk>", show_progress=False)
    reference.train_from_iterator(LINES, trainer)
    theirs = sum(len(reference.encode(line).ids) for line in LINES)
    assert sum(len(ours.encode(line)) for line in LINES) < 1.02 * theirs


@given(text=TEXTS)
def test_unigram_encodes_as_tokenizers_does(text: str) -> None:
    scores = [("<unk>", 0.0), *UNIGRAM.scores.items()]
    reference = tokenizers.Tokenizer(models.Unigram(scores, unk_id=0, byte_fallback=False))
    for word in UNIGRAM.words(text):
        ids = [id for id, _ in UNIGRAM._word(word)]
        # It scores unknown characters against all scores, <unk>'s own included.
        assert reference.encode(word).ids == ids


UNIGRAM = Unigram(PLAIN)
UNIGRAM.train(LINES, 600)


def test_the_likelihood_grows_while_the_pieces_stay_the_same() -> None:
    model = Unigram(PLAIN)
    model.train(LINES, 600)
    sizes = [size for size, _ in model.history]
    assert sizes == sorted(sizes, reverse=True)
    for (_, before), (_, after) in zip(model.history[::2], model.history[1::2], strict=True):
        assert after > before


SCORES = {"a": -2.0, "b": -3.0, "ab": -4.0, "ba": -4.5, "aba": -6.0, "bb": -5.0, "cab": -6.0}


def all_segmentations(word: str) -> list[tuple[float, list[str]]]:
    """Every way to cut a word into pieces, by trying every set of cuts."""
    found = []
    for number in range(len(word)):
        for cuts in combinations(range(1, len(word)), number):
            bounds = [0, *cuts, len(word)]
            pieces = [word[a:b] for a, b in pairwise(bounds)]
            if all(piece in SCORES or len(piece) == 1 for piece in pieces):
                found.append((sum(SCORES.get(piece, -16.0) for piece in pieces), pieces))
    return sorted(found, reverse=True) if word else [(0.0, [])]


@given(word=st.text("abc", max_size=9), n=st.integers(1, 5))
def test_the_lattice_against_all_segmentations(word: str, n: int) -> None:
    every = all_segmentations(word)
    unknown = lattice.unknown_score(SCORES)
    assert unknown == -16.0
    prefixes = lattice.with_prefixes(SCORES, -math.inf)
    best = lattice.viterbi(word, prefixes, unknown)
    assert math.isclose(sum(SCORES.get(piece, unknown) for piece in best), every[0][0])
    if in_parts := [score for score, pieces in every if len(pieces) > 1]:
        parts = lattice.viterbi(word, prefixes, unknown, whole=False)
        assert math.isclose(sum(SCORES.get(piece, unknown) for piece in parts), in_parts[0])
    found = lattice.n_best(word, SCORES, 3, unknown, n)
    assert [round(score, 9) for score, _ in found] == [round(s, 9) for s, _ in every[:n]]
    assert all((pieces in [p for _, p in every]) for _, pieces in found)
    total = math.log(sum(math.exp(score) for score, _ in every))
    assert math.isclose(lattice.log_likelihood(word, SCORES, 3, unknown), total, abs_tol=1e-9)


@given(word=st.text("ab", min_size=1, max_size=8), constant=st.floats(-1, 3))
def test_expected_counts_against_all_segmentations(word: str, constant: float) -> None:
    every = all_segmentations(word)
    total = sum(math.exp(score) for score, _ in every)
    expected: Counter[str] = Counter()
    for score, pieces in every:
        for piece in pieces:
            expected[piece] += 3 * math.exp(score) / total  # type: ignore[assignment]
    weights = {piece: math.exp(s + constant * len(piece)) for piece, s in SCORES.items()}
    counts: Counter[str] = Counter()
    prefixes = lattice.with_prefixes(weights, 0.0)
    likelihood = lattice.expected_counts([(word, 3)], prefixes, counts)  # type: ignore[arg-type]
    assert math.isclose(likelihood / 3 - constant * len(word), math.log(total), abs_tol=1e-9)
    assert counts.keys() == expected.keys()
    for piece in expected:
        assert math.isclose(counts[piece], expected[piece], rel_tol=1e-9)


def test_samples_follow_the_probabilities() -> None:
    random = Random(7)
    for alpha in (1.0, 0.3):
        weights = [(math.exp(alpha * score), pieces) for score, pieces in all_segmentations("abab")]
        total = sum(weight for weight, _ in weights)
        drawn = Counter(
            tuple(lattice.sample("abab", SCORES, 3, -16.0, alpha, random)) for _ in range(20_000)
        )
        for weight, pieces in weights:
            assert abs(drawn[tuple(pieces)] / 20_000 - weight / total) < 0.02


def test_digamma() -> None:
    """Against known values: ψ(1) is minus Euler's constant, and ψ(x + 1) = ψ(x) + 1/x."""
    assert math.isclose(_digamma(1), -0.57721566490153286, rel_tol=1e-9)
    assert math.isclose(_digamma(0.5), -1.9635100260214235, rel_tol=1e-9)
    assert math.isclose(_digamma(1000.5), _digamma(999.5) + 1 / 999.5, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("  a  b ", Options(), "▁a▁b"),
        ("  a  b ", Options(collapse_spaces=False), "▁▁▁a▁▁b▁"),
        ("a b", Options(dummy_prefix=False), "a▁b"),
        ("ﬁ①ｱ", Options(), "▁fi1ア"),
        ("ﬁ①ｱ", Options("identity"), "▁ﬁ①ｱ"),
        ("", Options(), ""),
        ("   ", Options(), ""),
    ],
)
def test_options(text: str, options: Options, expected: str) -> None:
    assert normalize(text, options).text == expected


@given(
    text=st.text(
        st.characters(exclude_categories=["Cs"])
        | st.sampled_from("é e\u0301가ᄀ\u1161\u11a8ﬁ \u0344")
    )
)
def test_normalizing_in_stretches_is_normalizing(text: str) -> None:
    options = Options(dummy_prefix=False, collapse_spaces=False)
    normalized = normalize(text, options)
    assert normalized.text == unicodedata.normalize("NFKC", text).replace(" ", "▁")
    for starts in (normalized.starts, normalized.ends):
        assert len(starts) == len(normalized.text)
        assert starts == sorted(starts)


@given(text=TEXTS)
def test_with_bytes_nothing_is_lost(text: str) -> None:
    options = Options("identity", collapse_spaces=False, byte_fallback=True)
    model = given_scores("unigram", UNIGRAM.scores, options)
    text = text.replace("▁", "")
    loss = model.loss(text)
    assert loss.exact
    assert not loss.unknown
    placed = model.place(text)
    assert [token.start for token in placed] == sorted(token.start for token in placed)
    assert "".join(text[s:e] for s, e in dict.fromkeys((t.start, t.end) for t in placed)) == text


def test_what_is_lost_without_bytes() -> None:
    model = given_scores("unigram", UNIGRAM.scores, Options("nfkc"))
    loss = model.loss("the ﬁne 𓀀𓀁")
    assert loss.unknown == {"𓀀𓀁": 1}
    assert loss.decoded == "the fine  ⁇ "
    assert not loss.exact


def test_rare_characters_are_left_out_of_the_alphabet() -> None:
    model = CharacterBPE(Options("identity", character_coverage=0.9))
    model.train(["aaaa bbbb aaaa bbbb aaaa bbbb z"], 20)
    assert "z" not in model.scores
    assert "<unk>" in model.tokens("az")


def test_too_small_a_vocabulary() -> None:
    for make in MODELS.values():
        with pytest.raises(ValueError, match="room for its alphabet: "):
            make(PLAIN).train(LINES, 20)


def test_a_saved_model_is_the_same_when_loaded(
    trained: tuple[str, PieceModel], tmp_path: Path
) -> None:
    _, model = trained
    model.save(tmp_path / "pieces.json")
    loaded = type(model).load(tmp_path / "pieces.json")
    assert (loaded.vocab, loaded.scores, loaded.options) == (
        model.vocab,
        model.scores,
        model.options,
    )
    assert loaded.encode(ZEN) == model.encode(ZEN)
    text = (tmp_path / "pieces.json").read_text("utf-8")
    (tmp_path / "pieces.json").write_text(text.replace('"identity"', '"nfd"'), "utf-8")
    with pytest.raises(ModelError, match="identity or nfkc"):
        type(model).load(tmp_path / "pieces.json")

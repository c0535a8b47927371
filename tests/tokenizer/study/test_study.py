"""Measurements against texts whose answer is known, and against tiktoken."""

from __future__ import annotations

import math
import random
from pathlib import Path
from statistics import fmean

import pytest
import tiktoken
from tests.tokenizer import oracle
from tests.tokenizer.models.corpora import CORPUS, MANY_SCRIPTS, SOURCE, ZEN

from subword import get_encoding
from subword.models.baselines import Bytes
from subword.models.bpe import BPE
from subword.study import plots
from subword.study.compression import compression, compression_curve, language_costs
from subword.study.cost import sequence_cost, vocabulary_share
from subword.study.vocabulary import (
    digit_groups,
    indent_costs,
    longest_tokens,
    unreachable_tokens,
    unused_tokens,
)
from subword.study.words import growth, heaps, rank_frequency, unknown_rate, word_list, zipf

CL100K = get_encoding("cl100k_base")


def test_compression() -> None:
    found = compression(Bytes(), ["añb c", "d"])
    assert (found.tokens, found.characters, found.bytes, found.words) == (7, 6, 7, 3)
    assert found.characters_per_token == 6 / 7
    assert found.tokens_per_word == 7 / 3
    assert found.bytes_per_token == 1
    assert compression(Bytes(), []).tokens_per_word == 0
    reference = tiktoken.Encoding(
        "reference",
        pat_str=CL100K.pattern,
        mergeable_ranks=dict(CL100K.ranks),
        special_tokens={},
    )
    assert compression(CL100K, CORPUS).tokens == sum(
        len(reference.encode_ordinary(text)) for text in CORPUS
    )


def test_the_curve_is_that_of_models_trained_apart() -> None:
    points = compression_curve([SOURCE], [ZEN], [256, 300, 500])
    assert [point.vocab_size for point in points] == [256, 300, 500]
    for point in points:
        model = BPE("gpt2")
        model.train(SOURCE, point.vocab_size)
        assert point.tokens == len(model.encode(ZEN))
    assert points[0].bytes_per_token == 1
    assert compression_curve(["abab"], ["ab"], [257, 300])[-1].vocab_size == 257


def test_language_costs() -> None:
    parallel = {"English": ["ab", "c"], "Deutsch": ["abc", "d"], "漢": ["漢字", ""]}
    rows = language_costs(Bytes(), parallel, "English")
    assert [(row.language, row.tokens, row.premium) for row in rows] == [
        ("English", 3, 1.0),
        ("Deutsch", 4, 4 / 3),
        ("漢", 6, 2.0),
    ]
    with pytest.raises(ValueError, match="baseline"):
        language_costs(Bytes(), parallel, "Latin")
    with pytest.raises(ValueError, match="as many"):
        language_costs(Bytes(), parallel | {"x": ["a"]}, "English")


def test_zipf_finds_the_law_that_made_the_words() -> None:
    words = [f"w{rank}" for rank in range(1, 400) for _ in range(round(100_000 / rank**1.1))]
    fit = zipf(words)
    assert math.isclose(fit.alpha, 1.1, abs_tol=0.01)
    assert math.isclose(fit.constant, 100_000, rel_tol=0.02)
    assert fit.r_squared > 0.999
    assert fit.distinct == 399
    with pytest.raises(ValueError, match="too few words"):
        zipf(["a"])


def test_heaps_finds_the_law_that_made_the_words() -> None:
    """A word is new whenever n to the power 0.7 passes a whole number."""
    words = [f"w{int(number**0.7)}" for number in range(1, 100_000)]
    fit = heaps(words)
    assert math.isclose(fit.beta, 0.7, abs_tol=0.02)
    assert math.isclose(fit.k, 1, rel_tol=0.15)
    assert growth(["a", "a", "b"], 1) == [(3, 2)]


def test_words() -> None:
    assert word_list(["The cat, the 2 DOGS."]) == ["the", "cat", "the", "dogs"]
    assert rank_frequency(["a", "b", "a"]) == [2, 1]


def test_unknown_words() -> None:
    texts = [" ".join(["a"] * 60 + ["b"] * 30 + ["a"] * 4 + ["b"] * 3 + ["c"] * 3)]
    assert unknown_rate(texts, 10)[1:] == (3, 10, 0.3)
    assert unknown_rate(texts, 1)[1:] == (6, 10, 0.6)
    assert unknown_rate([], 1).rate == 0


def test_the_share_of_parameters() -> None:
    """GPT-2 small: 38.6 of 124 million, as 50,257 · 768 of that and 12 · 12 · 768²."""
    found = vocabulary_share(50_257, 768, 12)
    assert found.vocabulary == 38_597_376
    assert math.isclose(found.total, 124e6, rel_tol=0.01)
    assert vocabulary_share(50_257, 768, 12, tied=False).vocabulary == 2 * 38_597_376


def test_the_cost_of_length() -> None:
    once, twice = sequence_cost(1000, 768, 12), sequence_cost(2000, 768, 12)
    assert twice.linear == 2 * once.linear
    assert twice.attention == 4 * once.attention
    # Attention costs as much as the rest at n = 6 · width.
    assert math.isclose(sequence_cost(6 * 768, 768, 12).attention_share, 0.5)
    assert sequence_cost(0, 768, 12).attention_share == 0


def test_digits() -> None:
    rows = digit_groups(CL100K, 7)
    assert rows[6].groups == ["123", "456", "7"]
    assert [row.mean_tokens for row in rows] == [1, 1, 1, 2, 2, 2, 3]
    gpt2_row = digit_groups(get_encoding("gpt2"), 4)[3]
    assert gpt2_row.groups == ["12", "34"]
    gpt2 = get_encoding("gpt2")
    assert gpt2_row.mean_tokens == fmean(gpt2.count(str(n)) for n in range(1000, 10_000))


def test_the_mean_of_long_numbers_is_that_of_numbers_at_random() -> None:
    gpt2 = get_encoding("gpt2")
    core = oracle.encoding("gpt2")
    for row in digit_groups(gpt2, 9)[4:]:
        low = 10 ** (row.digits - 1)
        random_numbers = [random.randrange(low, 10 * low) for _ in range(10_000)]
        mean = fmean(len(core.encode_ordinary(str(number))) for number in random_numbers)
        # Both have a standard error of less than 0.01.
        assert abs(row.mean_tokens - mean) < 0.06


def test_indents() -> None:
    costs = {row.indent: row.tokens for row in indent_costs(CL100K)}
    assert (costs[""], costs["    "], costs[" " * 16]) == (0, 1, 1)
    gpt2 = {row.indent: row.tokens for row in indent_costs(get_encoding("gpt2"))}
    assert gpt2["    "] == 3
    assert gpt2[" " * 16] == 15


def test_the_longest_tokens() -> None:
    longest = longest_tokens(CL100K, 2)
    assert longest[0].token == b" " * 128
    assert longest[0].length == 128
    assert longest[1].length < 128


def test_tokens_that_their_text_does_not_reach() -> None:
    assert {row.reason for row in unreachable_tokens(CL100K)} == {"part of a character"}
    # A token across a cut that the pattern always makes can never come out.
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"a b": 256, b"ab": 257}
    from subword.files.tiktoken import core_encoding

    encoding = core_encoding("made", ranks, CL100K.pattern, {"<s>": 300})
    whole = [row for row in unreachable_tokens(encoding) if row.reason != "part of a character"]
    assert whole == [(256, b"a b", "not its own text's token", [97, 32, 98])]


def test_tokens_that_a_corpus_passes_by() -> None:
    model = BPE("gpt2")
    model.train("hello " * 10, 259)
    encoding = model.encoding("steps")
    found = unused_tokens(encoding, ["hello hello hello"])
    # `hell` and `o` are what remains of the steps; the two on the way there are never seen.
    assert [row.token for row in found] == [b"he", b"hel"]
    assert all(row.reason == "never in the corpus" for row in found)
    assert unused_tokens(encoding, []) == []


@pytest.mark.parametrize("suffix", plots.FORMATS)
def test_pictures(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = word_list(CORPUS)
    curve = compression_curve([SOURCE], [ZEN], [256, 400, 600])
    costs = language_costs(CL100K, {"English": [ZEN], "many": [MANY_SCRIPTS]}, "English")
    paths = [tmp_path / f"{name}{suffix}" for name in ("curve", "languages", "zipf", "heaps")]
    plots.plot_curve(curve, paths[0])
    plots.plot_languages(costs, "English", paths[1])
    plots.plot_zipf(rank_frequency(words), zipf(words), paths[2])
    plots.plot_heaps(growth(words), heaps(words), paths[3])
    heads = {".svg": b"<?xml", ".png": b"\x89PNG"}
    for path in paths:
        data = path.read_bytes()
        assert data.startswith(heads[suffix])
        assert len(data) > 5000
    before = paths[0].read_bytes()
    plots.plot_curve(curve, paths[0])
    assert paths[0].read_bytes() == before


def test_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(plots.PlotError, match=r"ends with \.svg or \.png"):
        plots.plot_curve([], tmp_path / "x.gif")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(plots.PlotError, match="extra plots"):
        plots.plot_curve([], tmp_path / "x.svg")

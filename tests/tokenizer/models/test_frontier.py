"""Baselines, superwords, patches and healing: by hand, by definition, and against tiktoken."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS, ZEN

from subword import get_encoding
from subword.files.saved import ModelError
from subword.healing import heal
from subword.models.baselines import Bytes, Characters, Words
from subword.models.bpe import BPE
from subword.models.patches import EntropyPatcher
from subword.models.superword import SuperBPE

TEXTS = st.lists(st.sampled_from(" ".join(CORPUS).split(" "))).map(" ".join) | st.text()


def joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def test_words() -> None:
    model = Words()
    model.train("the cat, the dog, the cat", 4)
    assert model.vocab == ["<unk>", "the", "cat", ","]
    assert model.encode("the bird, the cat") == [1, 0, 3, 1, 2]
    assert model.decode([1, 0, 3, 1, 2]) == "the <unk> , the cat"
    assert model.unknown_rate("the bird, the cat") == 1 / 5
    assert model.unknown_rate("") == 0


def test_characters() -> None:
    model = Characters()
    model.train("aab\ud800", 3)
    assert model.vocab == ["<unk>", "a", "b"]
    assert model.decode(model.encode("abc")) == "ab<unk>"


@given(text=TEXTS)
def test_bytes_have_the_ids_of_byt5(text: str) -> None:
    ids = Bytes().encode(text)
    assert ids == [byte + 3 for byte in joined(text).encode()]
    assert Bytes().decode([*ids, 1]) == joined(text)
    with pytest.raises(ValueError, match="from 0 to 258"):
        Bytes().decode([259])


SUPER = SuperBPE("gpt2")
SUPER.train([*CORPUS, ZEN * 5], 900, 600)


@given(text=TEXTS)
def test_superwords_come_back(text: str) -> None:
    assert SUPER.decode(SUPER.encode(text)) == joined(text)
    assert len(SUPER.encode(text)) <= len(SUPER.base.encode(text))


def test_superwords_cross_spaces_and_no_lines() -> None:
    assert b" is better than" in SUPER.superwords()
    assert all(b"\n" not in token.rstrip(b"\n ") for token in SUPER.superwords())
    plain = BPE("gpt2")
    plain.train([*CORPUS, ZEN * 5], 900)
    assert len(SUPER.encode(ZEN)) < len(plain.encode(ZEN))
    assert SUPER.base.merges == dict(list(plain.merges.items())[: 600 - 256])


def test_entropies_are_those_of_the_definition() -> None:
    """After `a`, `b` was seen twice and `c` once; the rest is as without a context."""
    model = EntropyPatcher(order=1)
    model.train("abacab")
    seen = Counter(b"abacab")
    chance = {byte: (seen[byte] + 3 / 256) / 9 for byte in range(256)}
    after_a = Counter(b"bcb")
    mixed = [(after_a[byte] + 2 * chance[byte]) / 5 for byte in range(256)]
    assert math.isclose(sum(mixed), 1)
    expected = -sum(p * math.log2(p) for p in mixed)
    assert math.isclose(model.entropies("ab")[1], expected)


PATCHER = EntropyPatcher()
PATCHER.train(CORPUS)


@given(text=TEXTS)
def test_patches_are_the_text(text: str) -> None:
    assert b"".join(PATCHER.patches(text)) == joined(text).encode()
    assert all(PATCHER.patches(text))


def test_patches_begin_where_the_next_byte_is_hard_to_guess() -> None:
    model = EntropyPatcher(order=3)
    model.train(["the cat sat. ", "the dog sat. ", "the bird sat. "] * 20)
    model.fit("the cat sat. the dog sat. ", 6)
    patches = model.patches("the cat sat. the dog sat. ")
    assert b"dog sat. " in patches
    assert 4 < 26 / len(patches) < 8


def test_healing() -> None:
    encoding = get_encoding("cl100k_base")
    ids = encoding.encode("The link is http:")
    healed = heal(encoding, ids)
    assert healed.prefix == b":"
    assert healed.ids == ids[:-1]
    tokens = {encoding.decode([id]) for id in healed.allowed}
    assert {":", "://"} <= tokens
    assert all(token.startswith(":") for token in tokens)


def test_nothing_to_heal() -> None:
    encoding = get_encoding("cl100k_base")
    assert heal(encoding, []) == ([], b"", [])
    end = encoding.special_tokens["<|endoftext|>"]
    assert heal(encoding, [9906, end]) == ([9906, end], b"", [])
    model = BPE()
    model.train("abab", 257)
    assert heal(model, [256]) == ([256], b"", [])
    assert heal(model, [99, 97]) == ([99], b"a", [97, 256])


@pytest.mark.parametrize("kind", ["words", "characters", "super", "patches"])
def test_a_saved_model_is_the_same_when_loaded(kind: str, tmp_path: Path) -> None:
    model: Any = {"words": Words(), "characters": Characters(), "super": SUPER, "patches": PATCHER}[
        kind
    ]
    if isinstance(model, (Words, Characters)):
        model.train(CORPUS, 100)
    path = tmp_path / "model.json"
    model.save(path)
    loaded = type(model).load(path)
    if isinstance(model, EntropyPatcher):
        assert loaded.patches(ZEN) == model.patches(ZEN)
    else:
        assert loaded.encode(ZEN) == model.encode(ZEN)
    before = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == before
    path.write_text(path.read_text("utf-8").split('"algorithm"')[0] + '"algorithm": 1}', "utf-8")
    with pytest.raises(ModelError):
        type(model).load(path)

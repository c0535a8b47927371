"""Model files of every format as encodings: the ids of the reference library, and true places."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import given
from tests.tokenizer.files.checks import (
    TEXTS,
    check_index,
    check_interface,
    check_places_are_exact,
    joined,
)
from tests.tokenizer.files.trainable import BYTE_BPE, byte_level, sentencepiece_model
from tests.tokenizer.models.corpora import CORPUS, MANY_SCRIPTS, SOURCE, ZEN
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from subword import SpecialTokenError
from subword.load import load_encoding
from subword.models.baselines import Characters, Words
from subword.models.bpe import BPE
from subword.models.character_bpe import CharacterBPE
from subword.models.normalizer import Options
from subword.models.superword import SuperBPE
from subword.models.unigram.model import Unigram
from subword.models.word_bpe import WordBPE
from subword.models.wordpiece import WordPiece
from subword.patterns import PATTERNS

LINES = (ZEN + MANY_SCRIPTS + SOURCE).split("\n")


# --- Hugging Face ------------------------------------------------------------------------------


def llama() -> tokenizers.Tokenizer:
    """As Llama 2's file has it: `▁` by a normalizer, bytes for unknown characters."""
    tokenizer = tokenizers.Tokenizer(
        models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    special = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=600, show_progress=False, special_tokens=special)
    tokenizer.train_from_iterator(ZEN.split("\n"), trainer)
    document = json.loads(tokenizer.to_str())
    document["added_tokens"] = document["added_tokens"][:2]
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def t5() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=700, unk_token="<unk>", special_tokens=["<s>", "<unk>"], show_progress=False
    )
    tokenizer.train_from_iterator(LINES, trainer)
    return tokenizer


def bert() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[UNK]", "[CLS]", "[SEP]", "<s>"]
    trainer = trainers.WordPieceTrainer(vocab_size=700, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(LINES, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=5)
    return tokenizer


HUGGING_FACE: dict[str, Callable[[], tokenizers.Tokenizer]] = {
    "byte-level": byte_level,
    "llama": llama,
    "t5": t5,
    "bert": bert,
}


@pytest.mark.parametrize("kind", HUGGING_FACE)
def test_hugging_face(kind: str, tmp_path: Path) -> None:
    reference = HUGGING_FACE[kind]()
    reference.save(str(tmp_path / "tokenizer.json"))
    encoding = load_encoding(tmp_path / "tokenizer.json", kind)
    assert encoding.name == kind
    assert encoding.special_tokens["<s>"] == reference.token_to_id("<s>")
    assert encoding.n_vocab == reference.get_vocab_size()
    reference.no_truncation()
    reference.no_padding()
    as_text = tokenizers.Tokenizer.from_str(reference.to_str())
    as_text.encode_special_tokens = True

    @given(text=TEXTS)
    def same_as_the_library(text: str) -> None:
        ids = as_text.encode(joined(text), add_special_tokens=False).ids
        assert encoding.encode(text) == ids
        assert encoding.decode(ids) == as_text.decode(ids, skip_special_tokens=False)
        check_interface(encoding, text)
        check_index(encoding, text)
        if kind == "byte-level":
            check_places_are_exact(encoding, text)

    same_as_the_library()
    mark = encoding.special_tokens["<s>"]
    assert mark in encoding.encode("a<s>b", "control")
    # A unigram model has its special tokens among its pieces and finds them in any text.
    assert (mark in encoding.encode("a<s>b")) == (kind == "t5")
    with pytest.raises(SpecialTokenError, match="<s>"):
        encoding.encode("a<s>b", "error")
    with pytest.raises(ValueError, match="no token with the id 99999"):
        encoding.decode([99999])


# --- SentencePiece -----------------------------------------------------------------------------


@pytest.mark.parametrize("byte_fallback", [False, True])
@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_sentencepiece(kind: str, byte_fallback: bool, tmp_path: Path) -> None:
    data = sentencepiece_model(
        vocab_size=900,
        model_type=kind,
        byte_fallback=byte_fallback,
        character_coverage=0.99,
        user_defined_symbols=["<mark>"],
    )
    (tmp_path / "spm.model").write_bytes(data)
    encoding = load_encoding(tmp_path / "spm.model")
    reference = sentencepiece.SentencePieceProcessor(model_proto=data)

    @given(text=TEXTS)
    def same_as_the_library(text: str) -> None:
        ids = reference.encode(joined(text))
        assert encoding.encode(text) == ids
        assert encoding.decode(ids) == reference.decode(ids)
        check_interface(encoding, text)
        check_index(encoding, text)

    same_as_the_library()
    assert encoding.special_tokens == {"<s>": 1, "</s>": 2}
    assert 1 in encoding.encode("a<s>b", "control")
    tokens = encoding.split("the 🙃 is<mark>")
    assert [(t.start, t.end) for t in tokens if t.start < 5 <= t.end] == (
        [(4, 5)] * 4 if byte_fallback else [(4, 5)]
    )
    assert tokens[-1].bytes == b"<mark>"
    with pytest.raises(ValueError, match="no token with the id -1"):
        encoding.decode([-1])


# --- tiktoken, minbpe, Tekken ------------------------------------------------------------------


def tekken(path: Path) -> None:
    """As Mistral writes it: special tokens first, more ranks than are used."""
    rows = sorted(BYTE_BPE.vocab.items())
    document = {
        "config": {
            "pattern": PATTERNS["cl100k"],
            "default_vocab_size": 650,
            "default_num_special_tokens": 10,
        },
        "vocab": [
            {"rank": id, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for id, token in rows
        ],
        "special_tokens": [{"rank": 1, "token_str": "<s>", "is_control": True}],
    }
    path.write_text(json.dumps(document))


@pytest.mark.parametrize("kind", ["tiktoken", "minbpe", "subword", "tekken", "own pattern"])
def test_byte_level(kind: str, tmp_path: Path) -> None:
    model, offset, size = BYTE_BPE, 0, 700
    if kind == "minbpe":
        model = BPE("cl100k")
        model.train(CORPUS, 700)
    if kind == "own pattern":
        model = BPE(r"[\p{L}\p{M}]+|[^\p{L}\p{M}]")
        model.train(CORPUS, 700)
    path = tmp_path / "model"
    if kind == "tekken":
        offset, size = 10, 640
        tekken(path)
    else:
        model.save(path, "subword" if kind == "own pattern" else kind)
    given_apart: dict[str, Any] = {"pattern": "cl100k", "special_tokens": {"<s>": 700}}
    encoding = load_encoding(path, **(given_apart if kind == "tiktoken" else {}))
    ranks = {token: id + offset for id, token in model.vocab.items() if id < size}
    reference = tiktoken.Encoding(
        "reference",
        pat_str=PATTERNS.get(str(model.pattern), str(model.pattern)),
        mergeable_ranks=ranks,
        special_tokens=dict(encoding.special_tokens),
    )

    @given(text=TEXTS)
    def same_as_tiktoken(text: str) -> None:
        assert encoding.encode(text) == reference.encode_ordinary(joined(text))
        allowed = set(encoding.special_tokens)
        ids = reference.encode(joined(text), allowed_special=allowed, disallowed_special=())
        assert encoding.encode(text, "control") == ids
        check_interface(encoding, text)
        check_places_are_exact(encoding, text)

    same_as_tiktoken()


# --- Ours --------------------------------------------------------------------------------------


EXACT = Options("identity", collapse_spaces=False, byte_fallback=True, dummy_prefix=False)
# Each with what it is trained on.
MODELS: dict[str, tuple[Callable[[], Any], Any]] = {
    "unigram": (Unigram, (LINES, 900)),
    "unigram without loss": (lambda: Unigram(EXACT), (LINES, 900)),
    "character-bpe": (CharacterBPE, (LINES, 900)),
    "character-bpe without loss": (lambda: CharacterBPE(EXACT), (LINES, 900)),
    "wordpiece": (WordPiece, (LINES, 900)),
    "words": (Words, (LINES, 900)),
    "characters": (Characters, (LINES, 900)),
    "super-bpe": (SuperBPE, (CORPUS, 600, 400)),
    "word-bpe": (WordBPE, (CORPUS, 300)),
}


@cache
def trained(kind: str) -> Any:
    make, options = MODELS[kind]
    model = make()
    model.train(*options)
    return model


@pytest.mark.parametrize("kind", MODELS)
def test_what_we_train(kind: str, tmp_path: Path) -> None:
    model = trained(kind)
    model.save(tmp_path / "model.json")
    encoding = load_encoding(tmp_path / "model.json")

    @given(text=TEXTS)
    def same_as_the_model(text: str) -> None:
        assert encoding.encode(text) == model.encode(text)
        assert encoding.decode(model.encode(text)) == model.decode(model.encode(text))
        check_interface(encoding, text)
        check_index(encoding, text)
        if kind.startswith("super") or (kind.endswith("without loss") and "▁" not in text):
            check_places_are_exact(encoding, text)

    same_as_the_model()


@pytest.mark.parametrize(
    ("kind", "text", "places"),
    [
        ("unigram", "the  ﬁ", ["the", "  ﬁ"]),
        ("wordpiece", "is better.", ["is", "better", "."]),
        ("word-bpe", "is than", ["is", "than"]),
        ("words", "better, the\n", ["better", ",", "the"]),
        ("characters", "a漢", ["a", "漢"]),
        ("super-bpe", "is", ["is"]),
    ],
)
def test_places(kind: str, text: str, places: list[str], tmp_path: Path) -> None:
    trained(kind).save(tmp_path / "model.json")
    tokens = load_encoding(tmp_path / "model.json").split(text)
    spans = dict.fromkeys((token.start, token.end) for token in tokens)
    found = [text[start:end] for start, end in spans]
    assert "".join(found) == "".join(places)

"""Every normalizer, decoder and kind of added token of other makers' tokenizers, one by one.

Small tokenizers are trained here, with the makers' own libraries, which also say what is right.
`real.py` does the same with the tokenizers that are published.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from tests.thorough import THOROUGH
from tests.tokenizer.files.checks import check_index, check_interface
from tests.tokenizer.files.nasty import nasty_texts
from tests.tokenizer.files.trainable import sentencepiece_model
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, trainers

from subword import SpecialMode, SpecialTokenError, UncountableError
from subword.files.huggingface import HuggingFaceTokenizer
from subword.foreign import ForeignEncoding
from subword.load import load_encoding

CORPUS = list(nasty_texts(200, seed=7))
TEXTS = [
    # What each form of Unicode makes longer, shorter or reorders.
    *("\u0eb3", "\u0a33a", "\u0f81\n\u0f81", "\U0002f8be", "e\u0301\u0301 x", "\u1112\u1161\u11ab"),
    *("a\u0315\u0300b", "ﬃ ﬃ", "ﷺ\nﷺ", "\u0344", "İI", "  \u0301x", "\u200b", "", " ", "\n"),
    *nasty_texts(60 if THOROUGH else 20, ["<s>", "[UNK]", "<|user|>"], seed=1),
]


def trained(
    model: Any, normalizer: Any = None, pre_tokenizer: Any = None, decoder: Any = None
) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(model)
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    if decoder:
        tokenizer.decoder = decoder
    options: dict[str, Any] = {"vocab_size": 500, "show_progress": False}
    options["special_tokens"] = ["<unk>", "<s>", "</s>"]
    if isinstance(pre_tokenizer, pre_tokenizers.ByteLevel):
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    kind = type(model).__name__
    if kind == "Unigram":
        options["unk_token"] = "<unk>"
    trainer = getattr(trainers, f"{kind.replace('BPE', 'Bpe')}Trainer")(**options)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def byte_level(normalizer: Any = None, prefix: bool = False) -> tokenizers.Tokenizer:
    pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    return trained(models.BPE(), normalizer, pre_tokenizer, decoders.ByteLevel())


def pieces(normalizer: Any = None, scheme: str = "always") -> tokenizers.Tokenizer:
    """As T5 and the newer Llama files have it: `▁` by the pre-tokenizer."""
    pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    decoder = decoders.Metaspace(prepend_scheme=scheme)
    return trained(models.Unigram(), normalizer, pre_tokenizer, decoder)


def llama(*more: Any) -> tokenizers.Tokenizer:
    """As Llama 2's and Phi-3's files have it: `▁` by normalizers."""
    spaces = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    model = models.BPE(unk_token="<unk>", fuse_unk=True)
    return trained(model, normalizers.Sequence([*more, *spaces]), None, decoders.Metaspace())


def words(normalizer: Any) -> tokenizers.Tokenizer:
    model = models.WordPiece(unk_token="<unk>")
    return trained(model, normalizer, pre_tokenizers.BertPreTokenizer(), decoders.WordPiece())


def precompiled() -> Any:
    """SentencePiece's own normalization, as the library keeps it in a model."""
    from subword.files.sentencepiece import _fields

    fields = dict(_fields(sentencepiece_model(vocab_size=400, normalization_rule_name="nmt_nfkc")))
    return normalizers.Precompiled(dict(_fields(fields[3]))[2])


TOKENIZERS: dict[str, Callable[[], tokenizers.Tokenizer]] = {
    "nothing": byte_level,
    "prefix": lambda: byte_level(prefix=True),
    "nfc": lambda: byte_level(normalizers.NFC()),
    "nfd": lambda: byte_level(normalizers.NFD()),
    "nfkc": lambda: byte_level(normalizers.NFKC(), prefix=True),
    "nfkd": lambda: byte_level(normalizers.NFKD()),
    "lowercase": lambda: byte_level(normalizers.Lowercase()),
    "accents": lambda: byte_level(
        normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    ),
    "longer": lambda: byte_level(normalizers.Replace("a", "xyz漢")),
    "shorter": lambda: byte_level(normalizers.Replace(tokenizers.Regex(r"[a-z\s]+"), "")),
    "prepend": lambda: byte_level(normalizers.Prepend("漢")),
    "strip": lambda: byte_level(normalizers.Strip()),
    "nmt": lambda: byte_level(normalizers.Nmt()),
    "precompiled": lambda: byte_level(precompiled()),
    "byte normalizer": lambda: trained(
        models.BPE(), normalizers.ByteLevel(), None, decoders.ByteLevel()
    ),
    "pieces always": lambda: pieces(normalizers.NFKC()),
    "pieces first": lambda: pieces(scheme="first"),
    "pieces never": lambda: pieces(scheme="never"),
    "pieces precompiled": lambda: pieces(precompiled()),
    "llama": llama,
    "llama nfkc": lambda: llama(normalizers.NFKC()),
    "bert": lambda: words(normalizers.BertNormalizer()),
    "bert cased": lambda: words(normalizers.BertNormalizer(lowercase=False, strip_accents=True)),
    "split": lambda: trained(
        models.WordLevel(unk_token="<unk>"),
        normalizers.NFC(),
        pre_tokenizers.Split(tokenizers.Regex(r"\w+|[^\w\s]+"), "removed", invert=True),
    ),
}


@cache
def made(kind: str) -> tokenizers.Tokenizer:
    return TOKENIZERS[kind]()


def loaded(tokenizer: tokenizers.Tokenizer, path: Path) -> ForeignEncoding:
    tokenizer.save(str(path / "tokenizer.json"))
    encoding = load_encoding(path / "tokenizer.json", "small")
    assert isinstance(encoding, ForeignEncoding)
    assert isinstance(encoding.tokenizer, HuggingFaceTokenizer)
    return encoding


def readings(
    tokenizer: tokenizers.Tokenizer,
) -> Iterator[tuple[SpecialMode, tokenizers.Tokenizer]]:
    """The library's reading of special tokens as text and as control."""
    special: SpecialMode
    for special in ("text", "control"):
        engine = tokenizers.Tokenizer.from_str(tokenizer.to_str())
        engine.encode_special_tokens = special == "text"
        yield special, engine


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_every_kind_of_tokenizer(kind: str, tmp_path: Path) -> None:
    tokenizer = made(kind)
    encoding = loaded(tokenizer, tmp_path)
    for special, reference in readings(tokenizer):
        for text in TEXTS:
            ids = reference.encode(text, add_special_tokens=False).ids
            assert encoding.encode(text, special) == ids
            check_index(encoding, text, special)
    for text in TEXTS:
        check_interface(encoding, text)


@pytest.mark.parametrize(
    ("kind", "text", "places"),
    [
        # Composed from two characters: both are its place, of each of its bytes.
        ("nfc", "x\u1112\u1161\u11aby", [(0, 1), *[(1, 4)] * 3, (4, 5)]),
        ("nfc", "\u0eb3", [(0, 1)] * 3),
        # Taken apart into several characters: all of them stand for the one.
        ("nfd", "\u1e69", [(0, 1)]),
        ("accents", "e\u0301", [(0, 2)]),
        ("bert", "a\u200b\u200b  b\u200b", [(0, 3), (5, 7)]),
        ("shorter", "ab1cd", [(0, 5)]),
    ],
)
def test_places(kind: str, text: str, places: list[tuple[int, int]], tmp_path: Path) -> None:
    tokens = loaded(made(kind), tmp_path).split(text)
    assert list(dict.fromkeys((t.start, t.end) for t in tokens)) == list(dict.fromkeys(places))


def test_each_byte_of_a_composed_character_has_its_place(tmp_path: Path) -> None:
    tokens = loaded(made("nfc"), tmp_path).split("x\u1105\u1170\u11bdy")
    inside = [(t.start, t.end) for t in tokens if t.text not in ("x", "y")]
    assert len(inside) > 1 and set(inside) == {(1, 4)}


ADDED = {
    "plain": {},
    "lstrip": {"lstrip": True},
    "rstrip": {"rstrip": True},
    "both": {"lstrip": True, "rstrip": True},
    "single word": {"single_word": True},
    "normalized": {"normalized": True},
    "all": {"lstrip": True, "rstrip": True, "single_word": True, "normalized": True},
}
CHATS = [
    "<|user|>\nHi<|end|>\n<|assistant|>\n",
    "<s>Hi</s><s>Ho",
    "<|user|> \n <|end|>x<|end|> y\t<|end|>",
    "  <|user|>e\u0301<|USER|> <|user|",
    "É<|É|>é<|é|> e\u0301<|e\u0301|>",
    *nasty_texts(
        40 if THOROUGH else 15, ["<|user|>", "<|end|>", "<|assistant|>", "<|É|>", "<s>"], seed=3
    ),
]


@pytest.mark.parametrize("is_special", [True, False])
@pytest.mark.parametrize("flags", ADDED)
@pytest.mark.parametrize("kind", ["llama", "pieces first", "nfc", "bert", "prefix", "lowercase"])
def test_every_kind_of_added_token(kind: str, flags: str, is_special: bool, tmp_path: Path) -> None:
    tokenizer = tokenizers.Tokenizer.from_str(made(kind).to_str())
    names = ["<|user|>", "<|end|>", "<|assistant|>", "<|É|>"]
    options = {"normalized": False, **ADDED[flags]}
    added = [AddedToken(name, special=is_special, **options) for name in names]
    (tokenizer.add_special_tokens if is_special else tokenizer.add_tokens)(added)
    encoding = loaded(tokenizer, tmp_path)
    ids = {id for name in names if (id := tokenizer.token_to_id(name)) is not None}
    assert ids <= encoding.special_ids if is_special else not ids & encoding.special_ids
    seen: dict[str, set[int]] = {"text": set(), "control": set()}
    for special, reference in readings(tokenizer):
        for text in CHATS:
            expected = reference.encode(text, add_special_tokens=False).ids
            assert encoding.encode(text, special) == expected
            seen[special].update(ids & set(expected))
            check_index(encoding, text, special)
    for text in CHATS:
        check_interface(encoding, text)
    # Else this test would be one of ordinary text.
    assert seen["control"] and bool(seen["text"]) != is_special


@pytest.mark.parametrize("kind", ["llama", "bert", "lowercase", "split"])
def test_an_error_where_a_special_token_is_read(kind: str, tmp_path: Path) -> None:
    tokenizer = tokenizers.Tokenizer.from_str(made(kind).to_str())
    tokenizer.add_special_tokens([AddedToken("<|end|>", single_word=True, normalized=True)])
    encoding = loaded(tokenizer, tmp_path)
    (_, as_text), (_, as_control) = readings(tokenizer)
    raised = 0
    for text in [*CHATS, "a <|end|> b", "a<|end|>b", "漢字 ☃ \U000e0001", "<unk>", "🦩<unk>"]:
        expected = as_control.encode(text, add_special_tokens=False)
        is_read = expected.ids != as_text.encode(text, add_special_tokens=False).ids
        try:
            assert encoding.encode(text, "error") == expected.ids
            assert not is_read
        except SpecialTokenError as error:
            raised += 1
            assert is_read
            assert text in encoding.special_tokens or text not in str(error)
    assert raised


def test_a_text_on_which_the_library_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Oniguruma ends a search after ten million steps, which the library answers with a panic."""
    monkeypatch.setattr("subword.files.huggingface.backtracking_fault", lambda pattern: None)
    monkeypatch.setattr("subword.files.huggingface.growth_fault", lambda *_, **__: None)
    tokenizer = tokenizers.Tokenizer.from_str(made("nfc").to_str())
    pattern = tokenizers.Regex("(?:x|x|aa|a)+[yz]")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(pattern, "isolated")
    encoding = loaded(tokenizer, tmp_path)
    assert encoding.count("aaay") > 0
    for count in (encoding.count, encoding.token_starts, encoding.split):
        with pytest.raises(
            UncountableError, match=r"^small: the tokenizers library fails"
        ) as caught:
            count("a" * 50)
        assert "aaa" not in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [("(?:x|x|aa|a)+[yz]", "takes"), ("(?=[^q]*q)a|.", "takes longer and longer")],
)
def test_a_pattern_that_is_too_slow(pattern: str, fault: str, tmp_path: Path) -> None:
    tokenizer = tokenizers.Tokenizer.from_str(made("nfc").to_str())
    tokenizer.pre_tokenizer = pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
    with pytest.raises(ValueError, match=f"^small: its split pattern {fault}"):
        loaded(tokenizer, tmp_path)


def test_what_the_library_calls_damage_is_said(tmp_path: Path) -> None:
    document = json.loads(made("llama").to_str())
    for damage in (
        {"added_tokens": [3]},
        {"added_tokens": [{"id": 0}]},
        {"decoder": {"type": "Nonsense"}},
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "!"}},
        {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated"}},
        {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b"]]}},
    ):
        (tmp_path / "tokenizer.json").write_text(json.dumps(document | damage))
        with pytest.raises(ValueError, match=r"small: not a tokenizer\.json"):
            load_encoding(tmp_path / "tokenizer.json", "small")


def test_a_unigram_model_without_an_unknown_token(tmp_path: Path) -> None:
    document = json.loads(made("nfc").to_str())
    document["model"] = {"type": "Unigram", "vocab": [["a", -1.0], ["b", -2.0]]}
    (tmp_path / "tokenizer.json").write_text(json.dumps(document))
    encoding = load_encoding(tmp_path / "tokenizer.json", "small")
    assert encoding.encode("ab", "error") == [0, 1]


# --- SentencePiece -----------------------------------------------------------------------------

RULES = ["nmt_nfkc", "nmt_nfkc_cf", "nfkc", "identity"]


@pytest.mark.parametrize("model_type", ["unigram", "bpe", "char", "word"])
@pytest.mark.parametrize("rule", RULES)
def test_every_kind_of_sentencepiece(model_type: str, rule: str, tmp_path: Path) -> None:
    number = RULES.index(rule)
    data = sentencepiece_model(
        vocab_size=600,
        model_type=model_type,
        normalization_rule_name=rule,
        add_dummy_prefix=number % 2 == 0,
        remove_extra_whitespaces=number < 2,
        treat_whitespace_as_suffix=number == 3,
        byte_fallback=model_type in ("unigram", "bpe") and number > 0,
        user_defined_symbols=["<|user|>"],
        character_coverage=0.98,
    )
    (tmp_path / "spm.model").write_bytes(data)
    encoding = load_encoding(tmp_path / "spm.model")
    reference = sentencepiece.SentencePieceProcessor(model_proto=data)
    for text in [*TEXTS, *CHATS]:
        assert encoding.encode(text) == reference.encode(text)
        check_interface(encoding, text)
        check_index(encoding, text)
        check_index(encoding, text, "control")

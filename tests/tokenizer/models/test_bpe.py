"""Byte BPE against minbpe's known values, tiktoken's core and `tokenizers`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer.models.corpora import CORPUS, MANY_SCRIPTS, ZEN
from tokenizers import decoders, models, pre_tokenizers, trainers

from subword import SpecialTokenError, get_encoding
from subword.files.saved import ModelError
from subword.models.bpe import BPE, NO_SPLIT
from subword.models.recovery import byte_permutation, recover_merges
from subword.patterns import PATTERNS

SETTINGS = [None, "gpt2", "cl100k", "o200k", r"\p{L}+|[^\p{L}]"]
TRAINED = {pattern: BPE(pattern) for pattern in SETTINGS}
for model in TRAINED.values():
    model.train(CORPUS, 900)
    model.register_special_tokens(["<|endoftext|>", "<|end|>"])

# Text that looks like the corpora, so that merges apply, and any text at all.
LIKE_CORPUS = st.lists(st.sampled_from((ZEN + MANY_SCRIPTS).split(" "))).map(" ".join)
TEXTS = LIKE_CORPUS | st.text() | st.text("0123456789 ", max_size=30)


def joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def huggingface_trained(corpus: list[str], vocab_size: int) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus, trainer)
    return tokenizer


def test_the_example_of_minbpe() -> None:
    model = BPE()
    model.train("aaabdaaabac", 256 + 3)
    assert model.merges == {(97, 97): 256, (256, 97): 257, (257, 98): 258}
    assert model.encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    assert model.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"


def test_the_pairs_first_learnt_by_tokenizers() -> None:
    """The same ids as `tokenizers`' trainer: merges, numbers of bytes, ties and all."""
    model = BPE("gpt2", ties="smallest", byte_order="gpt2")
    model.train(CORPUS, 1500)
    reference = huggingface_trained(CORPUS, 1500)
    written = json.loads(reference.to_str())["model"]
    visible = {id: name for name, id in written["vocab"].items()}
    merges = [(visible[left], visible[right]) for left, right in model.merges]
    assert merges == [tuple(row) for row in written["merges"]]
    for text in CORPUS:
        assert model.encode(text) == reference.encode(text).ids


@pytest.mark.parametrize("pattern", SETTINGS)
@given(text=TEXTS)
def test_encodes_as_tiktoken_does(pattern: str | None, text: str) -> None:
    model = TRAINED[pattern]
    if pattern is not None and pattern == SETTINGS[-1]:
        pattern = pattern.replace(r"[^\p{L}]", r"\P{L}")
    engine = tiktoken.Encoding(
        "trained",
        pat_str=NO_SPLIT if pattern is None else PATTERNS.get(pattern, pattern),
        mergeable_ranks={token: id for id, token in model.vocab.items()},
        special_tokens=model.special_tokens,
    )
    assert model.encode(text) == engine.encode_ordinary(joined(text))
    assert model.encode(text, "control") == engine.encode(joined(text), allowed_special="all")
    assert model.encoding("trained").encode(text) == model.encode(text)


@pytest.mark.parametrize("pattern", SETTINGS)
@given(text=TEXTS)
def test_decodes_what_it_encoded(pattern: str | None, text: str) -> None:
    model = TRAINED[pattern]
    for mode in ("text", "control"):
        assert model.decode(model.encode(text, mode)) == joined(text)


@given(ids=st.lists(st.integers(0, 901)))
def test_decoding_is_total(ids: list[int]) -> None:
    assert isinstance(TRAINED["gpt2"].decode(ids), str)


def test_bytes_that_are_not_utf8_decode_to_replacement_characters() -> None:
    assert BPE().decode([128, 97]) == "\ufffda"
    with pytest.raises(ValueError, match="no token with the id 256"):
        BPE().decode([256])


def test_special_tokens() -> None:
    model = TRAINED["cl100k"]
    assert model.special_tokens == {"<|endoftext|>": 900, "<|end|>": 901}
    text = "a<|end|>b"
    assert model.encode(text, "control") == [97, 901, 98]
    assert 901 not in model.encode(text)
    with pytest.raises(SpecialTokenError, match=r"<\|end\|>"):
        model.encode(text, "error")
    with pytest.raises(ValueError, match="id 97"):
        model.register_special_tokens({"<|x|>": 97})


def test_a_small_corpus_ends_training_early() -> None:
    model = BPE()
    model.train("abab", 1000)
    assert len(model.vocab) == 258
    with pytest.raises(ValueError, match="at least 256"):
        model.train("abab", 255)


def test_interrupted_training_leaves_the_model_as_it_was() -> None:
    model = BPE("gpt2")
    model.train("hello hello", 258)
    before = dict(model.merges)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.train(CORPUS, 600, progress=interrupt)
    assert model.merges == before


@pytest.mark.parametrize("format", ["subword", "minbpe", "tiktoken", "huggingface"])
@pytest.mark.parametrize("pattern", SETTINGS)
def test_a_saved_model_is_the_same_when_loaded(
    format: str, pattern: str | None, tmp_path: Path
) -> None:
    model = TRAINED[pattern]
    model.save(tmp_path / "model", format)
    loaded = BPE.load(tmp_path / "model", pattern if format == "tiktoken" else None)
    assert loaded.merges == model.merges
    assert loaded.vocab == model.vocab
    assert loaded.pattern == model.pattern
    if format != "tiktoken":
        assert loaded.special_tokens == model.special_tokens
    before = (tmp_path / "model").read_bytes()
    loaded.register_special_tokens(model.special_tokens)
    loaded.save(tmp_path / "model", format)
    assert (tmp_path / "model").read_bytes() == before


@pytest.mark.parametrize("pattern", [None, "gpt2", "cl100k", "o200k"])
def test_tokenizers_runs_the_saved_model(pattern: str | None, tmp_path: Path) -> None:
    model = TRAINED[pattern]
    model.save(tmp_path / "tokenizer.json")
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))

    @given(text=TEXTS)
    def same_ids(text: str) -> None:
        # The library's regular expressions know another Unicode version than tiktoken's.
        text = "".join(
            c for c in joined(text) if c in ZEN + MANY_SCRIPTS + "0123456789\t\r\x85\xa0"
        )
        assert reference.encode(text).ids == model.encode(text, "control")
        assert reference.decode(reference.encode(text).ids, skip_special_tokens=False) == text

    same_ids()


def test_tokenizers_model_is_read(tmp_path: Path) -> None:
    reference = huggingface_trained(CORPUS, 700)
    reference.add_special_tokens(["<|endoftext|>"])
    reference.save(str(tmp_path / "tokenizer.json"))
    loaded = BPE.load(tmp_path / "tokenizer.json")
    assert loaded.pattern == "gpt2"
    for text in CORPUS:
        assert loaded.encode(text) == reference.encode(text).ids
    assert loaded.special_tokens == {"<|endoftext|>": 700}


# minbpe's GPT4_SPLIT_PATTERN.
GPT4 = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
MINBPE = f"minbpe v1\n{GPT4}\n1\n<|endoftext|> 100257\n104 101\n256 108\n"


def test_a_file_as_minbpe_writes_it(tmp_path: Path) -> None:
    (tmp_path / "hello.model").write_text(MINBPE, "utf-8")
    model = BPE.load(tmp_path / "hello.model")
    assert model.vocab[257] == b"hel"
    assert model.encode("hello<|endoftext|>", "control") == [257, 108, 111, 100257]
    model.save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_text("utf-8") == MINBPE


# Each merge doubles the token: sixty of them would have 2 to the power 60 bytes.
DOUBLING = b"".join(b"%d %d\n" % (id, id) for id in range(256, 316))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no ranks"),
        (b"\xff\xfe", "line 1"),
        (b"minbpe v1\n\n0\n97 98 99\n", "damaged"),
        (b"minbpe v1\n\n0\n300 301\n", "comes before its parts"),
        (b"minbpe v1\n\n-5\n", "number of special tokens"),
        (b"minbpe v1\n\n0\n97 97\n" + DOUBLING, "more than 65,536 bytes"),
        (b"minbpe v1\n" + b"(" * 4000 + b")" * 4000 + b"\n0\n", "nested too deeply"),
        (b"minbpe v1\n(\n0\n", "not a regular expression"),
        (b"minbpe v1\n", "damaged"),
        (b"YQ== 0\n", "not those of a byte-level BPE"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "line 1"),
        (b'{"a":' * 100_000, "not JSON"),
        (b'{"format": "other"}', "not a subword model"),
        (b'{"format": "subword", "version": 99}', "version 99"),
        (b'{"format": "subword", "version": 1, "algorithm": "unigram"}', "unigram"),
        (b'{"format": "subword", "version": 1, "algorithm": "bpe"}', "damaged"),
        (b'{"model": {"type": "Unigram"}}', "only a byte-level BPE"),
        (b'{"model": {"type": "BPE", "vocab": {"a": -1}}}', "below 0"),
        (b'{"x": 1' + b"0" * 5000 + b"}", "not JSON"),
    ],
)
def test_a_damaged_file_is_one_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ModelError, match=message):
        BPE.load(tmp_path / "model")


def test_a_missing_or_huge_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="no such file"):
        BPE.load(tmp_path / "absent")
    monkeypatch.setattr("subword.files.saved.read_bytes.__defaults__", (10,))
    (tmp_path / "huge").write_bytes(b"x" * 11)
    with pytest.raises(ModelError, match="not a model"):
        BPE.load(tmp_path / "huge")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    path.write_text("old")
    monkeypatch.setattr("os.fdopen", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        BPE().save(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_recovered_merges_of_cl100k() -> None:
    encoding = get_encoding("cl100k_base")
    merges = recover_merges(encoding)
    assert len(merges) == 100_000
    first = [encoding.decode([id]) for id in list(merges.values())[:8]]
    assert first == ["  ", "    ", "in", " t", "        ", "er", "   ", "on"]
    assert byte_permutation(encoding)[32] == 220
    assert len(byte_permutation(encoding)) == 256


def test_recovered_merges_encode_as_tiktoken_does() -> None:
    encoding = get_encoding("gpt2")
    model = BPE.from_ranks(encoding.ranks, "gpt2")
    assert len(model.merges) == 50_000
    for text in CORPUS:
        assert model.encode(text) == encoding.encode(text)


def test_recovery_takes_tiktokens_encoding_too() -> None:
    model = TRAINED["gpt2"]
    ranks = {token: id for id, token in model.vocab.items()}
    engine = tiktoken.Encoding(
        "trained", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={}
    )
    assert recover_merges(engine) == model.merges  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", SETTINGS)
def test_recovery_finds_the_merges_that_were_learnt(pattern: str | None) -> None:
    model = TRAINED[pattern]
    assert recover_merges({token: id for id, token in model.vocab.items()}) == model.merges

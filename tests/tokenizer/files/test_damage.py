"""Damaged and hostile model files are one clear error, whatever their format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.tokenizer.files.trainable import BYTE_BPE, byte_level, sentencepiece_model

from subword.files.saved import ModelError
from subword.load import load_encoding
from subword.models.bpe import BPE

SLOW = "(?:x|x|aa|a)+[yz]"


def huggingface_with(**parts: Any) -> bytes:
    return json.dumps({"model": {"type": "BPE", "vocab": {}, "merges": []}, **parts}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\0\xff" * 50, "not a SentencePiece model"),
        (b"hello world\n", "not a SentencePiece model"),
        (b"YQ== 0\n", "give its pattern"),
        (b"{}", "not of a tokenizer"),
        (b'{"model": 3}', "not a tokenizer.json"),
        (b'{"model": {"type": "Nonsense"}}', "not a tokenizer.json"),
        (b'{"model": {}, "added_tokens": [3]}', "not a tokenizer.json"),
        (b'{"model": {}, "added_tokens": 3}', "not a tokenizer.json"),
        (b'{"vocab": [], "config": {}}', "damaged"),
        (b'{"format": "subword", "version": 1, "algorithm": "nonsense"}', "no model of ours"),
        (b'{"format": "subword", "version": 1, "algorithm": "unigram"}', "damaged"),
        (b"[" * 1000, "not a SentencePiece model"),
        (b"\x12\x00", "not a SentencePiece model"),
        (
            b'{"format": "subword", "version": 1, "algorithm": "unigram", "pieces": {"a": NaN}, '
            b'"normalization": "nfkc", "dummy_prefix": true, "collapse_spaces": true, '
            b'"character_coverage": 1, "byte_fallback": false}',
            "a score is not a number",
        ),
        (b'{"a":' * 100_000, "not JSON"),
        (b'{"format": "subword", "version": 1, "algorithm": ["bpe"]}', "no model of ours"),
        (
            b'{"vocab": [], "config": {"pattern": ".", "default_num_special_tokens": 1, '
            b'"default_vocab_size": Infinity}}',
            "damaged",
        ),
        (
            huggingface_with(
                pre_tokenizer={
                    "type": "Split",
                    "pattern": {"Regex": SLOW},
                    "behavior": "Isolated",
                    "invert": False,
                }
            ),
            "takes more than",
        ),
    ],
)
def test_a_damaged_or_hostile_file_is_one_clear_error(
    content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subword.probes.SECONDS", 0.1)
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ModelError, match=message) as caught:
        load_encoding(tmp_path / "model")
    assert str(tmp_path) not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("ranks", "pattern", "message"),
    [
        ("YQ== 0\n", "cl100k", "255 of the 256 single bytes"),
        ("YQ== x\n", "cl100k", "line 1|SentencePiece"),
        ("all", "(", "split pattern"),
        ("all", "(" * 4000 + ")" * 4000, "too deeply nested"),
        ("all", "a", "does not match every text"),
        # Where a match is empty, tiktoken's core panics, and says so on standard error.
        ("all", "a*", "matches where there is nothing"),
        ("all", SLOW + r"|[\s\S]", "takes"),
        ("all", "x" * 20_000, "20,000 characters"),
    ],
)
def test_a_tiktoken_file_that_cannot_be_used(
    ranks: str,
    pattern: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("subword.probes.SECONDS", 0.1)
    path = tmp_path / "model.tiktoken"
    if ranks == "all":
        BPE().save(path)
    else:
        path.write_text(ranks)
    with pytest.raises(ModelError, match=message):
        load_encoding(path, pattern=pattern)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("library", ["tokenizers", "sentencepiece"])
def test_a_missing_library_is_said(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model"
    if library == "tokenizers":
        byte_level().save(str(path))
    else:
        path.write_bytes(sentencepiece_model(vocab_size=400))
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(ModelError, match=f"needs the {library} library; .*extra"):
        load_encoding(path)


def test_every_cut_of_a_file_is_an_error_or_a_model(tmp_path: Path) -> None:
    """A file that a download left unfinished."""
    whole = {}
    byte_level().save(str(tmp_path / "hf"))
    whole["hf"] = (tmp_path / "hf").read_bytes()
    whole["spm"] = sentencepiece_model(vocab_size=400)
    BYTE_BPE.save(tmp_path / "own")
    whole["own"] = (tmp_path / "own").read_bytes()
    for data in whole.values():
        for cut in range(0, len(data), len(data) // 12):
            (tmp_path / "cut").write_bytes(data[:cut])
            try:
                encoding = load_encoding(tmp_path / "cut")
            except ModelError:
                continue
            assert isinstance(encoding.n_vocab, int)

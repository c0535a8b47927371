"""A model file of any known format → an encoding. The content says which format it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from .encoding import Encoding
from .files.huggingface import HuggingFaceTokenizer
from .files.minbpe import HEADER
from .files.saved import FORMAT, ModelError, parse_json, read_bytes
from .files.sentencepiece import SentencePieceTokenizer
from .files.tiktoken import looks_like_tiktoken, tekken_encoding, tiktoken_encoding
from .foreign import ForeignEncoding
from .models import ALGORITHMS, model_class


def load_encoding(
    path: str | os.PathLike[str],
    name: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Encoding:
    """The encoding in a file: a model of ours, or minbpe's, tiktoken's, Hugging Face's,
    SentencePiece's or Mistral's (Tekken).

    A `.tiktoken` file has neither pattern nor special tokens: they are given here, the pattern as
    a name in `PATTERNS` or written out. Raises `ModelError`, a ValueError, with one clear message.

    >>> from tempfile import TemporaryDirectory
    >>> from subword import BPE
    >>> with TemporaryDirectory() as folder:
    ...     BPE().save(f"{folder}/bytes.json")
    ...     load_encoding(f"{folder}/bytes.json").count("日")
    3
    """
    name = name or Path(path).stem
    data = read_bytes(path)
    head = data[:64].lstrip()
    if head.startswith(b"{"):
        return _from_json(path, data, name)
    if head.startswith(HEADER):
        return _from_model(path, "bpe", name)
    if looks_like_tiktoken(head):
        return tiktoken_encoding(name, data, pattern, special_tokens or {})
    return ForeignEncoding(name, SentencePieceTokenizer(name, data))


def _from_json(path: str | os.PathLike[str], data: bytes, name: str) -> Encoding:
    document = parse_json(data, Path(path).name)
    if document.get("format") == FORMAT:
        algorithm = document.get("algorithm")
        if algorithm == "entropy-patches":
            raise ModelError(f"{name}: patches have no ids, so there is nothing to count with")
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            raise ModelError(f"{name}: no model of ours is called {algorithm!r}")
        return _from_model(path, algorithm, name)
    if "model" in document:
        return ForeignEncoding(name, HuggingFaceTokenizer(name, data, document))
    if "vocab" in document and "config" in document:
        return tekken_encoding(name, document)
    raise ModelError(f"{name}: JSON, but not of a tokenizer that is known here")


def _from_model(path: str | os.PathLike[str], algorithm: str, name: str) -> Encoding:
    encoding: Encoding = model_class(algorithm).load(path).encoding(name)
    return encoding

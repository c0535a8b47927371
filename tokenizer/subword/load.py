"""A model file of any known format → an encoding. The content says which format it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .core import core_encoding
from .encoding import Encoding
from .files.huggingface import HuggingFaceEncoding
from .files.saved import FORMAT, ModelError, parse_json, read_bytes
from .files.sentencepiece import SentencePieceEncoding
from .patterns import PATTERNS
from .trained import TrainedEncoding
from .vocab import VocabularyError, read_tiktoken


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
    """
    name = name or Path(path).stem
    data = read_bytes(path)
    head = data[:64].lstrip()
    if head.startswith(b"{"):
        return _from_json(path, data, name)
    if head.startswith(b"minbpe v1"):
        return _byte_bpe(path, name)
    if _looks_like_tiktoken(head):
        return _from_tiktoken(data, name, pattern, special_tokens or {})
    return SentencePieceEncoding(name, data)


def _from_json(path: str | os.PathLike[str], data: bytes, name: str) -> Encoding:
    document = parse_json(data, Path(path).name)
    if document.get("format") == FORMAT:
        algorithm = document.get("algorithm")
        if algorithm == "entropy-patches":
            raise ModelError(f"{name}: patches have no ids, so there is nothing to count with")
        if not isinstance(algorithm, str) or algorithm not in _TRAINED:
            raise ModelError(f"{name}: no model of ours is called {algorithm!r}")
        return _TRAINED[algorithm](path, name)
    if "model" in document:
        return HuggingFaceEncoding(name, data, document)
    if "vocab" in document and "config" in document:
        return _from_tekken(document, name)
    raise ModelError(f"{name}: JSON, but not of a tokenizer that is known here")


def _from_tiktoken(
    data: bytes,
    name: str,
    pattern: str | None,
    special_tokens: Mapping[str, int],
) -> Encoding:
    if pattern is None:
        known = ", ".join(PATTERNS)
        raise ModelError(
            f"{name}: a .tiktoken file doesn't say how it splits texts; "
            f"give its pattern: {known}, or a regular expression"
        )
    try:
        ranks = read_tiktoken(data)
    except VocabularyError as error:
        raise ModelError(f"{name}: {error}") from None
    return core_encoding(name, ranks, PATTERNS.get(pattern, pattern), special_tokens)


def _from_tekken(document: dict[str, Any], name: str) -> Encoding:
    """Mistral's Tekken: ranks after a number of special tokens, and a vocabulary cut to size."""
    from base64 import b64decode

    try:
        config = document["config"]
        reserved = int(config["default_num_special_tokens"])
        size = int(config["default_vocab_size"]) - reserved
        ranks = {
            b64decode(row["token_bytes"], validate=True): int(row["rank"]) + reserved
            for row in document["vocab"][:size]
        }
        special = {
            row["token_str"]: int(row["rank"]) for row in document.get("special_tokens") or ()
        }
        pattern = str(config["pattern"])
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{name}: damaged ({error})") from None
    return core_encoding(name, ranks, pattern, special)


def _byte_bpe(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.bpe import BPE

    return BPE.load(path).encoding(name)


def _unigram(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.unigram.model import Unigram

    model = Unigram.load(path)
    return TrainedEncoding(name, model, map(_piece_bytes, model.vocab))


def _character_bpe(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.character_bpe import CharacterBPE

    model = CharacterBPE.load(path)
    return TrainedEncoding(name, model, map(_piece_bytes, model.vocab))


def _word_bpe(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.word_bpe import END_OF_WORD, WordBPE

    model = WordBPE.load(path)
    tokens = (token.removesuffix(END_OF_WORD).encode() for token in model.vocab)
    return TrainedEncoding(name, model, tokens)


def _wordpiece(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.wordpiece import PREFIX, WordPiece

    model = WordPiece.load(path)
    return TrainedEncoding(name, model, (t.removeprefix(PREFIX).encode() for t in model.vocab))


def _super_bpe(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.superword import SuperBPE

    model = SuperBPE.load(path)
    return TrainedEncoding(name, model, model.vocab.values())


def _words(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.baselines import Words

    model = Words.load(path)
    return TrainedEncoding(name, model, map(str.encode, model.vocab))


def _characters(path: str | os.PathLike[str], name: str) -> Encoding:
    from .models.baselines import Characters

    model = Characters.load(path)
    return TrainedEncoding(name, model, map(str.encode, model.vocab))


_TRAINED: dict[str, Callable[[str | os.PathLike[str], str], Encoding]] = {
    "bpe": _byte_bpe,
    "unigram": _unigram,
    "character-bpe": _character_bpe,
    "word-bpe": _word_bpe,
    "wordpiece": _wordpiece,
    "super-bpe": _super_bpe,
    "words": _words,
    "characters": _characters,
}


def _piece_bytes(piece: str) -> bytes:
    if len(piece) == 6 and piece.startswith("<0x"):
        return bytes([int(piece[3:5], 16)])
    return piece.replace("▁", " ").encode()


def _looks_like_tiktoken(head: bytes) -> bool:
    """Whether a file begins with a line of base64 and a number."""
    token, _, rank = head.split(b"\n")[0].strip().partition(b" ")
    return rank.isdigit() and token.rstrip(b"=").replace(b"+", b"").replace(b"/", b"").isalnum()

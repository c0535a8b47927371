"""Hugging Face's `tokenizer.json`, run by the `tokenizers` library (the extra `hf`)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import cached_property
from threading import Lock
from typing import Any

from ..encoding import SpecialMode, UncountableError
from ..placed import Placed
from ..probes import backtracking_fault, growth_fault
from ..special import SpecialTokens
from ..spelling import byte_characters, piece_bytes
from .saved import ModelError


class HuggingFaceTokenizer:
    """A `tokenizer.json` as a tokenizer. Special tokens are those that the file marks so.

    With `special="control"` ids are those of the library's `encode` without the post-processor's
    own tokens (`add_special_tokens=False`); with "text" those that it has when it is told to read
    special tokens as text (`encode_special_tokens`). Added tokens that are not special belong to
    the vocabulary and are found in either way.
    """

    def __init__(self, name: str, data: bytes, document: dict[str, Any]) -> None:
        """`document` is what `data`, the file's content, says. Raises `ModelError`."""
        engine = _engine(name, data, document)
        added = engine.get_added_tokens_decoder()
        self.name = name
        self.special_tokens: dict[str, int] = {
            token.content: id for id, token in sorted(added.items()) if token.special
        }
        self._special = SpecialTokens(self.special_tokens, name)
        self._added = {token.content for token in added.values()}
        self._unknown = _unknown_id(document["model"])
        self._is_byte_level = _is_byte_level(document)
        self._to_bytes = _decoder_of(document)
        # By whether special tokens are text. The library has a switch for that, but not call by
        # call; so the second way is a copy, made when it is first asked for.
        engine.encode_special_tokens = True
        self._engines: dict[bool, Any] = {True: engine}
        self._copying = Lock()

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """What each id decodes to by itself, special tokens included."""
        engine = self._engines[True]
        names = {id: name for name, id in engine.get_vocab(with_added_tokens=True).items()}
        # A unigram model can have a name twice, of which the library tells one id.
        for id in set(range(max(names, default=-1) + 1)) - names.keys():
            names[id] = engine.id_to_token(id)
        return {
            id: name.encode("utf-8", "replace") if name in self._added else self._to_bytes(name)
            for id, name in names.items()
            if name is not None
        }

    def encode(self, text: str, special: SpecialMode) -> list[int]:
        if special == "error":
            self._refuse_special(text)
        ids: list[int] = self._run("encode_batch_fast", text, special).ids
        return ids

    def place(self, text: str, special: SpecialMode) -> Iterable[Placed]:
        if special == "error":
            self._refuse_special(text)
        encoded = self._run("encode_batch", text, special)
        return (Placed(id, *span) for id, span in zip(encoded.ids, encoded.offsets, strict=True))

    def decode(self, ids: list[int]) -> str:
        text: str = self._engines[True].decode(ids, skip_special_tokens=False)
        return text

    def decode_bytes(self, ids: list[int]) -> bytes:
        """The bytes of ids: exact for byte-level models."""
        if self._is_byte_level:
            return b"".join(map(self.token_bytes.__getitem__, ids))
        return self.decode(ids).encode()

    def _refuse_special(self, text: str) -> None:
        """Raise when the library finds a special token in the text.

        How it is spelled there, what white space may stand beside it, and whether it may be part
        of a word are the library's to say. The token for what is unknown needs no spelling.
        """
        for id, start, end in self.place(text, "control") if self.special_tokens else ():
            spelling = self._special_spellings.get(id)
            if spelling and (id != self._unknown or spelling == text[start:end].strip()):
                raise self._special.error(spelling)

    @cached_property
    def _special_spellings(self) -> dict[int, str]:
        return {id: text for text, id in self.special_tokens.items()}

    def _run(self, method: str, text: str, special: SpecialMode) -> Any:
        """What a method of the library says of a text. Raises `UncountableError`."""
        # Of a batch, if of one, the library lets go of the interpreter meanwhile.
        encode = getattr(self._reading(special), method)
        try:
            return encode([text], add_special_tokens=False)[0]
        except BaseException as error:
            if _is_ours(error):
                raise
            # Its message may hold some of the text.
            raise UncountableError(
                f"{self.name}: the tokenizers library fails on this text"
            ) from None

    def _reading(self, special: SpecialMode) -> Any:
        """The engine that reads special tokens in a way."""
        as_text = special == "text" or not self.special_tokens
        with self._copying:
            if as_text not in self._engines:
                self._engines[as_text] = deepcopy(self._engines[True])
                self._engines[as_text].encode_special_tokens = as_text
            return self._engines[as_text]


def _engine(name: str, data: bytes, document: dict[str, Any]) -> Any:
    """The library's tokenizer, without what changes places or lengths."""
    # One text at a time needs no threads, of which a forked process has none.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import tokenizers
    except ImportError:
        raise ModelError(
            f"{name}: needs the tokenizers library; install promptls with the extra hf: "
            "pip install 'promptls[hf]'"
        ) from None
    patterns = list(_patterns(document))
    for pattern in patterns:
        if fault := backtracking_fault(pattern):
            raise ModelError(f"{name}: its split pattern {fault}")
    try:
        engine = tokenizers.Tokenizer.from_buffer(data)
    except BaseException as error:
        if _is_ours(error):
            raise
        raise ModelError(f"{name}: not a tokenizer.json ({error})") from None
    if patterns and (fault := _growth_fault(engine)):
        raise ModelError(f"{name}: its split pattern {fault}")
    # Truncation and padding change counts; post-processors add tokens and trim places.
    engine.no_truncation()
    engine.no_padding()
    engine.post_processor = None
    return engine


def _is_ours(error: BaseException) -> bool:
    """Whether an error isn't the library's: it raises bare Exceptions and, in a panic, worse."""
    return isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError))


def _growth_fault(engine: Any) -> str | None:
    """Why the steps that patterns can be in take too long; None when they are linear."""
    normalize = getattr(engine.normalizer, "normalize_str", str)
    cut = getattr(engine.pre_tokenizer, "pre_tokenize_str", str)
    try:
        return growth_fault(lambda text: (normalize(text), cut(text)), longest=4_000)
    except BaseException as error:
        if _is_ours(error):
            raise
        return "takes too many steps on a short text"


def _unknown_id(model: dict[str, Any]) -> int | None:
    """The id of what the vocabulary doesn't have, in the form of any of the library's models."""
    vocabulary, unknown = model["vocab"], model.get("unk_id")
    # Only Unigram's vocabulary is a list, and only its unknown token is told by its id.
    return vocabulary.get(model.get("unk_token")) if isinstance(vocabulary, dict) else unknown


def _patterns(part: Any) -> Iterator[str]:
    """Every regular expression in a document."""
    stack = [part]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if isinstance(part.get("Regex"), str):
                yield part["Regex"]
            stack.extend(value for key, value in part.items() if key not in ("vocab", "merges"))
        elif isinstance(part, list):
            stack.extend(part)


def _steps(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """A pre-tokenizer, normalizer or decoder as the list of its steps."""
    part = document.get(key) or {}
    nested = [part.get(name) for name in ("pretokenizers", "normalizers", "decoders")]
    return next((steps for steps in nested if steps), [part])


def _is_byte_level(document: dict[str, Any]) -> bool:
    return any(step.get("type") == "ByteLevel" for step in _steps(document, "decoder"))


def _decoder_of(document: dict[str, Any]) -> Any:
    """What turns a token of the vocabulary into bytes."""
    if _is_byte_level(document):
        byte_of = {character: byte for byte, character in byte_characters().items()}

        def from_byte_level(token: str) -> bytes:
            # A token that isn't written in byte characters stands for itself.
            known = all(character in byte_of for character in token)
            return bytes(map(byte_of.__getitem__, token)) if known else token.encode()

        return from_byte_level
    prefix = document.get("model", {}).get("continuing_subword_prefix") or ""

    def from_pieces(token: str) -> bytes:
        return piece_bytes(token.removeprefix(prefix) if prefix else token)

    return from_pieces

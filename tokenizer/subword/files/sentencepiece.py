"""SentencePiece's `.model`, run by the `sentencepiece` library (the extra `spm`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any

from ..encoding import SpecialMode
from ..placed import Placed
from ..special import SpecialTokens
from ..spelling import SPACE_MARK, piece_bytes
from .saved import ModelError

# Field numbers in sentencepiece.proto: SentencePieceText.pieces, and SentencePiece's.
_PIECES, _ID, _BEGIN, _END = 2, 2, 4, 5


class SentencePieceTokenizer:
    """A SentencePiece model as a tokenizer. Its control symbols are the special tokens.

    With `special="control"` each stretch of text between control symbols is encoded by itself.
    """

    def __init__(self, name: str, data: bytes) -> None:
        """`data` is a file's content. Raises `ModelError`, also when the library is missing."""
        self._engine: Any = _engine(name, data)
        self._pieces: dict[int, str] = {
            id: self._engine.id_to_piece(id) for id in range(self._engine.get_piece_size())
        }
        self.special_tokens = {
            p: id for id, p in self._pieces.items() if self._engine.is_control(id)
        }
        self._special = SpecialTokens(self.special_tokens, name)

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """What each id decodes to by itself; a control symbol its name."""
        return {
            id: piece_bytes(piece)
            if self._engine.is_byte(id)
            else piece.replace(SPACE_MARK, " ").encode()
            for id, piece in self._pieces.items()
        }

    def encode(self, text: str, special: SpecialMode) -> list[int]:
        ids: list[int] = []
        for part, id in self._special.parts(text, special):
            # Places cost ten times as much as ids.
            ids += self._engine.encode(part) if id is None else [id]
        return ids

    def place(self, text: str, special: SpecialMode) -> Iterator[Placed]:
        at = 0
        for part, id in self._special.parts(text, special):
            if id is not None:
                yield Placed(id, at, at + len(part))
            elif part:
                for token in self._place(part):
                    yield Placed(token.id, at + token.start, at + token.end)
            at += len(part)

    def decode(self, ids: list[int]) -> str:
        text: str = self._engine.decode(ids)
        return text

    def decode_bytes(self, ids: list[int]) -> bytes:
        return self.decode(ids).encode()

    def _place(self, text: str) -> list[Placed]:
        data = self._engine.encode(text, out_type="serialized_proto")
        starts = list(accumulate((len(character.encode()) for character in text), initial=0))
        placed: list[Placed] = []
        # The library gives a character to the last of its byte tokens; here each of them has it.
        for piece in reversed([dict(_fields(value)) for f, value in _fields(data) if f == _PIECES]):
            id, begin, end = piece.get(_ID, 0), piece.get(_BEGIN, 0), piece.get(_END, 0)
            here = Placed(id, _character(starts, begin), bisect_left(starts, end))
            if here.start == here.end and placed and self._engine.is_byte(id):
                here = here._replace(end=placed[-1].end)
            placed.append(here)
        return placed[::-1]


def _character(starts: list[int], byte: int) -> int:
    """The character that a byte belongs to."""
    at = bisect_left(starts, byte)
    return at if at < len(starts) and starts[at] == byte else at - 1


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer: numbers as integers, everything else as bytes.

    The library gives places only in this form unless protobuf, which is large, is installed too.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
        elif key & 7 == 2:
            length, at = _varint(data, at)
            yield key >> 3, data[at : at + length]
            at += length
        else:
            at += 4 if key & 7 == 5 else 8


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _engine(name: str, model: bytes) -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise ModelError(
            f"{name}: needs the sentencepiece library; install promptls with the extra spm: "
            "pip install 'promptls[spm]'"
        ) from None
    if not model:
        raise ModelError(f"{name}: the file is empty")
    try:
        return sentencepiece.SentencePieceProcessor(model_proto=model)
    except (RuntimeError, OSError, ValueError):
        raise ModelError(f"{name}: not a SentencePiece model") from None

"""How files spell the bytes of tokens: in GPT-2's visible characters, or as SentencePiece does."""

from __future__ import annotations

import re
from functools import cache

SPACE_MARK = "▁"

_BYTE_PIECE = re.compile(r"<0x([0-9A-F]{2})>")


@cache
def gpt2_byte_order() -> tuple[int, ...]:
    """The 256 bytes in the order in which GPT-2 numbers them: printable Latin-1 first."""
    printable = (*range(33, 127), *range(161, 173), *range(174, 256))
    return printable + tuple(byte for byte in range(256) if byte not in printable)


def byte_characters() -> dict[int, str]:
    """The visible character that GPT-2's tables write for each byte.

    >>> "".join(byte_characters()[byte] for byte in " ñ".encode())
    'ĠÃ±'
    """
    order = gpt2_byte_order()
    return {byte: chr(byte) for byte in order[:188]} | {
        byte: chr(256 + index) for index, byte in enumerate(order[188:])
    }


def piece_bytes(piece: str) -> bytes:
    """The bytes of one of SentencePiece's pieces.

    >>> piece_bytes("▁señal"), piece_bytes("<0x0A>")
    (b' se\\xc3\\xb1al', b'\\n')
    """
    if byte := _BYTE_PIECE.fullmatch(piece):
        return bytes([int(byte[1], 16)])
    return piece.replace(SPACE_MARK, " ").encode()

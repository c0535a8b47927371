"""A token of a trained model and where in the text it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple


class Placed(NamedTuple):
    """A token and the characters of the text, counted from 0, that it stands for.

    Several tokens can stand for one character, and a token for none.
    """

    id: int
    start: int
    end: int


def place_bytes(text: str, tokens: Iterable[tuple[int, int]]) -> Iterator[Placed]:
    """Place tokens that follow each other: their ids, and their lengths in bytes of UTF-8."""
    if text.isascii():
        at = 0
        for id, length in tokens:
            yield Placed(id, at, at + length)
            at += length
        return
    # The character that each byte belongs to.
    sizes = [len(character.encode()) for character in text]
    owners = [at for at, size in enumerate(sizes) for _ in range(size)]
    ids, lengths = [], []
    for id, length in tokens:
        ids.append(id)
        lengths.append(length)
    starts = accumulate(lengths, initial=0)
    for id, length, start in zip(ids, lengths, starts, strict=False):
        yield Placed(id, owners[start], owners[start + length - 1] + 1)

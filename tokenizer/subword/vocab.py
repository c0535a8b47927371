"""Vocabularies at rest: the packed tables that come with the package.

A packed table is a zlib stream of: the number of tokens (4 bytes, little-endian), the length of
each token in bytes (one byte a token), and all tokens joined, both in rank order. It is smaller
than base64 text and loads in half the time.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise

from . import data

Ranks = dict[bytes, int]


class VocabularyError(ValueError):
    """A vocabulary file is damaged or not what its name says."""


def load_table(name: str, sha256: str) -> Ranks:
    """The ranks of the packed table `name`: token bytes → rank, in rank order.

    Raises `VocabularyError` when the file in the package is missing or damaged.
    """
    try:
        return unpack(data.read(f"{name}.ranks"), sha256)
    except (OSError, zlib.error, VocabularyError) as error:
        raise VocabularyError(
            f"the vocabulary table {name!r} is damaged ({error}); install promptls again"
        ) from None


def pack(tokens: Sequence[bytes]) -> tuple[bytes, str]:
    """Pack tokens, given in rank order, each 1 to 255 bytes: the table and its SHA-256."""
    count = len(tokens).to_bytes(4, "little")
    plain = count + bytes(map(len, tokens)) + b"".join(tokens)
    return zlib.compress(plain, 9), hashlib.sha256(plain).hexdigest()


def unpack(packed: bytes, sha256: str) -> Ranks:
    """Undo `pack`. Raises `VocabularyError` when the content's SHA-256 is another."""
    plain = zlib.decompress(packed)
    if hashlib.sha256(plain).hexdigest() != sha256:
        raise VocabularyError("its SHA-256 is not the expected one")
    count = int.from_bytes(plain[:4], "little")
    lengths = plain[4 : 4 + count]
    bounds = accumulate(lengths, initial=4 + count)
    return {plain[start:end]: rank for rank, (start, end) in enumerate(pairwise(bounds))}


def with_space_runs(ranks: Ranks) -> Ranks:
    """p50k from r50k: the same ranks, then runs of 2 to 25 spaces at 50257 to 50280."""
    return ranks | {b" " * n: 50255 + n for n in range(2, 26)}

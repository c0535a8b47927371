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

# SHA-256 of each table's unpacked bytes. `scripts/pack_vocab.py` prints them.
TABLES = {
    "r50k": "7ab5f4f1859a7c2b14951e8c720b58d3941be6b7b10e7b002208edda8d9e57cf",
    "cl100k": "79045c4dbf49c4e3b90893afbcbfd80cf94cf2b99256bd84b19ffcace49d9bd2",
    "o200k": "ba55b38e477b631966c2496061ecd7d10108501c7c47358222d9dc27c22f9422",
}


class VocabularyError(ValueError):
    """A vocabulary file is damaged or not what its name says."""


def load_table(name: str) -> Ranks:
    """The ranks of the packed table `name`: token bytes → rank, in rank order.

    Raises `VocabularyError` when the file in the package is missing or damaged.
    """
    try:
        return unpack(data.read(f"{name}.ranks"), TABLES[name])
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

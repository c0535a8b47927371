"""Reading a finished vocabulary backwards: which two tokens each token was merged from.

A `.tiktoken` file has ranks and no merges. But the merge that made a token is what the tokens of
lower rank make of its bytes, which are then two (Karpathy's minbpe describes it; so does
Hugging Face's converter).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..encoding import Encoding

Ranks = Mapping[bytes, int]


def recover_merges(encoding: Encoding | Ranks) -> dict[tuple[int, int], int]:
    """The merges behind an encoding, or behind ranks: (left id, right id) → id, in rank order.

    A token that no two tokens of lower rank make is left out: it was added, not merged.

    >>> recover_merges({b"n": 0, b"i": 1, b"o": 2, b"ni": 3, b"nio": 4})
    {(0, 1): 3, (3, 2): 4}
    """
    ranks = _ranks(encoding)
    merges: dict[tuple[int, int], int] = {}
    for token, rank in sorted(ranks.items(), key=lambda row: row[1]):
        if len(token) > 1 and len(parts := _parts(token, ranks, rank)) == 2:
            merges[ranks[parts[0]], ranks[parts[1]]] = rank
    return merges


def byte_permutation(encoding: Encoding | Ranks) -> dict[int, int]:
    """The id of each single byte. OpenAI's tables have printable bytes first: byte 32 is 220.

    >>> from subword import get_encoding
    >>> byte_permutation(get_encoding("cl100k_base"))[32]
    220
    """
    ranks = _ranks(encoding)
    return {byte: ranks[token] for byte in range(256) if (token := bytes([byte])) in ranks}


def _parts(token: bytes, ranks: Ranks, below: int) -> list[bytes]:
    """What the merges of a rank lower than `below` make of a token."""
    parts = [token[i : i + 1] for i in range(len(token))]
    joined = [ranks.get(token[i : i + 2], below) for i in range(len(token) - 1)]
    while joined:
        lowest = min(joined)
        if lowest >= below:
            break
        at = joined.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del joined[at]
        if at < len(joined):
            joined[at] = ranks.get(parts[at] + parts[at + 1], below)
        if at:
            joined[at - 1] = ranks.get(parts[at - 1] + parts[at], below)
    return parts


def _ranks(encoding: Encoding | Ranks) -> Ranks:
    if isinstance(encoding, Mapping):
        return encoding
    # tiktoken's own `Encoding` has them under another name.
    ranks: Ranks = getattr(encoding, "_mergeable_ranks", None) or encoding.ranks
    return ranks

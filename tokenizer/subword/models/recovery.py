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
    """
    ranks = _ranks(encoding)
    merges: dict[tuple[int, int], int] = {}
    for token, rank in sorted(ranks.items(), key=lambda row: row[1]):
        if len(token) > 1 and len(parts := _parts(token, ranks, rank)) == 2:
            merges[ranks[parts[0]], ranks[parts[1]]] = rank
    return merges


def byte_permutation(encoding: Encoding | Ranks) -> dict[int, int]:
    """The id of each single byte. OpenAI's tables have printable bytes first: byte 32 is 220."""
    ranks = _ranks(encoding)
    return {byte: ranks[token] for byte in range(256) if (token := bytes([byte])) in ranks}


def gpt2_byte_order() -> list[int]:
    """The 256 bytes in the order in which GPT-2 numbers them: printable Latin-1 first."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return printable + [byte for byte in range(256) if byte not in set(printable)]


def byte_characters() -> dict[int, str]:
    """The visible character that GPT-2's tables write for each byte: `Ġ` for a space."""
    order = gpt2_byte_order()
    unprintable = order[188:]
    return {byte: chr(byte) for byte in order[:188]} | {
        byte: chr(256 + index) for index, byte in enumerate(unprintable)
    }


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

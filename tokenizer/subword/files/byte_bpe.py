"""What the files of a byte-level BPE hold, whatever their format."""

from __future__ import annotations

from typing import Any, NamedTuple

from .saved import MAX_ID


class ByteBPE(NamedTuple):
    """A vocabulary, and the pairs of ids that were merged, in order, each with what it became."""

    pattern: str | None
    vocab: dict[int, bytes]
    merges: dict[tuple[int, int], int]
    special_tokens: dict[str, int]


def checked_id(value: Any) -> int:
    """An id in a file. Raises ValueError for one that can't be."""
    id = int(value)
    if not 0 <= id < MAX_ID:
        raise ValueError(f"the id {id} is below 0 or not below {MAX_ID:,}")
    return id

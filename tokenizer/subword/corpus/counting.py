"""Counting a corpus's pre-tokens: what trainers learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ..patterns import UNIVERSAL_CUT
from ..pre_tokenizer import splitter

# Who is told how much of how much is done.
Progress = Callable[[int, int], object]


def count_pieces(texts: str | Iterable[str], pattern: str | None = None) -> dict[str, int]:
    """How often each pre-token occurs in texts, in the order in which they are first seen.

    Memory is bounded by the distinct pre-tokens and the longest text.
    """
    split = splitter(pattern)
    pieces: Counter[str] = Counter()
    for text in [texts] if isinstance(texts, str) else texts:
        pieces.update(split(text))
    return pieces


def cut_stream(blocks: Iterable[str], size: int = 1 << 22) -> Iterator[str]:
    """Regroup a stream of text into texts of about `size` characters that are safe to count apart.

    This holds for the known patterns; for others the whole stream must be one text.
    """
    held = ""
    for block in blocks:
        held += block
        if len(held) < size:
            continue
        cut = max((match.start() for match in UNIVERSAL_CUT.finditer(held)), default=0)
        if cut:
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held

"""What a TokenIndex must say, from tiktoken's encoding of the whole text and nothing of ours."""

from __future__ import annotations

import re
from bisect import bisect_left
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import tiktoken

from subword import Encoding, SpecialMode, Token, TokenIndex, index

if TYPE_CHECKING:
    from collections.abc import Iterator


class Oracle:
    """The tokens of one text, by tiktoken, with the places of their first and last bytes."""

    def __init__(self, encoding: Encoding, text: str, special: SpecialMode) -> None:
        engine: tiktoken.Encoding = encoding._engine  # type: ignore[attr-defined]
        allowed = engine.special_tokens_set if special == "control" else set[str]()
        self.text = text
        self.ids = engine.encode(text, allowed_special=allowed, disallowed_special=())
        tokens = map(engine.decode_single_token_bytes, self.ids)
        self.byte_ends = list(accumulate(map(len, tokens), initial=0))
        # The byte at which each character begins; the second half of a pair begins with the first.
        byte = 0
        self.bytes: list[int] = []
        for match in re.finditer("[\ud800-\udbff][\udc00-\udfff]|.", text, re.DOTALL):
            self.bytes += [byte] * len(match[0])
            byte += len(
                match[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
            )
        self.bytes.append(byte)
        assert self.byte_ends[-1] == byte
        ends = (match.end() for match in re.finditer("\r\n|\r|\n", text))
        self.line_starts = [0, *ends]

    def before(self, character: int) -> int:
        """How many tokens have their first byte before a character."""
        return bisect_left(self.byte_ends, self._byte_after(character), 0, len(self.ids))

    def _byte_after(self, character: int) -> int:
        """Where a character begins; between the halves of a pair, where the pair ends."""
        byte = self.bytes[character]
        if character and self.bytes[character - 1] == byte:
            return self.bytes[character + 1]
        return byte

    def lines(self) -> list[int]:
        firsts = [self.before(start) for start in self.line_starts]
        return [after - first for first, after in pairwise([*firsts, len(self.ids)])]

    def tokens(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Id, first and last byte of the tokens that cover some of those characters."""
        if start >= end:
            return []
        low, high = self.bytes[start], self.bytes[end]
        if end < len(self.bytes) - 1 or start:
            high = max(self._byte_after(end), high)
        rows = zip(self.ids, self.byte_ends, self.byte_ends[1:], strict=False)
        return [(id, first, last) for id, first, last in rows if first < high and last > low]


def places(tokens: list[Token]) -> list[tuple[int, int, int]]:
    return [(token.id, token.byte_start, token.byte_end) for token in tokens]


def check(subject: TokenIndex, text: str) -> Oracle:
    """Compare all that is cheap to compare."""
    oracle = Oracle(subject.encoding, text, subject.special)
    assert subject.total == len(oracle.ids)
    assert subject.line_count == len(oracle.line_starts)
    assert subject.lines(0, subject.line_count) == oracle.lines()
    return oracle


@contextmanager
def leaves_of(size: int) -> Iterator[None]:
    """Leaves of another size, so that a short text has many of them."""
    before = index._LEAF, index._LEAST_LEAF, index._STRETCH
    index._LEAF, index._LEAST_LEAF, index._STRETCH = size, size // 4, 16 * size
    try:
        yield
    finally:
        index._LEAF, index._LEAST_LEAF, index._STRETCH = before

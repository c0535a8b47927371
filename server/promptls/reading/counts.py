"""The count of one message's text: as a whole here, or by a `TokenIndex` while it is edited."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from subword import Encoding, SpecialMode, Token


class TextCount(Protocol):
    """The count of one message's text."""

    @property
    def total(self) -> int:
        """All tokens of the text."""

    def range_tokens(self, start: int, end: int) -> int:
        """How many tokens' first bytes lie in text[start:end], in characters."""

    def tokens(self, start: int, end: int) -> Sequence[Token]:
        """The tokens that cover some of text[start:end], in characters, wholly or in part."""


class WholeCount:
    """The count of a text that doesn't change, encoded once for each thing that is asked of it."""

    def __init__(self, encoding: Encoding, text: str, special: SpecialMode) -> None:
        self._encoding, self._text, self._special = encoding, text, special

    @cached_property
    def total(self) -> int:
        return self._encoding.count(self._text, self._special)

    def range_tokens(self, start: int, end: int) -> int:
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def tokens(self, start: int, end: int) -> Sequence[Token]:
        touching = (t for t in self._tokens if t.start < end and start < t.end)
        return list(touching) if start < end else []

    @cached_property
    def _starts(self) -> Sequence[int]:
        return self._encoding.token_starts(self._text, self._special)

    @cached_property
    def _tokens(self) -> list[Token]:
        return self._encoding.split(self._text, self._special)

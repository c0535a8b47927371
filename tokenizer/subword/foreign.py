"""Encodings that tiktoken's core can't run: what another tokenizer says, in our terms.

A foreign tokenizer may normalize the text, drop whitespace, or put a space before it. So what a
token decodes to need not be what stands in the text; a token's place is always in the text. No
token begins before the one before it, and together they leave nothing out but white space that the
tokenizer drops between two tokens or at the end: what is composed away, such as an accent after its
letter, belongs to the token before, and what is dropped at the beginning to the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from .encoding import SpecialMode, Token, at_given_places, whole_characters
from .placed import Placed
from .surrogates import join_surrogates, pair_offsets


class Tokenizer(Protocol):
    """What is asked of a tokenizer: a library's or one of ours. Each text can be UTF-8."""

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """The ids of the special tokens, by their spelling."""

    @property
    def token_bytes(self) -> Mapping[int, bytes]:
        """What each id decodes to by itself, special tokens included."""

    def place(self, text: str, special: SpecialMode) -> Iterable[Placed]:
        """The tokens of a text where the tokenizer has them. Raises as `Encoding.encode` does."""

    def encode(self, text: str, special: SpecialMode) -> list[int]:
        """The ids of the same tokens."""

    def decode(self, ids: list[int]) -> str:
        """The text of ids, as near as the tokenizer can."""

    def decode_bytes(self, ids: list[int]) -> bytes:
        """The same in UTF-8, or the very bytes where the tokenizer knows them."""


class ForeignEncoding:
    """A tokenizer as an encoding. How it splits is unknown: texts are encoded as a whole."""

    pattern = ""
    pattern_name = None

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.special_tokens = dict(tokenizer.special_tokens)

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    @cached_property
    def special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())

    @property
    def token_bytes(self) -> Mapping[int, bytes]:
        return self.tokenizer.token_bytes

    @property
    def n_vocab(self) -> int:
        return max(self.token_bytes, default=-1) + 1

    @cached_property
    def ranks(self) -> dict[bytes, int]:
        rows = sorted(self.token_bytes.items(), reverse=True)
        return {token: id for id, token in rows if id not in self.special_ids}

    @cached_property
    def token_lengths(self) -> list[int]:
        return [len(self.token_bytes.get(id, b"")) for id in range(self.n_vocab)]

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        return self.tokenizer.encode(join_surrogates(text), special)

    def count(self, text: str, special: SpecialMode = "text") -> int:
        return len(self.encode(text, special))

    def decode(self, ids: Iterable[int]) -> str:
        return self.tokenizer.decode(self._known(ids))

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        return self.tokenizer.decode_bytes(self._known(ids))

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        """The tokens of a text in order. Raises as `encode` does.

        `bytes` and `text` are what the token decodes to, the places where it stands in the text.
        """
        joined = join_surrogates(text)
        placed = _covering(joined, list(self.tokenizer.place(joined, special)))
        return at_given_places(list(self._with_bytes(joined, placed)), pair_offsets(text))

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
        joined = join_surrogates(text)
        starts = _ascending(joined, self.tokenizer.place(joined, special))
        offsets = pair_offsets(text)
        return starts if offsets is None else [offsets[start] for start in starts]

    def _known(self, ids: Iterable[int]) -> list[int]:
        ids = list(ids)
        for id in ids:
            if id not in self.token_bytes:
                raise ValueError(f"{self.name} has no token with the id {id}")
        return ids

    def _with_bytes(self, text: str, placed: Iterable[Placed]) -> Iterator[Token]:
        """Tokens with their places in bytes: finer than characters where several share one.

        The first byte is one of the first character and not before that of the token before.
        """
        data = text.encode()
        byte_at: Sequence[int] = range(len(data) + 1)
        if not text.isascii():
            byte_at = list(accumulate((len(c.encode()) for c in text), initial=0))
        # The byte at which the token before begins, and the one up to which it is spelled out.
        previous = cursor = 0
        for id, start, end in placed:
            token = self.token_bytes[id]
            first, last = byte_at[start], byte_at[end]
            cursor = max(cursor, first)
            in_first_character = cursor < byte_at[min(start + 1, len(text))]
            fits = in_first_character and cursor + len(token) <= last
            if token and fits and data.startswith(token, cursor):
                first, cursor = cursor, cursor + len(token)
                last = cursor
            else:
                first = max(first, previous)
                last = max(first, last)
            previous = first
            yield Token(id, token, whole_characters(token), start, end, first, last)


def _ascending(text: str, placed: Iterable[Placed]) -> list[int]:
    """Where tokens begin: in the text and in order, the first at its beginning."""
    # A mark for the end of a word can stand behind the text.
    last = max(len(text) - 1, 0)
    starts = list(accumulate((min(token.start, last) for token in placed), max))
    return [0, *starts[1:]] if starts else starts


def _covering(text: str, placed: Sequence[Placed]) -> Iterator[Placed]:
    """Tokens in order that leave nothing of the text out but dropped white space."""
    starts = _ascending(text, placed)
    ends = [min(max(t.end, start), len(text)) for t, start in zip(placed, starts, strict=True)]
    spans = zip(starts, ends, [*starts[1:], len(text)], strict=False)
    for at, (start, end, after) in enumerate(spans):
        if end < after and (more := len(text[end:after].rstrip())):
            # The bytes of one character are all extended by what is composed with it.
            for before in range(at, -1, -1):
                if (starts[before], ends[before]) != (start, end):
                    break
                ends[before] = end + more
    return map(Placed, (token.id for token in placed), starts, ends)

"""Encodings that tiktoken's core can't run: what each library says, in our terms.

A foreign tokenizer may normalize the text, drop whitespace, or put a space before it. So what a
token decodes to need not be what stands in the text; a token's place is always in the text. No
token begins before the one before it, and together they leave nothing out but white space that the
tokenizer drops between two tokens or at the end: what is composed away, such as an accent after its
letter, belongs to the token before, and what is dropped at the beginning to the first one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from .encoding import Encoding, SpecialMode, SpecialTokenError, Token, join_surrogates, pair_offsets
from .placed import Placed


class ForeignEncoding(Encoding):
    """An `Encoding` whose split is unknown: texts are only encoded as a whole.

    A subclass says how a text without special tokens is placed, and what bytes an id stands for.
    Where a library finds special tokens itself, `_read` is what it overrides.
    """

    def __init__(self, name: str, special_tokens: Mapping[str, int]) -> None:
        # Not that of `Encoding`, which sets up tiktoken's core.
        self.name = name
        self.pattern = ""
        self.pattern_name = None
        self.special_tokens = dict(special_tokens)

    @abstractmethod
    def _place(self, text: str) -> Iterable[Placed]:
        """The tokens of a text in which special tokens are text. The text can be UTF-8."""

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """What each id decodes to, special tokens included."""
        raise NotImplementedError

    @property
    def n_vocab(self) -> int:
        """One more than the highest id, counting holes."""
        return max(self.token_bytes, default=-1) + 1

    @property
    def ranks(self) -> Mapping[bytes, int]:  # type: ignore[override]
        """The ids of what tokens decode to; of equals, the lowest."""
        special = set(self.special_tokens.values())
        rows = sorted(self.token_bytes.items(), reverse=True)
        return {token: id for id, token in rows if id not in special}

    @cached_property
    def token_lengths(self) -> list[int]:
        """The number of bytes that each id decodes to; 0 for holes."""
        return [len(self.token_bytes.get(id, b"")) for id in range(self.n_vocab)]

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        """The ids of a text. Lone surrogates count as U+FFFD. Raises as `Encoding.encode` does."""
        return [token.id for token in self._read(join_surrogates(text), special)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, as near as the tokenizer can. Raises ValueError for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        """The tokens of a text in order. Raises as `encode` does.

        `bytes` and `text` are what the token decodes to, the places where it stands in the text.
        """
        joined = join_surrogates(text)
        placed = _covering(joined, list(self._read(joined, special)))
        tokens = list(self._with_bytes(joined, placed))
        offsets = pair_offsets(text)
        if offsets is None:
            return tokens
        return [t._replace(start=offsets[t.start], end=offsets[t.end]) for t in tokens]

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
        """For each token of a text, the character at which it begins."""
        joined = join_surrogates(text)
        starts = _ascending(joined, self._read(joined, special))
        offsets = pair_offsets(text)
        return starts if offsets is None else [offsets[start] for start in starts]

    def _read(self, text: str, special: SpecialMode) -> Iterable[Placed]:
        """The tokens of a text, placed as the library has them; each special token by itself."""
        if special == "error":
            self._refuse_special(text)
        at = 0
        for part, id in self._parts(text, special):
            if id is not None:
                yield Placed(id, at, at + len(part))
            elif part:
                for token in self._place(part):
                    yield Placed(token.id, at + token.start, at + token.end)
            at += len(part)

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
            yield Token(id, token, _decoded(token), start, end, first, last)

    def _refuse(self, token: str) -> None:
        raise SpecialTokenError(
            f"the text spells {token}, a special token of {self.name}; "
            'special="text" reads it as text, special="control" as that token'
        )


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


def _decoded(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None

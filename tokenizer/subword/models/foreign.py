"""Encodings that tiktoken's core can't run: what each library says, in our terms.

A foreign tokenizer may normalize the text, drop whitespace, or put a space before it. So what a
token decodes to need not be what stands in the text; a token's place is always in the text.
What is dropped at the beginning of a text belongs to its first token; elsewhere to none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate

from ..encoding import Encoding, SpecialMode, Token, join_surrogates, pair_offsets
from ..train.placed import Placed


class ForeignEncoding(Encoding):
    """An `Encoding` whose split is unknown: texts are only encoded as a whole.

    A subclass says how a text without special tokens is placed, and what bytes an id stands for.
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
        return [token.id for token in self._placed(join_surrogates(text), special)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, as near as the tokenizer can. Raises ValueError for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        """The tokens of a text in order. Raises as `encode` does.

        `bytes` and `text` are what the token decodes to, the places where it stands in the text.
        """
        joined = join_surrogates(text)
        tokens = list(self._with_bytes(joined, self._placed(joined, special)))
        offsets = pair_offsets(text)
        if offsets is None:
            return tokens
        return [t._replace(start=offsets[t.start], end=offsets[t.end]) for t in tokens]

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
        """For each token of a text, the character at which it begins."""
        starts = [token.start for token in self._placed(join_surrogates(text), special)]
        offsets = pair_offsets(text)
        return starts if offsets is None else [offsets[start] for start in starts]

    def _placed(self, text: str, special: SpecialMode) -> Iterator[Placed]:
        """The tokens of a text in order; none begins before the one before it."""
        if special == "error":
            self._refuse_special(text)
        at = 0
        last: int | None = None
        for part, id in self._parts(text, special):
            tokens = self._place(part) if id is None else [Placed(id, 0, len(part))]
            for token in tokens if part else ():
                # A mark for the end of a word can stand behind the text.
                start = min(at + token.start, len(text) - 1)
                last = 0 if last is None else max(last, start)
                yield Placed(token.id, last, max(last, at + token.end))
            at += len(part)

    def _with_bytes(self, text: str, placed: Iterable[Placed]) -> Iterator[Token]:
        """Tokens with their places in bytes: finer than characters where several share one."""
        data = text.encode()
        byte_at = list(accumulate((len(c.encode()) for c in text), initial=0))
        cursor = 0
        for id, start, end in placed:
            token = self.token_bytes[id]
            first, last = byte_at[start], byte_at[end]
            cursor = max(cursor, first)
            if token and cursor + len(token) <= last and data.startswith(token, cursor):
                first, last = cursor, cursor + len(token)
                cursor = last
            yield Token(id, token, _decoded(token), start, end, first, last)


def _decoded(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None

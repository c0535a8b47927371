"""What an encoding is: it encodes, decodes, counts, and splits a text into tokens with places.

`core` has those that are byte-level BPE, on tiktoken's core; `foreign` all others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Literal, NamedTuple, Protocol

# How text that spells a special token is read: as plain text, as that token, or not at all.
SpecialMode = Literal["text", "control", "error"]


class SpecialTokenError(ValueError):
    """The text spells a special token and the caller asked for an error."""


class UncountableError(ValueError):
    """A tokenizer or split pattern of one's own gives up on a text; the message says which."""


class Token(NamedTuple):
    """A token and the place in the text that it covers.

    Several tokens can share one character; then each spans that whole character, and `text` is
    None, since its bytes are not whole characters.
    """

    id: int
    bytes: bytes
    text: str | None
    start: int
    """The first character that the token covers, wholly or in part."""
    end: int
    """The character after the last one that the token covers, wholly or in part."""
    byte_start: int
    byte_end: int


class Encoding(Hashable, Protocol):
    """A vocabulary at work. Lone surrogates in a text count as U+FFFD, and pairs are joined."""

    @property
    def name(self) -> str: ...

    @property
    def pattern(self) -> str:
        """The split pattern, in the syntax of Rust's fancy-regex; empty where there is none."""

    @property
    def pattern_name(self) -> str | None:
        """Its name in `PATTERNS`, by which safe cuts are known; None for any other."""

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """The ids of the special tokens, by their spelling."""

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids of the special tokens."""

    @property
    def n_vocab(self) -> int:
        """One more than the highest id, counting holes, as tiktoken has it."""

    @property
    def ranks(self) -> Mapping[bytes, int]:
        """The ids of what tokens decode to, special ones left out; of equals, the lowest."""

    @property
    def token_bytes(self) -> Mapping[int, bytes]:
        """What each id decodes to, special tokens included; holes are absent."""

    @property
    def token_lengths(self) -> list[int]:
        """The number of bytes that each id decodes to, special tokens included; 0 for holes."""

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        """The ids of a text.

        Raises `SpecialTokenError` with `special="error"` when the text spells a special token,
        and `UncountableError` where a tokenizer or pattern of one's own gives up on the text.

        >>> from subword import get_encoding
        >>> get_encoding("o200k_base").encode("Los niños")
        [16593, 29764]
        """

    def count(self, text: str, special: SpecialMode = "text") -> int:
        """How many tokens a text has. Raises as `encode` does.

        >>> from subword import get_encoding
        >>> cl100k = get_encoding("cl100k_base")
        >>> cl100k.count("<|endoftext|>"), cl100k.count("<|endoftext|>", special="control")
        (7, 1)
        """

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, with U+FFFD for bytes that are not valid UTF-8.

        Raises ValueError for an id that the encoding doesn't have.
        """

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids. Raises ValueError for an id that the encoding doesn't have."""

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        """The tokens of a text in order, with their bytes and places. Raises as `encode` does.

        Characters are those of the text as given; bytes are those of its UTF-8, in which a
        surrogate pair is one character of four bytes and a lone surrogate is U+FFFD.

        >>> from subword import get_encoding
        >>> [(token.bytes, token.start, token.end) for token in get_encoding("gpt2").split("漢")]
        [(b'\\xe6', 0, 1), (b'\\xbc', 0, 1), (b'\\xa2', 0, 1)]
        """

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
        """For each token of a text, the character that its first byte belongs to.

        The same as the `start` of each of `split`'s tokens, in a fifth of the time.
        """


def whole_characters(token: bytes) -> str | None:
    """The text of a token; None where its bytes are not whole characters."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


def at_given_places(tokens: list[Token], offsets: list[int] | None) -> list[Token]:
    """Tokens of a text whose surrogates were joined, placed in the text as given."""
    if offsets is None:
        return tokens
    return [t._replace(start=offsets[t.start], end=offsets[t.end]) for t in tokens]

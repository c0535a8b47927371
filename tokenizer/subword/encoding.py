"""An encoding at work: encode, decode, count, and split into tokens that know where they stand.

tiktoken's Rust core does the encoding. Where it gives up (a run of whitespace so long that its
regex engine reaches its limit) the same algorithm runs here, piece by piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import tiktoken

from .patterns import compile_pattern, cut_into_chunks, pattern_name
from .uniform import encode_uniform

# How text that spells a special token is read: as plain text, as that token, or not at all.
SpecialMode = Literal["text", "control", "error"]

# A run of blanks from this length on, in characters, is encoded as one that repeats itself: the
# core's time for a piece grows faster than the piece.
_LONG = 1 << 16
_LONG_RUNS = tuple(blank * _LONG for blank in " \t\n")

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

# Seconds that a pattern of one's own may take where tiktoken's engine has given up.
_PATIENCE = 10.0


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


class Encoding:
    """A vocabulary, its split pattern and its special tokens, ready to encode.

    `ranks` maps token bytes to ranks (which are the ids); all 256 single bytes must be there.
    `pattern` is a split pattern in the syntax of Rust's fancy-regex.
    """

    def __init__(
        self,
        name: str,
        ranks: Mapping[bytes, int],
        pattern: str,
        special_tokens: Mapping[str, int],
    ) -> None:
        if not all(bytes([byte]) in ranks for byte in range(256)):
            raise ValueError(f"the vocabulary of {name} lacks some of the 256 single bytes")
        self.name = name
        self.pattern = pattern
        self.pattern_name = pattern_name(pattern)
        self.ranks = ranks
        self.special_tokens = dict(special_tokens)
        self._special_set = frozenset(self.special_tokens)
        ranks = ranks if isinstance(ranks, dict) else dict(ranks)
        self._empty: int | None = None
        if self.pattern_name is None:
            self._check_pattern()
            # tiktoken's core fails on an empty piece that is no token; this one is taken out.
            self._empty = max((*ranks.values(), *self.special_tokens.values())) + 1
            ranks = {**ranks, b"": self._empty}
        self._engine = tiktoken.Encoding(
            name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=self.special_tokens
        )

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    @property
    def n_vocab(self) -> int:
        """One more than the highest id, counting holes, as tiktoken has it."""
        return self._engine.n_vocab if self._empty is None else self._empty

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """The ids of the special tokens."""
        return frozenset(self.special_tokens.values())

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        """The bytes of each id, special tokens included; holes are absent."""
        table = {rank: token for token, rank in self.ranks.items()}
        # Of two spellings of one id, the first wins, as in o200k_harmony's 200018.
        table |= {id: text.encode() for text, id in reversed(self.special_tokens.items())}
        return table

    @cached_property
    def token_lengths(self) -> list[int]:
        """The number of bytes of each id, special tokens included; 0 for holes."""
        lengths = [0] * self.n_vocab
        for token, rank in self.ranks.items():
            lengths[rank] = len(token)
        for text, id in reversed(self.special_tokens.items()):
            lengths[id] = len(text.encode())
        return lengths

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        """The ids of a text. Surrogate pairs are joined; a lone surrogate counts as U+FFFD.

        Raises `SpecialTokenError` with `special="error"` when the text spells a special token,
        and `UncountableError` where a split pattern of one's own gives up on the text.
        """
        if special == "error":
            self._refuse_special(text)
        allowed = self._special_set if special == "control" else frozenset[str]()
        try:
            if (allowed and self._specials_overlap) or self._has_long_run(text):
                ids = list(self._encode_in_parts(join_surrogates(text), special))
            else:
                ids = self._engine.encode(text, allowed_special=allowed, disallowed_special=())
        except UncountableError:
            raise
        except ValueError:
            ids = list(self._encode_in_parts(join_surrogates(text), special))
        return ids if self._empty is None else [id for id in ids if id != self._empty]

    def count(self, text: str, special: SpecialMode = "text") -> int:
        """How many tokens a text has. Raises as `encode` does."""
        return len(self.encode(text, special))

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, with U+FFFD for bytes that are not valid UTF-8.

        Raises ValueError for an id that the encoding doesn't have.
        """
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids. Raises ValueError for an id that the encoding doesn't have."""
        try:
            return b"".join(map(self.token_bytes.__getitem__, ids))
        except KeyError as error:
            raise ValueError(f"{self.name} has no token with the id {error.args[0]!r}") from None

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        """The tokens of a text in order, with their bytes and places. Raises as `encode` does.

        Characters are those of the text as given; bytes are those of its UTF-8, in which a
        surrogate pair is one character of four bytes and a lone surrogate is U+FFFD.
        """
        tokens: list[Token] = []
        characters = byte_start = 0
        for id, token in self._encode_with_bytes(text, special):
            start = characters - _begins_inside_character(token)
            characters += len(token.translate(None, _CONTINUATION_BYTES))
            byte_end = byte_start + len(token)
            if id is not None:
                place = start, characters, byte_start, byte_end
                tokens.append(Token(id, token, _decoded(token), *place))
            byte_start = byte_end
        offsets = pair_offsets(text)
        if offsets is None:
            return tokens
        return [t._replace(start=offsets[t.start], end=offsets[t.end]) for t in tokens]

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
        """For each token of a text, the character that its first byte belongs to.

        The same as the `start` of each of `split`'s tokens, in a fifth of the time.
        """
        starts: list[int] = []
        characters = 0
        for id, token in self._encode_with_bytes(text, special):
            if id is not None:
                starts.append(characters - _begins_inside_character(token))
            characters += len(token.translate(None, _CONTINUATION_BYTES))
        offsets = pair_offsets(text)
        return starts if offsets is None else [offsets[start] for start in starts]

    def _encode_with_bytes(
        self, text: str, special: SpecialMode
    ) -> Iterator[tuple[int | None, bytes]]:
        """Each id with the bytes that the text has there, also for an id with two spellings.

        Bytes that a pattern of one's own doesn't match, which tiktoken drops, have no id.
        """
        if special == "error":
            self._refuse_special(text)
        for part, id in self._parts(join_surrogates(text), special):
            if id is not None:
                yield id, part.encode()
                continue
            ids = self.encode(part)
            tokens = self._engine.decode_tokens_bytes(ids)
            if self.pattern_name or sum(map(len, tokens)) == len(part.encode()):
                yield from zip(ids, tokens, strict=True)
            else:
                yield from _with_gaps(ids, tokens, part.encode())

    def _parts(self, text: str, special: SpecialMode) -> Iterator[tuple[str, int | None]]:
        """The text cut at its special tokens; each of these comes with its id."""
        start = 0
        if special == "control" and self.special_tokens:
            for match in self._special_regex.finditer(text):
                yield text[start : match.start()], None
                yield match[0], self.special_tokens[match[0]]
                start = match.end()
        yield text[start:], None

    def _encode_in_parts(self, text: str, special: SpecialMode) -> Iterator[int]:
        """What `encode` does, in parts so small that only the hard ones are done the slow way."""
        for part, id in self._parts(text, special):
            if id is not None:
                yield id
                continue
            chunks = cut_into_chunks(part) if self.pattern_name else [part]
            for chunk in chunks:
                if self._has_long_run(chunk):
                    yield from self._encode_by_piece(chunk)
                    continue
                try:
                    yield from self._engine.encode(chunk, disallowed_special=())
                except ValueError:
                    yield from self._encode_by_piece(chunk)

    def _encode_by_piece(self, text: str) -> Iterator[int]:
        """The algorithm itself: cut into pieces, then merge each piece by rank.

        A pattern of one's own may not be one that `regex` can run like tiktoken's engine, or may
        take it any time; then the text can't be counted.
        """
        try:
            compiled = compile_pattern(self.pattern)
            patience = None if self.pattern_name else _PATIENCE
            for match in compiled.finditer(text, concurrent=False, timeout=patience):
                yield from self._encode_piece(match[0])
        except (ValueError, TimeoutError):
            raise UncountableError(
                f"{self.name}: its split pattern gives up on so long a run of characters"
            ) from None

    def _encode_piece(self, piece: str) -> list[int]:
        if len(piece) >= _LONG and piece.isascii() and not piece.strip(piece[0]):
            ids = encode_uniform(self.ranks, piece[0].encode(), len(piece))
            if ids is not None:
                return ids
        return self._engine._encode_single_piece(piece) if piece else []

    def _has_long_run(self, text: str) -> bool:
        """Whether a text has a very long run of one blank. Short texts are not looked at."""
        is_known = self.pattern_name is not None and len(text) > 2 * _LONG
        return is_known and any(run in text for run in _LONG_RUNS)

    def _refuse_special(self, text: str) -> None:
        if self.special_tokens and (found := self._special_regex.search(text)):
            raise SpecialTokenError(
                f"the text spells {found[0]}, a special token of {self.name}; "
                'special="text" reads it as text, special="control" as that token'
            )

    def _check_pattern(self) -> None:
        """Raise ValueError for a pattern of one's own that can't be counted with.

        tiktoken drops what a pattern doesn't match. Where one matches nothing it panics.
        """
        from .probes import pattern_fault

        if fault := pattern_fault(self.pattern):
            raise ValueError(f"{self.name}: its split pattern {fault}")

    @cached_property
    def _specials_overlap(self) -> bool:
        """Whether a special token begins another; tiktoken then takes either one, by chance."""
        in_order = sorted(self.special_tokens)
        return any(later.startswith(token) for token, later in pairwise(in_order))

    @cached_property
    def _special_regex(self) -> re.Pattern[str]:
        longest_first = sorted(self.special_tokens, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))


def join_surrogates(text: str) -> str:
    """The text as it can be UTF-8: surrogate pairs joined, lone surrogates as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def pair_offsets(text: str) -> list[int] | None:
    """For each character (and the end) of the joined text, where it begins in `text`.

    None when they are the same, that is when `text` has no surrogate pair.
    """
    pairs = [match.start() for match in re.finditer("[\ud800-\udbff][\udc00-\udfff]", text)]
    if not pairs:
        return None
    seconds = {start + 1 for start in pairs}
    return [n for n in range(len(text) + 1) if n not in seconds]


def _with_gaps(
    ids: list[int], tokens: list[bytes], data: bytes
) -> Iterator[tuple[int | None, bytes]]:
    """Tokens, in order, at the first place that each can have, and the bytes between them."""
    at = 0
    for id, token in zip(ids, tokens, strict=True):
        found = data.index(token, at)
        if found > at:
            yield None, data[at:found]
        yield id, token
        at = found + len(token)
    if at < len(data):
        yield None, data[at:]


def _begins_inside_character(token: bytes) -> bool:
    return 0x80 <= token[0] < 0xC0


def _decoded(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None

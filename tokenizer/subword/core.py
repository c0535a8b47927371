"""Byte-level BPE on tiktoken's Rust core.

Where the core gives up (a run of whitespace so long that its regex engine reaches its limit) the
same algorithm runs here, piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import tiktoken

from .encoding import SpecialMode, Token, UncountableError, at_given_places, whole_characters
from .patterns import compile_pattern, cut_into_chunks, pattern_name
from .special import SpecialTokens
from .surrogates import join_surrogates, pair_offsets
from .uniform import encode_uniform

# A run of blanks from this length on, in characters, is encoded as one that repeats itself: the
# core's time for a piece grows faster than the piece.
_LONG = 1 << 16
_LONG_RUNS = tuple(blank * _LONG for blank in " \t\n")

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

# Seconds that a pattern of one's own may take where tiktoken's engine has given up.
_PATIENCE = 10.0


class CoreEncoding:
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
        self._special = SpecialTokens(self.special_tokens, name)
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
        return self._engine.n_vocab if self._empty is None else self._empty

    @cached_property
    def special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())

    @cached_property
    def token_bytes(self) -> dict[int, bytes]:
        table = {rank: token for token, rank in self.ranks.items()}
        # Of two spellings of one id, the first wins, as in o200k_harmony's 200018.
        table |= {id: text.encode() for text, id in reversed(self.special_tokens.items())}
        return table

    @cached_property
    def token_lengths(self) -> list[int]:
        lengths = [0] * self.n_vocab
        for token, rank in self.ranks.items():
            lengths[rank] = len(token)
        for text, id in reversed(self.special_tokens.items()):
            lengths[id] = len(text.encode())
        return lengths

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        if special == "error":
            self._special.refuse(text)
        allowed = self._special_set if special == "control" else frozenset[str]()
        try:
            if (allowed and self._special.overlap) or self._has_long_run(text):
                ids = list(self._encode_in_parts(join_surrogates(text), special))
            else:
                ids = self._engine.encode(text, allowed_special=allowed, disallowed_special=())
        except UncountableError:
            raise
        except ValueError:
            ids = list(self._encode_in_parts(join_surrogates(text), special))
        return ids if self._empty is None else [id for id in ids if id != self._empty]

    def count(self, text: str, special: SpecialMode = "text") -> int:
        return len(self.encode(text, special))

    def decode(self, ids: Iterable[int]) -> str:
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        try:
            return b"".join(map(self.token_bytes.__getitem__, ids))
        except KeyError as error:
            raise ValueError(f"{self.name} has no token with the id {error.args[0]!r}") from None

    def split(self, text: str, special: SpecialMode = "text") -> list[Token]:
        tokens: list[Token] = []
        characters = byte_start = 0
        for id, token in self._encode_with_bytes(text, special):
            start = characters - _begins_inside_character(token)
            characters += len(token.translate(None, _CONTINUATION_BYTES))
            byte_end = byte_start + len(token)
            if id is not None:
                place = start, characters, byte_start, byte_end
                tokens.append(Token(id, token, whole_characters(token), *place))
            byte_start = byte_end
        return at_given_places(tokens, pair_offsets(text))

    def token_starts(self, text: str, special: SpecialMode = "text") -> list[int]:
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
        for part, id in self._special.parts(join_surrogates(text), special):
            if id is not None:
                yield id, part.encode()
                continue
            ids = self.encode(part)
            tokens = self._engine.decode_tokens_bytes(ids)
            if self.pattern_name or sum(map(len, tokens)) == len(part.encode()):
                yield from zip(ids, tokens, strict=True)
            else:
                yield from _with_gaps(ids, tokens, part.encode())

    def _encode_in_parts(self, text: str, special: SpecialMode) -> Iterator[int]:
        """What `encode` does, in parts so small that only the hard ones are done the slow way."""
        for part, id in self._special.parts(text, special):
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

    def _check_pattern(self) -> None:
        """Raise ValueError for a pattern of one's own that can't be counted with.

        tiktoken drops what a pattern doesn't match. Where one matches nothing it panics.
        """
        from .probes import pattern_fault

        if fault := pattern_fault(self.pattern):
            raise ValueError(f"{self.name}: its split pattern {fault}")


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

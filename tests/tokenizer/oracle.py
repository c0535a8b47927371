"""What our engine is held against: tiktoken's own encodings, and the algorithm written slowly.

tiktoken downloads its vocabularies. Here its own constructors (with its own patterns, special
tokens, file readers and pinned hashes) are given the files rebuilt from our packed tables, so a
wrong byte in a table can't be believed: the rebuilt file would not have the pinned hash.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from unittest.mock import patch

import tiktoken
from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS

from subword.encodings import load_table

NAMES = tuple(ENCODING_CONSTRUCTORS)
PATTERN_ENCODINGS = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
SINGLE_BYTES = {bytes([n]): n for n in range(256)}
END_OF_TEXT = {"<|endoftext|>": 50256}


DEFAULT = "o200k_base"


@cache
def encoding(name: str = DEFAULT) -> tiktoken.Encoding:
    """tiktoken's encoding of that name, made by tiktoken."""
    with patch("tiktoken.load.read_file_cached", rebuilt_file):
        return tiktoken.Encoding(**ENCODING_CONSTRUCTORS[name]())


def ids(text: str, name: str = DEFAULT) -> list[int]:
    """The tokens of a text in which special tokens are only text."""
    return encoding(name).encode_ordinary(text)


def count(text: str, name: str = DEFAULT) -> int:
    """How many tokens that are."""
    return len(ids(text, name))


def line_counts(text: str, name: str = DEFAULT) -> dict[int, int]:
    """The tokens of each line that has any, by the line's number from 1.

    A token belongs to the line on which its first byte stands; lines end at LF, CRLF and CR.
    """
    ends = [end.end() for end in re.finditer(b"\r\n|\n|\r", text.encode())]
    tokens = encoding(name).decode_tokens_bytes(ids(text, name))
    starts = accumulate(map(len, tokens[:-1]), initial=0) if tokens else ()
    return dict(Counter(bisect_right(ends, start) + 1 for start in starts))


def rebuilt_file(url: str, expected_hash: str) -> bytes:
    """The file that OpenAI publishes at `url`, rebuilt from a packed table, with its hash."""
    data = _FILES[url.rpartition("/")[2]]()
    assert hashlib.sha256(data).hexdigest() == expected_hash, f"{url} is not what tiktoken pins"
    return data


def _tiktoken_file(tokens: Iterable[bytes], first_rank: int = 0) -> bytes:
    rows = enumerate(tokens, first_rank)
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in rows)


def _p50k_file() -> bytes:
    # Rank 50256 is <|endoftext|>, which a `.tiktoken` file doesn't hold.
    spaces = _tiktoken_file((b" " * n for n in range(2, 26)), first_rank=50257)
    return _tiktoken_file(load_table("r50k")) + spaces


def _gpt2_merges() -> bytes:
    """GPT-2's vocab.bpe: the pair of tokens that each token was merged from."""
    ranks = load_table("r50k")
    pairs = (merge(token, ranks, below=rank) for token, rank in ranks.items() if len(token) > 1)
    lines = (" ".join(map(_data_gym, pair)) for pair in pairs)
    return "\n".join(["#version: 0.2", *lines, ""]).encode()


def _gpt2_vocabulary() -> bytes:
    ids = {_data_gym(token): rank for token, rank in load_table("r50k").items()}
    return json.dumps(ids | END_OF_TEXT).encode()


_FILES = {
    "r50k_base.tiktoken": lambda: _tiktoken_file(load_table("r50k")),
    "p50k_base.tiktoken": _p50k_file,
    "cl100k_base.tiktoken": lambda: _tiktoken_file(load_table("cl100k")),
    "o200k_base.tiktoken": lambda: _tiktoken_file(load_table("o200k")),
    "vocab.bpe": _gpt2_merges,
    "encoder.json": _gpt2_vocabulary,
}


def _data_gym(token: bytes) -> str:
    """Bytes as GPT-2's files write them: unprintable ones as U+0100 and on."""
    return "".join(map(_data_gym_alphabet().__getitem__, token))


@cache
def _data_gym_alphabet() -> dict[int, str]:
    printable = [n for n in range(256) if chr(n).isprintable() and chr(n) != " "]
    others = [n for n in range(256) if n not in printable]
    return {n: chr(n) for n in printable} | {n: chr(256 + i) for i, n in enumerate(others)}


def merge(piece: bytes, ranks: Mapping[bytes, int], below: int | None = None) -> list[bytes]:
    """Byte pair encoding as the papers tell it: merge the lowest rank, leftmost first, again.

    With `below`, only merges of lower ranks are done.
    """
    limit = len(ranks) if below is None else below
    parts = [bytes([byte]) for byte in piece]
    while len(parts) > 1:
        pairs = [(ranks.get(a + b, limit), i) for i, (a, b) in enumerate(pairwise(parts))]
        rank, i = min(pairs)
        if rank >= limit:
            break
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts


def slow_encode(name: str, text: str) -> list[int]:
    """The algorithm in its simplest form; of tiktoken, only the split is used."""
    ranks = encoding(name)._mergeable_ranks
    (text_pieces,) = pieces(encoding(name)._pat_str, [text])
    ids: list[int] = []
    for piece in map(str.encode, text_pieces):
        parts = [piece] if piece in ranks else merge(piece, ranks)
        ids += map(ranks.__getitem__, parts)
    return ids


def pieces(pattern: str, texts: Sequence[str]) -> list[list[str]]:
    """Where tiktoken's regex engine cuts short texts.

    tiktoken doesn't show its pieces, but it looks a whole piece up before it merges. So with a
    vocabulary of all substrings of the texts, each piece comes out as one id.
    """
    substrings = {
        text[start:end].encode()
        for text in texts
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
    }
    ranks = dict(SINGLE_BYTES)
    for substring in substrings:
        ranks.setdefault(substring, len(ranks))
    engine = tiktoken.Encoding("pieces", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    spelled = list(ranks)
    return [[spelled[id].decode() for id in engine.encode_ordinary(text)] for text in texts]


def members(character_class: str) -> str:
    """All characters, in order, that a class has in tiktoken's regex engine."""
    engine = tiktoken.Encoding(
        "class", pat_str=character_class, mergeable_ranks=SINGLE_BYTES, special_tokens={}
    )
    everything = "".join(chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000)
    return bytes(engine.encode_ordinary(everything)).decode()


def with_pairs_joined(text: str) -> str:
    """The text as it can be UTF-8, as a loop: pairs joined, lone surrogates as U+FFFD."""
    out: list[str] = []
    for character in text:
        code = ord(character)
        if 0xDC00 <= code < 0xE000 and out and 0xD800 <= ord(out[-1]) < 0xDC00:
            high = ord(out.pop()) - 0xD800
            out.append(chr(0x10000 + (high << 10) + code - 0xDC00))
        else:
            out.append(character)
    return "".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in out)

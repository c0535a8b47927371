"""tiktoken's `.tiktoken` files and Mistral's Tekken: ranks, and encodings on tiktoken's core."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ..core import CoreEncoding
from ..patterns import PATTERNS
from ..vocab import Ranks
from .saved import MAX_ID, MAX_TOKEN, ModelError, whole


def read_tiktoken(content: bytes, name: str) -> Ranks:
    """The ranks in a `.tiktoken` file: a line for each token, base64 and rank.

    Raises `ModelError` naming the line (from 1) that isn't of that form.

    >>> read_tiktoken(b"IQ== 0\\nw7E= 1\\n", "mine.tiktoken")
    {b'!': 0, b'\\xc3\\xb1': 1}
    """
    ranks: Ranks = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            token, rank = line.split()
            ranks[base64.b64decode(token, validate=True)] = int(rank)
        except ValueError:
            raise ModelError(f"{name}: line {number} is not “base64 rank”") from None
    return ranks


def write_tiktoken(ranks: Mapping[bytes, int]) -> bytes:
    """The `.tiktoken` text of ranks, in rank order, as OpenAI publishes it."""
    rows = sorted(ranks.items(), key=lambda row: row[1])
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in rows)


def looks_like_tiktoken(head: bytes) -> bool:
    """Whether a file begins with a line of base64 and a number."""
    token, _, rank = head.split(b"\n")[0].strip().partition(b" ")
    return rank.isdigit() and token.rstrip(b"=").replace(b"+", b"").replace(b"/", b"").isalnum()


def tiktoken_encoding(
    name: str, content: bytes, pattern: str | None, special_tokens: Mapping[str, int]
) -> CoreEncoding:
    """The encoding in a `.tiktoken` file. Raises `ModelError`, also when no pattern is given."""
    if pattern is None:
        known = ", ".join(PATTERNS)
        raise ModelError(
            f"{name}: a .tiktoken file doesn't say how it splits texts; "
            f"give its pattern: {known}, or a regular expression"
        )
    return core_encoding(name, read_tiktoken(content, name), pattern, special_tokens)


def tekken_encoding(name: str, document: dict[str, Any]) -> CoreEncoding:
    """Mistral's Tekken: ranks after a number of special tokens, and a vocabulary cut to size."""
    with whole(name):
        config = document["config"]
        reserved = int(config["default_num_special_tokens"])
        size = int(config["default_vocab_size"]) - reserved
        ranks = {
            base64.b64decode(row["token_bytes"], validate=True): int(row["rank"]) + reserved
            for row in document["vocab"][:size]
        }
        special = {
            row["token_str"]: int(row["rank"]) for row in document.get("special_tokens") or ()
        }
        pattern = str(config["pattern"])
    return core_encoding(name, ranks, pattern, special)


def core_encoding(
    name: str, ranks: Mapping[bytes, int], pattern: str, special_tokens: Mapping[str, int]
) -> CoreEncoding:
    """An encoding from ranks that nobody vouches for. Raises `ModelError`.

    `pattern` is a name in `PATTERNS`, or in the syntax of Rust's fancy-regex.
    """
    if missing := 256 - sum(bytes([byte]) in ranks for byte in range(256)):
        raise ModelError(f"{name}: {missing} of the 256 single bytes have no rank")
    if len(set(ranks.values())) != len(ranks):
        raise ModelError(f"{name}: two tokens have the same rank")
    if not all(0 <= id < MAX_ID for id in (*ranks.values(), *special_tokens.values())):
        raise ModelError(f"{name}: a rank is below 0 or not below {MAX_ID:,}")
    if max(map(len, ranks)) > MAX_TOKEN:
        raise ModelError(f"{name}: a token has more than {MAX_TOKEN:,} bytes")
    if b"" in ranks or "" in special_tokens:
        raise ModelError(f"{name}: a token is empty")
    try:
        return CoreEncoding(name, ranks, PATTERNS.get(pattern, pattern), special_tokens)
    except ValueError as error:
        raise ModelError(" ".join(str(error).split())) from None

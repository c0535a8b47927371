"""Vocabularies of ranks in tiktoken's Rust core, with one clear error when they don't fit it."""

from __future__ import annotations

from collections.abc import Mapping

from .encoding import Encoding
from .files.saved import MAX_ID, MAX_TOKEN, ModelError


def core_encoding(
    name: str, ranks: Mapping[bytes, int], pattern: str, special_tokens: Mapping[str, int]
) -> Encoding:
    """An `Encoding` from ranks, in the syntax of Rust's fancy-regex. Raises `ModelError`."""
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
        return Encoding(name, ranks, pattern, special_tokens)
    except ValueError as error:
        raise ModelError(" ".join(str(error).split())) from None

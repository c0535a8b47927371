"""What a client should see of a text, worked out slowly and by tiktoken."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, pairwise

from tests.tokenizer import oracle


def units(text: str, encoding: str) -> int:
    """The length of a text in the units of a position encoding."""
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = {"utf-8": "utf-8"}.get(encoding, f"{encoding}-le")
    return len(text.encode(codec, "surrogatepass")) // width


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def tokens(text: str, encoding: str, special: str = "text") -> list[int]:
    """The ids of a text, encoded as a whole."""
    engine = oracle.encoding(encoding)
    allowed = engine.special_tokens_set if special == "control" else set()
    return engine.encode(text, allowed_special=allowed, disallowed_special=())


def count(text: str, encoding: str = "o200k_base") -> int:
    """How many tokens a text has, encoded as a whole."""
    return len(tokens(text, encoding))


def tokens_per_line(text: str, encoding: str, special: str = "text") -> list[int]:
    """Of the whole text: each token counts for the line of its first byte."""
    engine = oracle.encoding(encoding)
    lengths = [len(engine.decode_bytes([id])) for id in tokens(text, encoding, special)]
    starts = list(accumulate(lengths, initial=0))[:-1]
    data = oracle.with_pairs_joined(text).encode()
    line_starts = [0]
    for position, byte in enumerate(data):
        ends = byte == 0x0A or (byte == 0x0D and data[position + 1 : position + 2] != b"\n")
        if ends:
            line_starts.append(position + 1)
    firsts = [bisect_left(starts, start) for start in line_starts] + [len(starts)]
    return [after - first for first, after in pairwise(firsts)]

"""What the numbers on the screen must be: tiktoken's own answers, from the ranks in the package.

tiktoken's definitions of the encodings (patterns, special tokens) are used as they are; only the
download of the ranks is replaced by the packed tables, whose content another test pins.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from unittest import mock

import tiktoken
from tiktoken_ext import openai_public

from subword.encodings import load_table
from subword.vocab import Ranks, with_space_runs

DEFAULT = "o200k_base"


@cache
def encoding(name: str = DEFAULT) -> tiktoken.Encoding:
    """tiktoken's encoding of that name, made without a network."""
    with mock.patch.multiple(
        openai_public,
        load_tiktoken_bpe=packaged_ranks,
        data_gym_to_mergeable_bpe_ranks=lambda **_: load_table("r50k"),
    ):
        return tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())


def packaged_ranks(address: str, expected_hash: str | None = None) -> Ranks:
    name = PurePosixPath(address).stem.removesuffix("_base")
    return with_space_runs(load_table("r50k")) if name == "p50k" else load_table(name)


def count(text: str, name: str = DEFAULT) -> int:
    """The tokens of a text in which special tokens are only text."""
    return len(encoding(name).encode_ordinary(text))


def line_counts(text: str, name: str = DEFAULT) -> dict[int, int]:
    """The tokens of each line that has any, by the line's number from 1.

    A token belongs to the line on which its first byte stands; lines end at LF, CRLF and CR.
    """
    data = text.encode()
    ends = [end.end() for end in re.finditer(b"\r\n|\n|\r", data)]
    counts: dict[int, int] = {}
    line = offset = 0
    for token in encoding(name).decode_tokens_bytes(encoding(name).encode_ordinary(text)):
        while line < len(ends) and ends[line] <= offset:
            line += 1
        counts[line + 1] = counts.get(line + 1, 0) + 1
        offset += len(token)
    return counts

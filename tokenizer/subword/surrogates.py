"""Surrogates in Python's strings: what a text with some of them is in UTF-8, and where."""

from __future__ import annotations

import re


def join_surrogates(text: str) -> str:
    """The text as it can be UTF-8: surrogate pairs joined, lone surrogates as U+FFFD.

    >>> join_surrogates("¡\\ud83d\\ude00! \\ud800")
    '¡😀! �'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def pair_offsets(text: str) -> list[int] | None:
    """For each character (and the end) of the joined text, where it begins in `text`.

    None when they are the same, that is when `text` has no surrogate pair.

    >>> pair_offsets("a\\ud83d\\ude00b")
    [0, 1, 3, 4]
    """
    pairs = [match.start() for match in re.finditer("[\ud800-\udbff][\udc00-\udfff]", text)]
    if not pairs:
        return None
    seconds = {start + 1 for start in pairs}
    return [n for n in range(len(text) + 1) if n not in seconds]

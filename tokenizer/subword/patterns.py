"""The split patterns: what cuts a text into pieces before any merge.

tiktoken's Rust engine runs the pattern as written. `compile_pattern` makes one for Python's
`regex` that cuts at the same places: the classes are spelled out as the ranges that tiktoken's
engine uses (Unicode 16, `data/unicode.json`), because `regex` knows another Unicode version and
would classify 17,560 code points differently. Always match with `concurrent=False`: otherwise
`regex` gives up the GIL at each match, and one busy thread makes a search 700 times slower.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from . import data

if TYPE_CHECKING:
    import regex

# The pattern of each encoding, as tiktoken 0.14 has it in tiktoken_ext/openai_public.py.
PATTERNS = {
    "gpt2": (
        r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
    ),
    "cl100k": (
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"""
        r"""| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
    ),
    "o200k": (
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*"""
        r"""[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
        r"""|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"""
        r"""[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"""
        r"""|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
    ),
}

# What `\s` means to tiktoken's engine: these 25 characters. `str.isspace` and `re` add
# U+001C to U+001F, which are not whitespace here.
SPACES_BUT_LINE_ENDS = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WHITESPACE = r"\r\n" + SPACES_BUT_LINE_ENDS

# Between a character that isn't whitespace and whitespace that isn't a line end, each shipped
# pattern ends a piece: no alternative continues over whitespace other than CR and LF, and none
# looks behind. So the text before the position and the text after it can be encoded apart.
UNIVERSAL_CUT = re.compile(f"(?<=[^{WHITESPACE}])(?=[{SPACES_BUT_LINE_ENDS}])")


# A text of every kind of character that patterns tell apart.
SAMPLE = "aB1 漢é\u0301'll  \t\r\n\n😀\u200d·ー٣_/"


def pattern_name(pattern: str) -> str | None:
    """The name under which `PATTERNS` has this pattern, or None for a foreign one."""
    return next((name for name, known in PATTERNS.items() if known == pattern), None)


def cut_into_chunks(text: str, size: int = 1 << 16) -> Iterator[str]:
    """Cut a text at universal cuts into chunks of `size` characters or the next cut after."""
    start = 0
    while start < len(text):
        cut = UNIVERSAL_CUT.search(text, start + size)
        end = cut.start() if cut else len(text)
        yield text[start:end]
        start = end


def covers_sample(compiled: regex.Pattern[str]) -> bool:
    """Whether a pattern cuts `SAMPLE` into pieces that lose none of it, and none of them empty."""
    pieces = [match[0] for match in compiled.finditer(SAMPLE, concurrent=False)]
    return all(pieces) and "".join(pieces) == SAMPLE


@cache
def compile_pattern(pattern: str) -> regex.Pattern[str]:
    """A pattern (a name in `PATTERNS`, or one's own) for `regex`, with its classes pinned.

    Raises ValueError for a pattern that doesn't compile or that names a class with no pinned
    ranges.
    """
    import regex

    try:
        return regex.compile(pin_classes(PATTERNS.get(pattern, pattern)), regex.V1)
    except regex.error as error:
        raise ValueError(f"the split pattern is not a regular expression: {error}") from None


def pin_classes(pattern: str) -> str:
    r"""Replace the classes in a pattern by the ranges of tiktoken's engine, and `$` by `\Z`.

    Raises ValueError for what has no pinned ranges: a class that isn't in `data/unicode.json`, a
    negated class inside a set, and `\w`, `\b` and their like.
    """
    # The usual way to write any character.
    pattern = pattern.replace(r"[\s\S]", "(?s:.)")
    out: list[str] = []
    in_set = False
    for part in re.findall(r"\\[pP]\{\^?\w+\}|\\[pP]\w|\\.|\[:|.", pattern, re.DOTALL):
        if part[:2] in (r"\s", r"\S", r"\p", r"\P"):
            ranges = _ranges(part)
            negated = part[1] in "SP"
            if in_set and negated:
                raise ValueError(f"the split pattern has {part} inside a set; write it outside")
            out.append(ranges if in_set else f"[{'^' if negated else ''}{ranges}]")
            continue
        if part[:2] in (r"\w", r"\W", r"\b", r"\B", r"\d", r"\D") or (in_set and part == "[:"):
            raise ValueError(f"the split pattern has {part}, which differs between engines")
        # Python's `$` also matches before a line end that ends the text; Rust's does not.
        part = r"\Z" if part == "$" and not in_set else part
        # `&&`, `--` and nested sets are not used by any published split pattern.
        in_set = part in ("[", "[:") or (in_set and part != "]")
        out.append(part)
    return "".join(out)


def _ranges(escape: str) -> str:
    """The inside of a character set for one class escape."""
    if escape[1] in "sS":
        return WHITESPACE
    name = escape[2:].strip("{}")
    members = ("Lu", "Ll", "Lt", "Lm", "Lo") if name == "L" else (name,)
    classes = _unicode_classes()
    if not all(member in classes for member in members):
        known = ", ".join(["L", *classes])
        raise ValueError(f"the split pattern has {escape}; only {known} are pinned")
    return "".join(
        rf"\U{first:08x}-\U{last:08x}" for member in members for first, last in classes[member]
    )


@cache
def _unicode_classes() -> dict[str, list[tuple[int, int]]]:
    """The ranges of each class, inclusive; the file says which tiktoken they were asked of."""
    text = data.read("unicode.json")
    classes: dict[str, list[tuple[int, int]]] = json.loads(text)["classes"]
    return classes

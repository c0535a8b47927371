"""Splitting texts into pre-tokens, fast and the same on every Unicode version.

A split pattern sees classes and not characters. So a text is drawn in outline: each character is
replaced by one that stands for its class, by the pinned ranges of tiktoken's engine. The outline
has the length of the text and splits at the same places, by a pattern over Latin-1, which
Python's own `re` runs many times as fast as one over Unicode's ranges. ASCII is its own outline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain

from .patterns import PATTERNS, _unicode_classes, compile_pattern, covers_sample
from .surrogates import join_surrogates

Split = Callable[[str], list[str]]

# A foreign split pattern may take this long on one text before it counts as out of hand.
PATTERN_SECONDS = 30.0

# In an outline ASCII stands for itself and these two for letters without case and for marks. All
# that the patterns tell apart is: upper and lower case, letters that are both, marks, numbers,
# the space, line ends, other whitespace, and the rest.
_CASELESS, _MARK = "\xaa", "\xb0"
_STANDS_FOR = {
    "Lu": "A", "Lt": "A", "Ll": "a", "Lm": _CASELESS, "Lo": _CASELESS, "M": _MARK, "N": "0",
}  # fmt: skip
_OUTLINE_CLASSES = {
    r"\p{L}": f"A-Za-z{_CASELESS}", r"\p{Lu}": "A-Z", r"\p{Lt}": "", r"\p{Ll}": "a-z",
    r"\p{Lm}": "", r"\p{Lo}": _CASELESS, r"\p{M}": _MARK, r"\p{N}": "0-9", r"\s": r"\t-\r ",
}  # fmt: skip
_SOLID = r"[^\t-\r ]"


def splitter(pattern: str | None) -> Split:
    """What splits a text into pre-tokens: a known pattern by name, one's own, or None for none.

    The pieces joined are the text. Raises ValueError for a pattern that doesn't compile or that
    leaves text out.
    """
    if pattern is None:
        return _whole
    if pattern in PATTERNS:
        return partial(_split_by_outline, pattern)
    try:
        compiled = compile_pattern(pattern)
    except RecursionError:
        raise ValueError("the split pattern is nested too deeply") from None
    if not covers_sample(compiled):
        raise ValueError(
            "the split pattern does not match every text: each character must be in a match, and "
            "no match may be empty"
        )
    return partial(_split_by_regex, pattern)


def _whole(text: str) -> list[str]:
    return [text] if text else []


def _split_by_outline(pattern: str, text: str) -> list[str]:
    outline_pattern = _compiled_outline(pattern)
    if text.isascii():
        return outline_pattern.findall(text)
    text = join_surrogates(text)
    spans = (match.span() for match in outline_pattern.finditer(_outline(text, pattern)))
    return [text[start:end] for start, end in spans]


def find_pieces(pattern: str, text: str) -> Iterator[tuple[int, str]]:
    """What one's own pattern matches in a text, with the character at which each match begins.

    Raises ValueError when that takes longer than `PATTERN_SECONDS`.
    """
    compiled = compile_pattern(pattern)
    try:
        for match in compiled.finditer(text, concurrent=False, timeout=PATTERN_SECONDS):
            if match[0]:
                yield match.start(), match[0]
    except TimeoutError:
        raise ValueError(
            f"the split pattern {pattern!r} took more than {PATTERN_SECONDS:.0f} s on a text of "
            f"{len(text):,} characters; write one that doesn't backtrack as much"
        ) from None


def _split_by_regex(pattern: str, text: str) -> list[str]:
    return [piece for _, piece in find_pieces(pattern, join_surrogates(text))]


@cache
def _compiled_outline(pattern: str) -> re.Pattern[str]:
    r"""The split pattern over outlines, for `re`.

    Possessive quantifiers become plain ones, which `re` of Python 3.10 needs; in these patterns
    nothing that follows could match what is given back.
    """
    plain = re.sub(r"([+*?]|\{[\d,]+\})\+", r"\1", PATTERNS[pattern])
    out: list[str] = []
    in_set = False
    for part in re.findall(r"\\p\{\w+\}|\\.|.", plain, re.DOTALL):
        if part in _OUTLINE_CLASSES:
            out.append(_OUTLINE_CLASSES[part] if in_set else f"[{_OUTLINE_CLASSES[part]}]")
            continue
        in_set = part == "[" or (in_set and part != "]")
        out.append(_SOLID if part == r"\S" else part)
    return re.compile("".join(out))


def _outline(text: str, pattern: str) -> str:
    return text.translate(_outline_table(pattern))


class _OutlineTable(dict[int, str]):
    """Code point → what stands for it; whatever has no class counts as punctuation."""

    def __missing__(self, code_point: int) -> str:
        return "!"


@cache
def _outline_table(pattern: str) -> _OutlineTable:
    table = _OutlineTable({code: chr(code) for code in range(128)})
    for name, stand_in in _STANDS_FOR.items():
        for first, last in _unicode_classes()[name]:
            table.update(dict.fromkeys(range(max(first, 128), last + 1), stand_in))
    spaces = chain(
        (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000), range(0x2000, 0x200B)
    )
    table.update(dict.fromkeys(spaces, "\t"))
    # Where contractions ignore case, U+017F counts as an s, its upper case being S.
    if pattern != "gpt2":
        table[0x17F] = "s"
    return table

r"""Words should be divided by ordinary spaces.

## What it does
Reports no-break spaces, typographic spaces and ideographic spaces where an ordinary space is
meant: between two words of plain ASCII text, next to another space, or at a line's edge.

What is typography stays: no-break spaces beside numbers, placeholders and punctuation, as French
and other languages write them, those between words where letters beyond ASCII are near, and U+3000
in Chinese, Japanese and Korean text.

## Why it matters
They look like a space and are other tokens, usually more. Mostly they were pasted from a web
page or a word processor. `a b` is 2 tokens in `o200k_base`, `a\u00a0b` is 3 tokens in `o200k_base`.

## Example
`Answer\u00a0in one word.`

## Use instead
`Answer in one word.`

## Fix
Writes an ordinary space for each.

## References
- Unicode Standard, chapter 6, Space Characters
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from .characters import CJK, described
from .context import Context, Rule
from .writing import Change

_UNUSUAL = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_RUN = re.compile(f"[ {_UNUSUAL}]*[{_UNUSUAL}][ {_UNUSUAL}]*")
_CJK = re.compile(f"(?!\u3000)[{CJK}]")
_LETTER_BEYOND_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")
# A number is filled in here, and a space before its unit may well be a no-break space.
_FORMAT = re.compile(r"%(?:\(\w+\))?[sdif]\Z")

# How far a letter beyond ASCII says that the text is in a language with a typography of its own.
_REACH = 1000


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        cjk = _CJK.search(message.text) is not None
        for match in context.search(_RUN, message.text):
            if context.has_gap(message, *match.span()) or not (
                _is_misplaced(message.text, match, cjk)
            ):
                continue
            kinds = list(dict.fromkeys(described(c) for c in match[0] if c != " "))
            stand = "stands" if len(kinds) == 1 else "stand"
            changes = [
                Change(match.start() + i, match.start() + i + 1, " ")
                for i, character in enumerate(match[0])
                if character != " "
            ]
            yield context.finding(
                RULE,
                f"{', '.join(kinds[:3])} {stand} where an ordinary space is meant",
                message.file_span(*match.span()),
                context.fix(message, "Write ordinary spaces", *changes),
            )


def _is_misplaced(text: str, match: re.Match[str], cjk: bool) -> bool:
    """Whether an ordinary space is meant."""
    start, end = match.span()
    if "\u3000" in match[0] and cjk:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    if len(match[0]) > 1 or before in ("", "\n", "\r") or after in ("", "\n", "\r"):
        return True
    if not (_is_ascii_letter(before) and _is_ascii_letter(after)):
        return False
    if _FORMAT.search(text, max(start - 64, 0), start):
        return False
    return not _LETTER_BEYOND_ASCII.search(text, max(start - _REACH, 0), end + _REACH)


def _is_ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()


RULE = Rule("unusual-space", Severity.INFO, check)

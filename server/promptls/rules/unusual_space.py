r"""Words should be divided by ordinary spaces.

## What it does
Reports no-break spaces, typographic spaces and ideographic spaces where an ordinary space is
meant: between two words of a line of plain ASCII, next to another space, or at a line's edge.

What is typography stays: no-break spaces beside numbers, units and punctuation, as French and
other languages write them, any of them on a line that has letters beyond ASCII, and U+3000 in
Chinese, Japanese and Korean text.

## Why it matters
They look like a space and are other tokens, which a model has seen far less often in that place.
Mostly they were pasted from a web page or a word processor. `a b` is 2 tokens in `o200k_base`,
`a\u00a0b` is 3 tokens in `o200k_base`.

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
from ..prompt import Message
from .characters import CJK, described
from .context import Change, Context, Rule

_UNUSUAL = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_RUN = re.compile(f"[ {_UNUSUAL}]*[{_UNUSUAL}][ {_UNUSUAL}]*")
_CJK = re.compile(f"[{CJK}]")
_LETTER_BEYOND_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")
# A number is filled in here, and a space before its unit may well be a no-break space.
_FORMAT = re.compile(r"%(?:\(\w+\))?[sdif]\Z")
_REACH = 200


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        cjk = _CJK.search(message.text) is not None
        for match in context.search(_RUN, message.text):
            if context.has_gap(message, *match.span()) or not _is_misplaced(message, match, cjk):
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


def _is_misplaced(message: Message, match: re.Match[str], cjk: bool) -> bool:
    text, (start, end) = message.text, match.span()
    if "\u3000" in match[0] and cjk:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    if len(match[0]) > 1 or before in ("", "\n", "\r") or after in ("", "\n", "\r"):
        return True
    if not (_is_ascii_letter(before) and _is_ascii_letter(after)):
        return False
    if _FORMAT.search(text, max(start - _REACH, 0), start):
        return False
    line_start = max(text.rfind("\n", max(start - _REACH, 0), start) + 1, start - _REACH, 0)
    line_end = text.find("\n", end, end + _REACH)
    line = text[line_start : line_end if line_end >= 0 else end + _REACH]
    return not _LETTER_BEYOND_ASCII.search(line)


def _is_ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()


RULE = Rule("unusual-space", Severity.INFO, check)

r"""Words should be divided by ordinary spaces.

## What it does
Reports no-break spaces, typographic spaces and ideographic spaces where an ordinary space is
meant: between two words of plain ASCII text, next to another space, or at a line's edge. The blank
of Braille, which programs don't trim, is reported wherever no Braille is.

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

## Known limits
The language is guessed by the letters within 1,000 characters, not by the words.

## References
- Unicode Standard, chapter 6, Space Characters
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.characters import CJK, described
from ..lint.context import Context, Rule
from ..text import Edit

_UNUSUAL = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
_BRAILLE = re.compile("[\u2801-\u28ff]")
_RUN = re.compile(f"[{_UNUSUAL}][ {_UNUSUAL}]*")
_CJK = re.compile(f"(?!\u3000)[{CJK}]")
_LETTER_BEYOND_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")
# A number is filled in here, and a space before its unit may well be a no-break space.
_FORMAT = re.compile(r"%(?:\(\w+\))?[sdif]\Z")

# How far a letter beyond ASCII says that the text is in a language with a typography of its own.
_NEAR = 1000


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        cjk = _CJK.search(message.text) is not None
        letters = [match.start() for match in _LETTER_BEYOND_ASCII.finditer(message.text)]
        end = 0
        for match in context.search(_RUN, message.text):
            # The ordinary spaces before it are of the run, too.
            start = end + len(message.text[end : match.start()].rstrip(" "))
            end = match.end()
            if context.has_gap(message, start, end) or not (
                _is_misplaced(message.text, start, end, cjk, letters)
            ):
                continue
            unusual = [i for i in range(start, end) if message.text[i] != " "]
            kinds = list(dict.fromkeys(described(message.text[i]) for i in unusual))
            stand = "stands" if len(kinds) == 1 else "stand"
            changes = [Edit(i, i + 1, " ") for i in unusual]
            yield context.report(
                f"{', '.join(kinds[:3])} {stand} where an ordinary space is meant",
                message.file_span(start, end),
                context.fix(message, "Write ordinary spaces", *changes),
                subject=", ".join(kinds),
            )


RULE = Rule(check, "characters", Severity.INFO, fix="safe", since="0.1.0")


def _is_misplaced(text: str, start: int, end: int, cjk: bool, letters: list[int]) -> bool:
    """Whether an ordinary space is meant. `letters` is where letters beyond ASCII stand."""
    if cjk and text.find("\u3000", start, end) >= 0:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    if text.find("\u2800", start, end) >= 0:
        return not _BRAILLE.search(text)
    if end - start > 1 or before in ("", "\n", "\r") or after in ("", "\n", "\r"):
        return True
    if not (_is_ascii_letter(before) and _is_ascii_letter(after)):
        return False
    if _FORMAT.search(text, max(start - 64, 0), start):
        return False
    return bisect_left(letters, start - _NEAR) == bisect_left(letters, end + _NEAR)


def _is_ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()

r"""Text should be decoded once.

## What it does
Reports characters that are the bytes of another character: UTF-8 that was read as Windows-1252 (or
Latin-1), Windows-1250, Windows-1251, Mac Roman, code page 437 or GBK. Only what can be turned back
is reported: encoded as it was read, the characters are valid UTF-8 again, and stand where no
spelling puts them. In code spans nothing is reported.

## Why it matters
The model is given noise for each letter, quotation mark and emoji beyond ASCII, at several times
the price. Mostly a file was converted twice, or a program read UTF-8 as the system's old encoding.

## Example
`It\u00e2\u20ac\u2122s a caf\u00c3\u00a9.`

## Use instead
`It’s a café.`

## Fix
Writes the characters that the bytes stand for. It is unsafe, because a model reads another text.

## Known limits
Other wrong encodings than these are not looked for, and where the letters could be meant as they
stand nothing is reported. Where prompts are about encodings, turn the rule off.

## References
- ftfy, `badness.py`: which sequences are no spelling in any language
- Unicode Standard, chapter 3.9, table 3-7: well-formed UTF-8
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from ..findings import Finding, Severity
from ..lint.characters import touches
from ..lint.context import Context, Rule
from ..text import Edit


class _Misreading(NamedTuple):
    """A way in which UTF-8 is read wrongly."""

    name: str
    to_byte: dict[str, int]
    pattern: re.Pattern[str]


def _misreading(name: str, codec: str, pattern: str) -> _Misreading:
    """`%s` in the pattern is a set of the characters that bytes 0x80 to 0xBF are read as."""
    to_byte = dict[str, int]()
    for byte in range(0x80, 0x100):
        # A byte without a character stands for itself, as on the web.
        to_byte[bytes([byte]).decode(codec, "ignore") or chr(byte)] = byte
    if codec == "cp1252":
        to_byte |= {chr(byte): byte for byte in range(0x80, 0xA0)}
    following = re.escape("".join(c for c, byte in to_byte.items() if byte < 0xC0))
    return _Misreading(name, to_byte, re.compile(pattern.replace("%s", f"[{following}]")))


# Letters of Western Europe begin two, three and four bytes; elsewhere only what is unmistakable is
# looked for: General Punctuation (E2 80), and several letters in a row.
_MISREADINGS = (
    _misreading("Windows-1252", "cp1252", "(?:[Â-ÖØ-ß]%s|[à-ï]%s%s|ð%s%s%s)+"),
    _misreading("Windows-1250", "cp1250", "(?:[ĂÄĹ]%s|â€%s)+"),
    _misreading("Windows-1251", "cp1251", "(?:[РС]%s){3,}|(?:вЂ%s)+"),
    _misreading("code page 437", "cp437", "(?:ΓÇ%s)+"),
    _misreading("Mac Roman", "mac_roman", "(?:‚Ä%s)+"),
)
_GBK = re.compile("锟斤拷|鈥[\u4e00-\u9fff]")

# What may follow a letter in any language: it closes a quotation or a word, or is a note's mark.
_MAY_FOLLOW = frozenset("’”“»›…–—™®©°·•†‡¹²³ªº±µ½¼¾\u00a0")
_CODE_SPAN = re.compile(r"`[^`\r\n]+`")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        text = message.text
        if text.isascii():
            continue
        shown = [match.span() for match in context.search(_CODE_SPAN, text, 1024)]
        for start, end, decoded, name in _found(context, text):
            if touches(shown, start, end):
                continue
            # What was lost before that can't be written.
            changes = [] if "\ufffd" in decoded else [Edit(start, end, decoded)]
            was = decoded if len(decoded) <= 20 else f"{decoded[:19]}…"
            yield context.report(
                f'This is "{was}", whose UTF-8 was read as {name}',
                message.file_span(start, end),
                context.fix(message, f"Write {was}", *changes),
                subject=name,
            )


RULE = Rule(check, "characters", Severity.WARNING, fix="unsafe", since="0.1.0")


class _Misread(NamedTuple):
    start: int
    end: int
    decoded: str
    """What it is."""
    name: str
    """As what it was read."""


def misread_spans(context: Context, text: str) -> list[tuple[int, int]]:
    """Where something misread stands, in code spans too, in ascending order."""
    return [each[:2] for each in _found(context, text)]


def _found(context: Context, text: str) -> list[_Misread]:
    """All that is misread, in ascending order; of two that overlap, the first."""
    found = sorted(_misread(context, text), key=lambda each: (each.start, -each.end))
    ends = [0, *accumulate((each.end for each in found), max)]
    return [each for each, end in zip(found, ends, strict=False) if end <= each.start]


def _misread(context: Context, text: str) -> Iterator[_Misread]:
    for misreading in _MISREADINGS:
        for match in context.search(misreading.pattern, text):
            decoded = _decoded(misreading, match[0])
            if decoded and _is_no_spelling(misreading, text, *match.span()):
                again = _decoded(_MISREADINGS[0], decoded) if len(decoded) > 1 else ""
                yield _Misread(*match.span(), again or decoded, misreading.name)
    for match in context.search(_GBK, text):
        decoded = "\ufffd" if match[0] == "锟斤拷" else _utf8(match[0].encode("gbk", "ignore"))
        if decoded:
            yield _Misread(*match.span(), decoded, "GBK")


def _decoded(misreading: _Misreading, text: str) -> str:
    """What the text was before it was misread; "" if it was not."""
    if not misreading.pattern.fullmatch(text):
        return ""
    return _utf8(bytes(misreading.to_byte[character] for character in text))


def _utf8(data: bytes) -> str:
    """What UTF-8 stands for; "" if it is ill-formed, or for a control or no character."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    kinds = {unicodedata.category(character) for character in text}
    return "" if kinds & {"Cc", "Cn", "Co", "Cs"} else text


def _is_no_spelling(misreading: _Misreading, text: str, start: int, end: int) -> bool:
    """Whether no language writes this: several in a row, or one where it can't stand."""
    if sum(misreading.to_byte[character] >= 0xC0 for character in text[start:end]) > 1:
        return True
    lead, following = text[start], text[start + 1 : end]
    before, after = text[start - 1 : start], text[end : end + 1]
    # A capital within a word.
    within = lead.isupper() and before.islower()
    if not _MAY_FOLLOW.issuperset(following):
        if len(following) > 1 or lead in "ÂÃ":
            return True
        return within or (not following.isalpha() and (before + after).isalpha())
    if len(following) > 1:
        # Arrows and boxes, whose second byte is a dagger or a bullet: no note's mark is quoted.
        return lead == "â" and following[0] in "†•"
    if within or (lead.isupper() and before.isalpha() and after.isalpha()):
        return True
    is_quoted = before in {"«", "»", "“", "„", "‘", "("}
    alone = not before.isalpha() and not is_quoted and following in "©®™»«\u00a0"
    return lead in "ÂÃ" and (before.isdigit() or after.isalpha() or alone)

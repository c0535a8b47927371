r"""Letters and their marks should be one character where Unicode has one.

## What it does
Reports lines on which letters and marks are written apart (`e` and U+0301) although Unicode has
the two as one character (`é`), with what that costs under the active encoding. Where it costs less
it is left alone, and so are other differences from NFC, such as the order of marks in Arabic.

## Why it matters
Both forms look the same and are other tokens, and the one written apart mostly costs more:
`Việt Nam` is 3 tokens in `o200k_base`, `Vie\u0323\u0302t Nam` is 5 tokens in `o200k_base`.

## Example
`Vie\u0323\u0302t Nam`

## Use instead
`Việt Nam`

## Fix
Composes the characters (Unicode normalization form NFC). Nothing else on the line changes.

## Known limits
More than 30 marks on one letter are no writing, and are not looked at.

## References
- Unicode Standard Annex #15, Unicode Normalization Forms
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from subword.wording import amount

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..text import Edit

# Every character that is the second half of a composition, except the vowels and final consonants
# of Hangul.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0653-\u0655\u093c\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56"
    "\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dca\u0dcf\u0ddf\u102e\u1b35\u3099\u309a\U000110ba\U00011127"
    "\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
)
# More on one letter are no writing (UAX #15, Stream-Safe Text Format), and putting them in order
# takes quadratic time.
_MOST_MARKS = 30
_APART = re.compile(
    f"[^{_MARKS}\\s][{_MARKS}]{{1,{_MOST_MARKS}}}(?![{_MARKS}])"
    "|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]"
)
_REST_OF_LINE = re.compile("[^\x00-\x7f][^\n]*")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if unicodedata.is_normalized("NFC", message.text):
            continue
        at = 0
        for rest in context.search(_REST_OF_LINE, message.text):
            start = max(message.text.rfind("\n", at, rest.start()) + 1, at)
            at = rest.end()
            line = message.text[start:at]
            changes = [
                change
                for change in _compositions(line, start)
                if not context.has_gap(message, change.start + 1, change.end - 1)
            ]
            saved = _saving(context, line, start, changes) if changes else -1
            if saved < 0:
                continue
            fixes = context.fix(message, "Compose the characters (NFC)", *changes)
            span = message.file_span(changes[0].start, changes[-1].end)
            yield context.report(_problem(len(changes), saved), span, fixes)


RULE = Rule(check, "characters", Severity.INFO, fix="safe", options=("encoding",), since="0.1.0")


def _compositions(line: str, start: int) -> list[Edit]:
    """What composing does to a line that begins at `start`: only what makes it shorter."""
    if unicodedata.is_normalized("NFC", line):
        return []
    return [
        Edit(start + match.start(), start + match.end(), composed)
        for match in _APART.finditer(line)
        if len(composed := unicodedata.normalize("NFC", match[0])) < len(match[0])
    ]


def _saving(context: Context, line: str, start: int, changes: list[Edit]) -> int:
    """Counted within the line, so that many lines take no longer than one of their length."""
    return context.saving(line, *(Edit(a - start, b - start, new) for a, b, new in changes))


def _problem(count: int, saved: int) -> str:
    what = f"{count:,} characters are" if count > 1 else "A character is"
    cost = f"; the cost is {amount(saved, 'token')}" if saved else ""
    return f"{what} written as letter and mark apart (not NFC){cost}"

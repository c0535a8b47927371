r"""Lines should end in line ends that every program knows.

## What it does
Reports U+2028 LINE SEPARATOR, U+2029 PARAGRAPH SEPARATOR and U+0085 NEXT LINE.

## Why it matters
Some programs begin a new line there and others don't, so line numbers, Markdown and templates
differ between them, and a model is given a token or more that it has seldom seen. Mostly they were
pasted from a web page or a word processor.

## Example
`First line.\u2028Second line.`

## Use instead
`First line.\nSecond line.`

## Fix
Writes the line end that the text has elsewhere.

## Known limits
One that a text is about is reported as well.

## References
- Unicode Standard, chapter 5.8, Newline Guidelines
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..text import Edit

_SEPARATOR = re.compile("[\u2028\u2029\x85]")
_NAMES = {
    "\u2028": "U+2028 LINE SEPARATOR",
    "\u2029": "U+2029 PARAGRAPH SEPARATOR",
    "\x85": "U+0085 NEXT LINE",
}


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        usual = "\r\n" if "\r\n" in message.text else "\n"
        for match in context.search(_SEPARATOR, message.text):
            name = _NAMES[match[0]]
            change = Edit(*match.span(), usual)
            yield context.report(
                f"{name} is a line end to some programs and a character to others",
                message.file_span(*match.span()),
                context.fix(message, "Write an ordinary line end", change),
                subject=name,
            )


RULE = Rule(check, "characters", Severity.WARNING, fix="safe", since="0.1.0")

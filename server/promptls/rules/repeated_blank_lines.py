r"""One empty line divides paragraphs as well as several do.

## What it does
Reports two or more empty lines in a row, where one would cost fewer tokens under the active
encoding. Most encodings have tokens for several line ends, so this is rare, and a matter of empty
lines with spaces on them.

## Why it matters
The same text for fewer tokens.

## Example
`First.\n   \n\n  \n\nSecond.`

## Use instead
`First.\n\nSecond.`

## Fix
Offered, not applied by `--fix`, because in program code two lines can be the style: keeps one
empty line.

## Known limits
Program code inside a prompt is looked at like any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from subword.wording import amount

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..text import Edit

_BLANK = re.compile(r"(?<=[^\s])[ \t]*(\r\n|\n)(?:[ \t]*\r?\n){2,}(?=[ \t]*\S)")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        for match in context.search(_BLANK, message.text):
            start, end = match.end(1), match.end()
            if context.has_gap(message, match.start(), end):
                continue
            change = Edit(start, end, match[1])
            saved = context.saving(message.text, change)
            if saved <= 0:
                continue
            count = len(re.findall("\n", match[0])) - 1
            yield context.report(
                f"{count} empty lines cost {amount(saved, 'token')} more than one",
                message.file_span(start, end),
                context.fix(message, "Keep one empty line", change),
                subject="lines",
            )


RULE = Rule(check, "whitespace", Severity.HINT, fix="manual", options=("encoding",), since="0.1.0")

"""A prompt should not hold files as data URLs.

## What it does
Reports `data:` URLs with base64 content in the text of a message, with what they cost. Images that
a format sends as parts of their own are not text and are not looked at.

## Why it matters
In text, a model reads the letters of the encoded file, not the picture or the font that they stand
for, and pays for each few of them.

## Example
`![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==)`

## Use instead
`![logo](logo.png)`

## Fix
None: send the file as an image or attachment, or leave it out.

## Known limits
Content of fewer than 100 characters, or without base64, is not looked at.

## References
- RFC 2397, The "data" URL scheme
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

# A data URL with base64 content, from the length of a small icon on.
_DATA_URL = re.compile(
    r"\bdata:[\w.+-]{0,64}/?[\w.+-]{0,64}(?:;[\w.+=-]{1,64}){0,4};base64,[A-Za-z0-9+/_=-]{100,}"
)


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        for match in context.search(_DATA_URL, message.text, window=1024):
            cost = context.cost(match[0])
            what = "is no text" if cost is None else f"costs {cost:,} tokens"
            kind = match[0][5:].partition(";")[0] or "text"
            yield context.report(
                f"This data URL ({kind}) {what}, which a model reads as letters",
                message.file_span(*match.span()),
                subject=kind,
            )


RULE = Rule(check, "tokens", Severity.HINT, since="0.1.0")

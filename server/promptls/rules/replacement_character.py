r"""Text should not have lost characters.

## What it does
Reports U+FFFD, the replacement character, and halves of surrogate pairs, which are sent as U+FFFD.
One that stands alone between spaces or in quotation marks is what the text is about, and stays.

## Why it matters
U+FFFD is what a decoder writes for bytes that it can't read: the character that stood there is
lost, and the model is given noise in its place. Mostly a file was read in the wrong encoding, or
text was cut in the middle of a character.

## Example
`Caf\ufffd au lait`

## Use instead
`Café au lait`

## Fix
None: only the source of the text knows what stood there.

## When to turn it off
Where prompts are about encodings, and U+FFFD is meant.

## References
- Unicode Standard, chapter 23, Specials: U+FFFD REPLACEMENT CHARACTER
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from .context import Context, Rule

_LOST = re.compile(
    "(?:\ufffd|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])+"
)

_AROUND_A_WORD = frozenset(" \"'`“”‘’„«»「」")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        for match in context.search(_LOST, message.text):
            count = len(match[0])
            if count == 1 and _stands_alone(message.text, match.start()):
                continue
            text = (
                "A character was lost here: U+FFFD stands in its place"
                if count == 1
                else f"{count:,} characters were lost here: U+FFFD stands in their place"
            )
            yield context.finding(RULE, text, message.file_span(*match.span()))


def _stands_alone(text: str, at: int) -> bool:
    return text[at - 1 : at] in _AROUND_A_WORD and text[at + 1 : at + 2] in _AROUND_A_WORD


RULE = Rule("replacement-character", Severity.WARNING, check)

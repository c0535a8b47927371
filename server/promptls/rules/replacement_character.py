r"""Text should not have lost characters.

## What it does
Reports U+FFFD, the replacement character, and halves of surrogate pairs, which are sent as U+FFFD.
One in quotation marks or a code span is what the text is about, and stays, and so does each in a
text that names it.

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

## Known limits
What a decoder left out leaves no trace. Where prompts are about encodings, and U+FFFD is meant,
turn the rule off.

## References
- Unicode Standard, chapter 23, Specials: U+FFFD REPLACEMENT CHARACTER
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

_LOST = re.compile(
    "(?:\ufffd|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])+"
)

# In quotation marks or a code span it is what the text is about, and so where the text names it.
_QUOTED = frozenset(("``", '""', "''", "“”", "‘’", "„“", "«»", "»«", "「」"))
_NAMED = re.compile("U[+]FFFD|replacement character", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        is_named = _NAMED.search(message.text) is not None
        for match in context.search(_LOST, message.text):
            start, end = match.span()
            count = end - start
            around = message.text[start - 1 : start] + message.text[end : end + 1]
            if count == 1 and (is_named or around in _QUOTED):
                continue
            text = (
                "A character was lost here: U+FFFD stands in its place"
                if count == 1
                else f"{count:,} characters were lost here: U+FFFD stands in their place"
            )
            yield context.report(text, message.file_span(start, end), subject=text)


RULE = Rule(check, "characters", Severity.WARNING, since="0.1.0")

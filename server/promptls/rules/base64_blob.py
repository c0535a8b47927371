"""A prompt should not hold long stretches of base64.

## What it does
Reports base64 (also its URL-safe form, and wrapped into lines as in PEM files) of 200 characters
or more, with what it costs. Data URLs are reported by `data-url`.

## Why it matters
Base64 has no words, so it costs a token for every one or two characters: a file of a megabyte is
several hundred thousand tokens.

## Example
`AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6Ch`

## Use instead
The content itself, or a reference to it.

## Fix
None.

## Known limits
What is shorter, or has few capitals or digits, isn't found.

## References
- RFC 4648, The Base16, Base32, and Base64 Data Encodings
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])"
    r"(?:[A-Za-z0-9+/]{200,}={0,2}|[A-Za-z0-9_-]{200,}={0,2}"
    r"|(?:[A-Za-z0-9+/]{60,76}\r?\n[ \t]*){3,}[A-Za-z0-9+/]*={0,2})"
)
_MIXED = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        for match in context.search(_BASE64, message.text, window=1024):
            before = message.text[max(match.start() - 8, 0) : match.start()]
            if before.endswith(";base64,") or not _is_mixed(match[0]):
                continue
            blob = match[0].rstrip()
            cost = context.cost(blob)
            what = "are no text" if cost is None else f"cost {cost:,} tokens"
            yield context.report(
                f"{len(blob):,} characters of base64 {what}",
                message.file_span(match.start(), match.start() + len(blob)),
                subject="base64",
            )


RULE = Rule(check, "tokens", Severity.HINT, since="0.1.0")


def _is_mixed(text: str) -> bool:
    """Whether each 100 characters have small letters, capitals and digits, as encoded bytes do."""
    parts = [text[at : at + 100] for at in range(0, len(text) - 99, 100)]
    mixed = sum(all(kind.search(part) for kind in _MIXED) for part in parts)
    return 2 * mixed >= len(parts) > 0

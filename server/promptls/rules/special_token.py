"""Text should not spell a special token of the encoding it is counted with.

## What it does
Reports text in a message that spells a special token of the active encoding, such as
`<|endoftext|>`. Markers that a format is made of are not text and are not reported.

## Why it matters
Where the text is encoded with special tokens allowed, as Hugging Face tokenizers and llama.cpp's
server do, it becomes one control token: the document ends there, or a turn does. Where they are
not allowed, tiktoken's `encode` raises an error. Code fences and backticks do not protect it.

## Example
`Write <|endoftext|> after each story.`

## Use instead
`Write <|endoftext |> after each story.`

## Fix
Breaks the token with one space before its closing delimiter: visible, cheap and still readable.
Zero-width characters, fullwidth brackets and `\\u003c` do not help: the first are invisible, the
others are undone by normalization and by JSON. It is unsafe, because the token may be a stop word
that is wanted; a token that is meant can be listed in the setting `allowedTokens`. As with
`control-token`, the fix is only offered where the token may be meant.

## Known limits
Only the encoding is known, not which special tokens the program that sends the text lets through.

## References
- tiktoken, `Encoding.encode`, parameters `allowed_special` and `disallowed_special`
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..lint.markers import marker_findings, pattern_of


def check(context: Context) -> Iterator[Finding]:
    pattern = pattern_of(frozenset(map(re.escape, context.encoding.special_tokens)))

    @cache
    def problem(token: str) -> str:
        encoding = context.encoding
        what = f"{token} is a special token of {encoding.name} ({encoding.special_tokens[token]})"
        if context.settings.special_tokens == "control":
            return f"{what}: here it is counted and sent as control, not as text"
        return f"{what}: if special tokens are allowed in the text, it becomes one control token"

    return marker_findings(context, pattern, problem) if pattern else iter(())


RULE = Rule(
    check,
    "control tokens",
    Severity.WARNING,
    fix="unsafe",
    options=("encoding", "specialTokens", "allowedTokens"),
    since="0.1.0",
)

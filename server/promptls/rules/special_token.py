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
others are undone by normalization and by JSON. A token that is meant can be listed in the setting
`allowedTokens`.

## References
- tiktoken, `Encoding.encode`, parameters `allowed_special` and `disallowed_special`
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from .context import Context, Rule
from .markers import is_allowed, marker_fixes, pattern_of


def check(context: Context) -> Iterator[Finding]:
    special_tokens = context.encoding.special_tokens
    pattern = pattern_of(frozenset(map(re.escape, special_tokens)))
    if pattern is None:
        return
    for message in context.prompt.messages:
        for match in context.search(pattern, message.text):
            span = message.file_span(*match.span())
            if is_allowed(context, match[0]) or context.has_gap(
                message, match.start() + 1, match.end() - 1
            ):
                continue
            text = _problem(context, match[0])
            yield context.finding(RULE, text, span, marker_fixes(context, message, match))


def _problem(context: Context, token: str) -> str:
    encoding = context.encoding
    what = f"{token} is a special token of {encoding.name} ({encoding.special_tokens[token]})"
    if context.settings.special_tokens == "control":
        return f"{what}: here it is counted and sent as control, not as text"
    return f"{what}: where special tokens are allowed in text, it is control and not text"


RULE = Rule("special-token", Severity.WARNING, check)

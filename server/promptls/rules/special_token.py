"""Text should not spell a special token of the encoding it is counted with.

## What it does
Reports text in a message that spells a special token of the active encoding, such as
`<|endoftext|>`.

## Why it matters
Where the text is encoded with special tokens allowed, as Hugging Face tokenizers and llama.cpp do
by default, it becomes one control token: the document ends there, or a turn does. Where they are
not allowed, tiktoken's `encode` raises an error. Code fences and backticks do not protect it.

## Example
`Write <|endoftext|> after each story.`

## Use instead
`Write <|endoftext |> after each story.`

## Fix
Breaks the marker with one space before its last `|>`: visible, cheap, and still readable.
A marker that is meant can be listed in the setting `allowedTokens`.

## References
- tiktoken, `Encoding.encode`: `allowed_special` and `disallowed_special`
- OWASP LLM01:2025, prompt injection
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Edit, Finding, Fix, Severity
from . import Context, Rule


def check(context: Context) -> Iterator[Finding]:
    tokens = [
        t for t in context.encoding.special_tokens if t not in context.settings.allowed_tokens
    ]
    if not tokens:
        return
    pattern = re.compile("|".join(map(re.escape, sorted(tokens, key=len, reverse=True))))
    for message in context.prompt.messages:
        for match in context.search(pattern, message.text):
            start, end = message.file_span(match.start(), match.end())
            if context.is_structure(start, end):
                continue
            token = match[0]
            yield context.finding(
                RULE,
                f"{token} is a special token of {context.encoding.name}: "
                "where special tokens are allowed it is control, not text",
                start,
                end,
                Fix("Break the token with a space", (Edit(start, end, broken(token)),)),
            )


def broken(token: str) -> str:
    """The token's text with one space in it, so that no tokenizer takes it for the token."""
    tail = "|>" if token.endswith("|>") else token[-1]
    return f"{token[: -len(tail)]} {tail}"


RULE = Rule("special-token", Severity.WARNING, check)

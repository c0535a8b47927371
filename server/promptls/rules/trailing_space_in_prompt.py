"""A prompt or message should not end in spaces or tabs.

## What it does
Reports spaces and tabs at the very end of a prompt's text or of one of its messages.

## Why it matters
The tokens of most models carry the space in front of a word, so a prompt that ends in a space
ends in a lone space token, and the model's natural next token, which brings a space of its own,
no longer fits. In `o200k_base` the text `The answer is` has 3 tokens, and `The answer is ` 4.

## Example
`The answer is ` (with a space at the end)

## Use instead
`The answer is`

## Fix
Removes the spaces and tabs. Nothing else changes.

## When to turn it off
Where a number is to follow: `o200k_base` and `cl100k_base` keep the space before a number as a
token of its own, so there the space is natural.

## References
- OpenAI Cookbook, how to count tokens with tiktoken
- HazyResearch and others on prompt boundaries and token healing
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Edit, Finding, Fix, Severity
from . import Context, Rule


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        body = message.text.rstrip(" \t")
        # A message of nothing but spaces is a placeholder's neighbour, not a prompt's end.
        if not body or body == message.text:
            continue
        start, end = message.file_span(len(body), len(message.text))
        count = end - start
        yield context.finding(
            RULE,
            f"The {message.role or 'prompt'}{' message' if message.role else ''} ends in "
            f"{count} {'space' if count == 1 else 'spaces'}: its last token is "
            "a lone space, which the next word does not follow naturally",
            start,
            end,
            Fix("Remove the spaces at the end", (Edit(start, end, ""),)),
        )


RULE = Rule("trailing-space-in-prompt", Severity.WARNING, check)

r"""An assistant message that the model is to continue must not end in whitespace.

## What it does
Reports whitespace at the end of an assistant message that is the last of a chat. A line end that
is the file's own last one is not reported, nor is an assistant turn that is only opened.

## Why it matters
Anthropic's Messages API rejects a request whose final assistant message ends in spaces, tabs or
line ends. Other models continue after the whitespace, where a word that brings its own space no
longer fits (see `trailing-space-in-prompt`).

## Example
`[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "{\"answer\": "}]`
(as `prefill.messages.json`)

## Use instead
`[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "{\"answer\":"}]`

## Fix
Removes the whitespace.

## When to turn it off
Where the file records finished conversations, such as training data, and nothing is continued.

## References
- Anthropic API, Messages: the final assistant message cannot end with trailing whitespace
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding, Severity
from ..prompt import Message, Prompt
from .context import Context, Rule, end_after_gaps
from .writing import Change

_ASSISTANT = {"assistant", "model", "ai"}


def check(context: Context) -> Iterator[Finding]:
    message = prefill(context.prompt)
    if message is None:
        return
    start = max(len(message.text.rstrip(" \t\r\n")), end_after_gaps(context, message))
    end = len(message.text)
    is_last_line_end = message.text[start:] in ("\n", "\r\n") and (
        message.file_span(start, end).end == len(context.text)
    )
    if not start or start == end or is_last_line_end:
        return
    yield context.finding(
        RULE,
        "The chat ends in an assistant message that ends in whitespace: Anthropic's API refuses "
        "it, and other models continue after the whitespace",
        message.file_span(start, end),
        context.fix(message, "Remove the whitespace at the end", Change(start, end)),
    )


def prefill(prompt: Prompt) -> Message | None:
    """The assistant message at a chat's end, which the model is to continue."""
    last = prompt.messages[-1] if prompt.messages else None
    return last if last and (last.role or "").lower() in _ASSISTANT else None


RULE = Rule("assistant-prefill-whitespace", Severity.ERROR, check)

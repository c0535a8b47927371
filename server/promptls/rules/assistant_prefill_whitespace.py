r"""An assistant message that the model is to continue must not end in whitespace.

## What it does
Reports whitespace at the end of an assistant message that is the last of a chat. A line end that
is the file's own last one is not reported, nor is an assistant turn that is only opened. Nothing is
continued, and nothing reported, in JSON Lines, whose conversations are finished, and where the file
or the settings name a model of OpenAI's, which answers anew.

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
Removes the whitespace. It is unsafe: a model that goes on from there goes on otherwise.

## Known limits
A file doesn't say whether its chat is to be continued. Where other files than JSON Lines record
finished conversations, turn the rule off.

## References
- Anthropic API, Messages: the final assistant message cannot end with trailing whitespace
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule, end_after_gaps
from ..prompt import Message
from ..text import Edit

_ASSISTANT = {"assistant", "model", "ai"}


def check(context: Context) -> Iterator[Finding]:
    message = prefill(context)
    if message is None:
        return
    start = max(len(message.text.rstrip(" \t\r\n")), end_after_gaps(context, message))
    end = len(message.text)
    is_last_line_end = message.text[start:] in ("\n", "\r\n") and (
        message.file_span(start, end).end == len(context.text)
    )
    if not start or start == end or is_last_line_end:
        return
    yield context.report(
        "The chat ends in an assistant message that ends in whitespace: Anthropic's API refuses "
        "it, and other models continue after the whitespace",
        message.file_span(start, end),
        context.fix(message, "Remove the whitespace at the end", Edit(start, end)),
    )


RULE = Rule(check, "whitespace", Severity.ERROR, fix="unsafe", options=("model",), since="0.1.0")


def prefill(context: Context) -> Message | None:
    """The assistant message at a chat's end, which the model is to continue."""
    messages = context.prompt.messages
    # The models that settings can name are OpenAI's.
    if not messages or not context.prompt.is_continued or context.settings.model:
        return None
    last = messages[-1]
    return last if (last.role or "").lower() in _ASSISTANT else None

"""A prompt or message should not end in spaces or tabs.

## What it does
Reports spaces and tabs at the very end of a prompt's text or of one of its messages, also where
one line end follows them, because many tools remove that before sending. A space in front of a
placeholder isn't the end of anything and is not reported.

## Why it matters
The tokens of most models carry the space in front of a word. A prompt that ends in a space ends in
a lone space token, and where words bring the space before them, as in English under nearly every
encoding, the natural next token no longer fits. `The answer is` is 3 tokens in `o200k_base`,
`The answer is ` is 4 tokens in `o200k_base`.
Inside a chat it is a token that nobody can see.

## Example
`The answer is `

## Use instead
`The answer is`

## Fix
Removes the spaces and tabs. A line end after them stays. At the end of a turn that is safe; at the
end of a prompt that a model continues it is unsafe, because the continuation will be another.

## Known limits
Where a number is to follow the space is natural: ` 42` is 2 tokens in `o200k_base` and
` 42` is 2 tokens in `cl100k_base`, of which the first is the space.

## References
- Anthropic's Messages API refuses a final assistant message that ends in whitespace: see
  `assistant-prefill-whitespace`, which reports that case
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from subword.wording import amount

from ..findings import Applicability, Finding, Severity
from ..lint.characters import CJK, WITHOUT_SPACES
from ..lint.context import Context, Rule, end_after_gaps
from ..prompt import Message
from ..text import Edit
from .assistant_prefill_whitespace import prefill

# Hangul is written with spaces.
_WITHOUT_SPACES = re.compile(f"(?![\u1100-\u11ff\uac00-\ud7ff])[{CJK}{WITHOUT_SPACES}]")


def check(context: Context) -> Iterator[Finding]:
    continued = prefill(context)
    for message in context.prompt.messages:
        if message is continued or message.goes_on:
            continue
        body = max(len(message.text.rstrip(" \t\r\n")), end_after_gaps(context, message))
        last_line = _without_line_end(message.text)
        start, end = max(len(last_line.rstrip(" \t")), body), len(last_line)
        # A message of nothing but spaces has no end that a word could follow.
        if start >= end or not body:
            continue
        # A turn ends there; anything else is continued from there, so the space can be meant.
        how: Applicability = "safe" if message.role else "unsafe"
        title = "Remove the spaces at the end"
        yield context.report(
            _problem(context, message, start, end),
            message.file_span(start, end),
            context.fix(message, title, Edit(start, end), applicability=how),
        )


RULE = Rule(check, "whitespace", Severity.WARNING, fix="safe", since="0.1.0")


def _without_line_end(text: str) -> str:
    """The text without one line end at its end."""
    return text[:-2] if text.endswith("\r\n") else text[:-1] if text[-1:] in "\r\n" else text


def _problem(context: Context, message: Message, start: int, end: int) -> str:
    spaces, count = message.text[start:end], end - start
    if "\t" in spaces:
        what = f"{count} characters of whitespace" if count > 1 else "a tab"
    else:
        what = f"{count} spaces" if count > 1 else "a space"
    where = f"The {message.role} message" if message.role else "The prompt"
    if end < len(message.text):
        return f"{where} ends in {what} before its last line end"
    if context.cost(spaces) is None:
        return f"{where} ends in {what}"
    tokens = context.encoding.encode(spaces)
    if message.role:
        cost = amount(len(tokens), "token")
        return f"{where} ends in {what}: {cost} more, which nobody can see"
    problem = f"{where} ends in {what}: its last token ({tokens[-1]}) is only whitespace"
    if _WITHOUT_SPACES.match(message.text, start - 1) or context.encoding.count(" the") > 1:
        return problem
    return f"{problem}, but most words of {context.encoding.name} bring the space before them"

r"""A prompt or message should end in at most one line end.

## What it does
Reports line ends at the end of a prompt or of one of its messages beyond the first, with the
spaces on the empty lines between them.

## Why it matters
The last token of a prompt decides how the answer begins, and empty lines change it. `Done.` is 2
tokens in `o200k_base`, `Done.\n` and `Done.\n\n` are each 2 tokens in `o200k_base`, and the last
token is another one each time. Tools that remove one final line end, as llama.cpp and Jinja do,
leave the others.

## Example
`Write a haiku about autumn.\n\n\n`

## Use instead
`Write a haiku about autumn.\n`

## Fix
Keeps the first line end and removes what follows it. At the end of a turn that is safe; at the end
of a prompt that a model continues it is unsafe.

## Known limits
What a program removes before it sends the prompt is known only where the format says it.

## References
- llama.cpp, `--file`: one final newline is removed
- Jinja, `keep_trailing_newline`: one final newline is removed by default
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Applicability, Finding, Severity
from ..lint.context import Context, Rule, end_after_gaps
from ..text import Edit
from .assistant_prefill_whitespace import prefill

_LINE_END = re.compile(r"\r\n|\n|\r")


def check(context: Context) -> Iterator[Finding]:
    continued = prefill(context)
    for message in context.prompt.messages:
        text = message.text
        body = max(len(text.rstrip(" \t\r\n")), end_after_gaps(context, message))
        first = _LINE_END.search(text, body)
        if message is continued or message.goes_on or not text.strip() or not first:
            continue
        count = len(_LINE_END.findall(text, body))
        if count < 2:
            continue
        end = len(text.rstrip(" \t"))
        # A turn ends there; anything else is continued from there.
        how: Applicability = "safe" if message.role else "unsafe"
        where = f"The {message.role} message" if message.role else "The prompt"
        yield context.report(
            f"{where} ends in {count} line ends",
            message.file_span(first.end(), end),
            context.fix(message, "Keep one line end", Edit(first.end(), end), applicability=how),
        )


RULE = Rule(check, "whitespace", Severity.HINT, fix="safe", since="0.1.0")

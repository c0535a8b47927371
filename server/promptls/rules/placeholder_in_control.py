"""What fills a placeholder should not be able to end its turn.

## What it does
In formats whose structure is control tokens (ChatML, Harmony, raw chats), reports placeholders that
stand inside a marker or a role line, where the value decides who speaks, and placeholders in a
message, where a value that spells the closing marker ends the turn.

## Why it matters
A template is text until it is tokenized as a whole, with control tokens allowed. A value such as
`<|im_end|>` followed by a new turn is then read exactly like the turns that you have written.
Libraries that build the tokens of each message themselves don't have this problem.

## Example
```
<|im_start|>user
Translate: {{text}}<|im_end|>
```
(as `translate.chatml`)

## Use instead
The same chat as a list of messages (JSON, `.prompty`), which the model's own library renders; or
remove control tokens from values before they are filled in.

## Fix
None.

## Known limits
What fills a placeholder isn't known. Where the values come from your own program, or are cleaned
before, turn the rule off.

## References
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..lint.markers import control_pattern

_PLACEHOLDER = re.compile(r"\{\{[^{}\r\n]+\}\}|\$\{\w+\}")


def check(context: Context) -> Iterator[Finding]:
    pattern = control_pattern(context)
    structure = context.prompt.structure
    markers = [
        (span.start, match[0])
        for span in structure
        if pattern and (match := pattern.search(context.text, *span))
    ]
    if not markers:
        return
    for span in structure:
        for match in _PLACEHOLDER.finditer(context.text, *span):
            text = "The value of this placeholder decides whose turn this is"
            yield context.report(text, match.span())
    starts = [start for start, _ in markers]
    for placeholder in context.prompt.placeholders:
        following = bisect_left(starts, placeholder.end)
        if placeholder.kind != "variable" or following == len(markers):
            continue
        yield context.report(
            f"A value of {placeholder.name or 'this placeholder'} that holds "
            f"{markers[following][1]} ends this turn",
            (placeholder.start, placeholder.end),
        )


RULE = Rule(check, "control tokens", Severity.INFO, options=("family",), since="0.1.0")

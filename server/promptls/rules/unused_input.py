"""An input that the header declares should be used.

## What it does
Reports declared inputs that no placeholder and no template tag refers to. A template that includes
other files is not looked at, because the input may be used there.

## Why it matters
Callers must supply a value that the model never sees. Mostly a placeholder has been deleted, or its
name has a typing error.

## Example
```
---
inputs:
  city: {type: string}
  units: {type: string}
---
user:
What is the weather in {{city}}?
```
(as `weather.prompty`)

## Use instead
```
---
inputs:
  city: {type: string}
---
user:
What is the weather in {{city}}?
```

## Fix
None.

## Known limits
A program that reads the input itself, not by the template, isn't known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import FLOOD, Context, Rule

_INCLUDES = re.compile(r"\{\{\{?[~-]?\s*>|\{%-?\+?\s*(?:include|import|from|extends)\b")


def check(context: Context) -> Iterator[Finding]:
    prompt = context.prompt
    tags = [p for p in prompt.placeholders if p.kind in ("tag", "partial")]
    if not prompt.inputs or context.broken_from < len(context.text):
        return
    if any(_INCLUDES.match(context.text, tag.start) for tag in tags):
        return
    used = {name for placeholder in prompt.placeholders for name in placeholder.uses}
    used.update(prompt.used)
    unused = [name for name in prompt.inputs if name not in used]
    for number, name in enumerate(unused):
        # Of a flood only the first place is shown, and to find each takes a look at the header.
        span = _declaration(context, name) if number < FLOOD else (0, 0)
        yield context.report(f"The input {name} is declared, but never used", span)


RULE = Rule(check, "templates", Severity.INFO, since="0.1.0")


def _declaration(context: Context, name: str) -> tuple[int, int]:
    """Where the header declares an input; its first character where that isn't found."""
    start, end = context.prompt.header or (0, len(context.text))
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    at_line_start = re.compile(rf"^[ \t]*(?:- *)?(?:name: *)?[\"']?(?P<name>{word})", re.MULTILINE)
    match = at_line_start.search(context.text, start, end)
    if match:
        return match.span("name")
    anywhere = re.compile(word).search(context.text, start, end)
    return anywhere.span() if anywhere else (start, min(start + 1, end))

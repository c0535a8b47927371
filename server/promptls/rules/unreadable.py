"""The whole file should be readable in its format.

## What it does
Reports the parts of a file that its format can't read, such as a header that isn't valid YAML. The
rest is still counted and checked. Tags that aren't closed are reported by `unclosed-tag`.

## Why it matters
The tool that sends the prompt can't read it either: it refuses the file, or takes a header for
text that the model should see.

## Example
```
{"role": "user", "content": "Hi"}
{"role": "user", "content": Hello}
```
(as `chat.jsonl`)

## Use instead
```
{"role": "user", "content": "Hi"}
{"role": "user", "content": "Hello"}
```

## Fix
None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..prompt import Problem
from .context import Context, Rule

_CLOSING = re.compile(r"\bclose[sd]?\b")


def check(context: Context) -> Iterator[Finding]:
    for problem in context.prompt.problems:
        if not is_about_closing(problem):
            text = problem.message[:1].upper() + problem.message[1:]
            yield context.finding(RULE, text, (problem.start, problem.end))


def is_about_closing(problem: Problem) -> bool:
    """Whether the problem is a tag without an end, or an end without its tag."""
    return _CLOSING.search(problem.message) is not None


RULE = Rule("unreadable", Severity.WARNING, check)

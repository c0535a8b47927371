"""The whole file should be readable in its format.

## What it does
Reports the parts of a file that its format can't read, such as a header that isn't valid YAML. The
rest is still counted and checked. Tags that aren't closed are reported by `unclosed-tag`. That a
file holds nothing that is sent is only a hint.

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

## Known limits
Each format is read as one version of its tool reads it; what a newer one allows can be reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

_REPORTED_ELSEWHERE = ("unclosed", "unopened", "aftermath")


def check(context: Context) -> Iterator[Finding]:
    for problem in context.prompt.problems:
        if problem.kind not in _REPORTED_ELSEWHERE:
            text = problem.message[:1].upper() + problem.message[1:]
            # A file without a prompt, such as one of BAML's classes, is fine; it must be known.
            severity = Severity.HINT if problem.kind == "empty" else None
            yield context.report(text, problem[:2], severity=severity)


RULE = Rule(check, "templates", Severity.WARNING, since="0.1.0")

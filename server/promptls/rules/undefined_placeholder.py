"""A placeholder should be an input that the prompt's header declares.

## What it does
Where the header declares inputs, reports placeholders, and names in template tags, that are none of
them. Names that the template itself defines, such as a loop's item, are not reported. Without
declared inputs nothing is.

## Why it matters
Template engines write nothing for an unknown name, or raise an error: the prompt goes out with a
hole in it, or not at all. Mostly the name has a typing error.

## Example
```
---
inputs:
  city: {type: string}
---
user:
What is the weather in {{ctiy}}? And in {{city}} tomorrow?
```
(as `weather.prompty`)

## Use instead
```
---
inputs:
  city: {type: string}
---
user:
What is the weather in {{city}}? And in {{city}} tomorrow?
```

## Fix
None; the message names the nearest input.

## Known limits
What the calling program supplies without its being declared is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..wording import did_you_mean

# To compare two names takes quadratic time, and each is compared with all that are known.
_MOST_KNOWN, _LONGEST = 100, 100


def check(context: Context) -> Iterator[Finding]:
    prompt = context.prompt
    header_end = prompt.header.end if prompt.header else 0
    if prompt.inputs is None or context.broken_from < header_end:
        return
    known = {*prompt.inputs, *(name for name, _ in (*prompt.samples, *prompt.given))}
    for placeholder in prompt.placeholders:
        if placeholder.start >= context.broken_from:
            return
        if placeholder.kind not in ("variable", "tag", "partial"):
            continue
        for name in dict.fromkeys(placeholder.uses):
            if name not in known:
                hint = _hint(name, known)
                yield context.report(
                    f"{name} is not an input that the header declares{hint}",
                    (placeholder.start, placeholder.end),
                    subject=name,
                )


RULE = Rule(check, "templates", Severity.WARNING, since="0.1.0")


def _hint(name: str, known: set[str]) -> str:
    """The known name that is most like another; among very many none is looked for."""
    if len(known) > _MOST_KNOWN or len(name) > _LONGEST:
        return ""
    return did_you_mean(name, (each for each in known if len(each) <= _LONGEST))

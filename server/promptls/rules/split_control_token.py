r"""Text should not become a control token when something is taken out of it or put into it.

## What it does
Reports the parts of a control token (see `control-token`) that stand around

- a placeholder: `<|im_{{x}}end|>` is `<|im_end|>` when `x` is empty, and `<|{{role}}|>` is
  `<|user|>` when `role` is `user`;
- another control token: `<|im_<|im_end|>end|>` is `<|im_end|>` when a filter has removed the inner
  one;
- an invisible character, such as a zero-width space, which filters remove as well.

## Why it matters
A filter that looks for control tokens before placeholders are filled in, or that removes what it
finds only once, does not see these. The model's tokenizer does.

## Example
`Bye.<|im_<|im_end|>end|>`

## Use instead
`Bye.<|im_<|im_end|>end |>`
(the inner one is for `control-token`)

## Fix
Breaks the outer token with one space before its closing delimiter. It is unsafe: a model reads
another text. Where a placeholder supplies
a part of the token this is only offered, because the template may be meant to write tokens.

## Known limits
One piece at a time is taken out: a token of which two pieces must go is not found.

## References
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from subword.special import ControlToken

from ..findings import Applicability, Finding, Severity
from ..lint.characters import INVISIBLE
from ..lint.context import Context, Rule
from ..lint.markers import (
    LONGEST,
    assembled,
    break_point,
    control_pattern,
    is_allowed,
    is_prompt_file,
    known_markers,
)
from ..prompt import Message
from ..text import Edit

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_BEGINNING = re.compile(r"<\|\w*\Z|<｜[\w▁]*\Z")
_END = re.compile(rf"\w{{0,{LONGEST}}}\|>|[\w▁]{{0,{LONGEST}}}｜>")


def check(context: Context) -> Iterator[Finding]:
    pattern = control_pattern(context)
    if pattern is None:
        return
    for message in context.prompt.messages:
        yield from _around_placeholders(context, message, pattern)
        for removed, what in ((pattern, "a control token"), (_INVISIBLE, "invisible characters")):
            for match in context.search(removed, message.text):
                yield from _assembled(context, message, pattern, *match.span(), what)


RULE = Rule(
    check,
    "control tokens",
    Severity.WARNING,
    fix="unsafe",
    options=("family", "allowedTokens"),
    since="0.1.0",
)


def _around_placeholders(
    context: Context, message: Message, pattern: re.Pattern[str]
) -> Iterator[Finding]:
    for gap in dict.fromkeys(context.gaps(message)):
        whole = list(_assembled(context, message, pattern, gap, gap, "a placeholder's value"))
        yield from whole or _completed(context, message, gap)


def _assembled(
    context: Context, message: Message, pattern: re.Pattern[str], start: int, end: int, what: str
) -> Iterator[Finding]:
    """The finding for a marker that text[:start] and text[end:] make together, if they do."""
    joined = assembled(pattern, message.text, start, end)
    if joined and not is_allowed(context, joined[1][0]):
        at, match = joined
        yield _found(
            context,
            message,
            f"Without {what} this is {match[0]}, a control token",
            at,
            at + len(match[0]) + end - start,
            len(match[0]) - (break_point(match[0]) or 0),
            "unsafe" if start != end else "manual",
        )


def _completed(context: Context, message: Message, gap: int) -> Iterator[Finding]:
    """The marker that a placeholder's value can complete, as in `<|{{role}}|>`."""
    text = message.text
    beginning = _BEGINNING.search(text[max(gap - LONGEST, 0) : gap])
    end = _END.match(text, gap)
    if not beginning or not end:
        return
    token = _completion(context.settings.family, beginning[0], end[0])
    if token:
        yield _found(
            context,
            message,
            f"A placeholder's value can make this a control token, such as {token}",
            gap - len(beginning[0]),
            end.end(),
            2,
            "manual",
        )


@lru_cache(256)
def _completion(family: str | None, beginning: str, end: str) -> str | None:
    shortest = len(beginning) + len(end)
    tokens: tuple[ControlToken, ...] = known_markers(family)
    fitting = (t.token for t in tokens if len(t.token) > shortest)
    return next((t for t in fitting if t.startswith(beginning) and t.endswith(end)), None)


def _found(
    context: Context,
    message: Message,
    problem: str,
    start: int,
    end: int,
    tail: int,
    applicability: Applicability,
) -> Finding:
    title = "Break the outer token with a space"
    change = Edit(end - tail, end - tail, " ")
    if not is_prompt_file(context):
        applicability = "manual"
    fixes = context.fix(message, title, change, applicability=applicability)
    return context.report(problem, message.file_span(start, end), fixes)

"""A prompt should stay within its budget of tokens.

## What it does
Reports a prompt that has more tokens than the setting `budget` allows, at the place where the
budget is crossed. The budget is a number for every prompt, or a table of file patterns; a key that
is a role, such as `system`, is the budget of each message with that role. Of a file that holds
several prompts, such as the lines of a `.jsonl`, each has the whole budget. Where the conditions of
a template leave the count open, the most that it can be is held against the budget; where they can
be combined in too many ways to be sure of that, a number that it cannot be above.
A model whose tokenizer isn't here is counted with another one; where it is measured how many more
tokens it can have than that, the most of them is held against the budget.

## Why it matters
What doesn't fit is cut off or refused, and what is left for the answer shrinks with each token.

## Example
`Answer in English, please.` (with `budget = 3`)

## Use instead
`Use English.` (with `budget = 3`)

## Fix
None.

## Known limits
Placeholders count as nothing, and so does what a model's API puts around messages: that comes on
top.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..reading.amounts import BOUNDS, Amount
from ..reading.counts import TextCount

_ROLES = {"system", "user", "assistant", "developer", "tool", "model"}


def check(context: Context) -> Iterator[Finding]:
    reading, prompt = context.reading, context.prompt
    budget = context.settings.budget_for(reading.path)
    if budget is not None:
        for each, amount in zip(prompt.alternatives, reading.alternative_amounts, strict=True):
            part = range(each.first, each.stop)
            yield from _over(context, part, amount, budget, f"The prompt {each.label}")
        if not prompt.alternatives:
            every = range(len(prompt.messages))
            yield from _over(context, every, reading.amount, budget, "The prompt")
    by_role = context.settings.budget
    if isinstance(by_role, dict):
        for number, amount in enumerate(reading.message_amounts):
            role = (prompt.messages[number].role or "").lower()
            if role in _ROLES and role in by_role:
                part = range(number, number + 1)
                yield from _over(context, part, amount, by_role[role], f"The {role} message")


RULE = Rule(check, "tokens", Severity.WARNING, options=("budget",), since="0.1.0")


def _over(
    context: Context, part: range, amount: Amount, budget: int, what: str
) -> Iterator[Finding]:
    """Whether the messages of these numbers are over a budget, and where they cross it."""
    if amount.most <= budget:
        return
    # Those of every option of a branch: the place is the first at which the budget can be crossed.
    ratio = context.reading.choice.ratio
    left = int(budget / (ratio.high if ratio else 1))
    for number in part:
        message, count = context.prompt.messages[number], context.reading.counts[number]
        if left < count.total or number == part[-1]:
            start = _start_of(left, count, len(message.text))
            ending = message.text.find("\n", start)
            end = ending if ending > start else len(message.text) if ending < 0 else start + 1
            yield context.report(
                _message(context, what, amount, budget),
                message.file_span(start, end),
            )
            return
        left -= count.total


def _start_of(token: int, count: TextCount, length: int) -> int:
    """The character of a text at which the token of this number begins, or the text's end."""
    ends = range(1, length + 1)
    return bisect_right(ends, token, key=lambda end: count.range_tokens(0, end))


def _message(context: Context, what: str, amount: Amount, budget: int) -> str:
    """What is over by how much, and what was counted with where that only stands in."""
    if amount.exactness != "exact":
        choice = context.reading.choice
        over = "more" if amount.least > budget else "which can be more"
        why = f"{choice}, {BOUNDS}" if amount.is_bounds else choice
        return (
            f"{what} has {amount.counted()} ({why}), {over} than its budget of "
            f"{budget:,}; the budget is crossed about here"
        )
    if amount.is_range:
        return (
            f"{what} has {amount.counted()}, up to {amount.most - budget:,} over its budget of "
            f"{budget:,}; the budget is crossed here"
        )
    return (
        f"{what} has {amount.tokens:,} tokens, {amount.tokens - budget:,} over its budget of "
        f"{budget:,}; the budget is crossed here"
    )

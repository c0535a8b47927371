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

from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..prompt import Message
from ..reading.amounts import BOUNDS, Amount

_ROLES = {"system", "user", "assistant", "developer", "tool", "model"}


def check(context: Context) -> Iterator[Finding]:
    budget = context.settings.budget_for(context.path)
    if budget is not None:
        messages = context.prompt.messages
        for each in context.prompt.alternatives:
            what = f"The prompt {each.label}"
            yield from _over(context, messages[each.first : each.stop], budget, what)
        if not context.prompt.alternatives:
            yield from _over(context, messages, budget, "The prompt")
    by_role = context.settings.budget
    if isinstance(by_role, dict):
        for message in context.prompt.messages:
            role = (message.role or "").lower()
            if role in _ROLES and role in by_role:
                yield from _over(context, (message,), by_role[role], f"The {role} message")


RULE = Rule(check, "tokens", Severity.WARNING, options=("budget",), since="0.1.0")


def _over(
    context: Context, messages: tuple[Message, ...], budget: int, what: str
) -> Iterator[Finding]:
    amount = context.range_of(messages).amount(context.choice)
    if amount.most <= budget:
        return
    # Those of every option of a branch: the place is the first at which the budget can be crossed.
    counts = [context.token_count(message) for message in messages]
    left = int(budget / (context.choice.ratio.high if context.choice.ratio else 1))
    for message, count in zip(messages, counts, strict=True):
        if left < count or message is messages[-1]:
            starts = context.token_starts(message, context.settings.special_tokens)
            start = starts[min(left, count)]
            ending = message.text.find("\n", start)
            end = ending if ending > start else len(message.text) if ending < 0 else start + 1
            yield context.report(
                _message(context, what, amount, budget),
                message.file_span(start, end),
            )
            return
        left -= count


def _message(context: Context, what: str, amount: Amount, budget: int) -> str:
    """What is over by how much, and what was counted with where that only stands in."""
    if amount.exactness != "exact":
        over = "more" if amount.least > budget else "which can be more"
        why = f"{context.choice}, {BOUNDS}" if amount.is_bounds else context.choice
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

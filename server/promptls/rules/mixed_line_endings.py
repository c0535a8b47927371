r"""All lines should end in the same way.

## What it does
Reports a text in which some lines end in `\r\n` and others in `\n` (or a lone `\r`), at the first
line that ends otherwise than most.

## Why it matters
The endings look the same in every editor and are different tokens to a model. Mixed ones mostly
come from pasted text. `a\r\nb` and `a\nb` are each 3 tokens in `o200k_base`, but not the same
tokens.

## Example
`First.\nSecond.\r\nThird.\n`

## Use instead
`First.\nSecond.\nThird.\n`

## Fix
Ends every line as most lines end.

## Known limits
Formats whose tools make every line end the same have nothing to report.

## References
- Unicode Standard, chapter 5, Newline Guidelines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from subword.lines import LINE_END

from ..findings import Finding, Fix, Severity
from ..lint.context import Context, Rule
from ..text import Edit

_NAMES = {"\r\n": r"\r\n", "\n": r"\n", "\r": r"\r"}


def check(context: Context) -> Iterator[Finding]:
    messages = context.prompt.messages
    if not any("\r" in message.text for message in messages):
        return
    ends = [(message, match) for message in messages for match in LINE_END.finditer(message.text)]
    counts = Counter(match[0] for _, match in ends)
    if len(counts) < 2:
        return
    usual = counts.most_common(1)[0][0]
    others = [(message, match) for message, match in ends if match[0] != usual]
    fixes: list[Fix] = []
    for message, match in others:
        fixes += context.fix(message, "", Edit(*match.span(), usual))
    edits = tuple(edit for fix in fixes for edit in fix.edits)
    title = f"End every line in {_NAMES[usual]}"
    parts = " and ".join(f"{n:,} in {_NAMES[end]}" for end, n in counts.most_common())
    message, first = others[0]
    yield context.report(
        f"Lines end in different ways: {parts}",
        message.file_span(*first.span()),
        (Fix(title, edits, "safe"),) if edits else (),
    )


RULE = Rule(check, "whitespace", Severity.INFO, fix="safe", since="0.1.0")

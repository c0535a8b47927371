r"""Tables need no padding: a model doesn't look at columns.

## What it does
Reports Markdown tables whose cells are padded with spaces, where the same table without padding
costs at least 10 tokens and a tenth less under the active encoding.

## Why it matters
Padding lines columns up for people. Each stretch of spaces, and each dash of the line under the
header, is paid for.

## Example
`| name        | population  | area        |\n| ----------- | ----------- | ----------- |\n| Andorra     | 79824       | 468         |\n| Luxembourg  | 672050      | 2586        |`

## Use instead
`| name | population | area |\n| --- | --- | --- |\n| Andorra | 79824 | 468 |\n| Luxembourg | 672050 | 2586 |`

## Fix
Offered, not applied by `--fix`, because people read prompts too: leaves one space on either side
of each cell and three dashes under each heading.

## Known limits
Tables whose lines don't begin and end in `|` are not looked at.

## References
- GitHub Flavored Markdown, 4.10 Tables (extension)
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..prompt import Message
from ..text import Edit

_ROW = r"[ \t]*\|[^\r\n]*\|[ \t]*"
_DELIMITERS = r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*"
_TABLE = re.compile(rf"^{_ROW}\r?\n{_DELIMITERS}(?:\r?\n{_ROW}$)+", re.MULTILINE)
_SPACES = re.compile(r"(?<=\|) [ \t]+|(?<![ \t|])[ \t]+ (?=\|)")
_DASHES = re.compile(r"(?<=[ \t|:]---)-+")
_LEAST_TOKENS, _LEAST_SHARE = 10, 0.1


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        for match in context.search(_TABLE, message.text, window=4096):
            changes = _without_padding(context, message, match)
            if not changes:
                continue
            cost = context.encoding.count(match[0])
            saved = context.saving(message.text, *changes)
            if saved < max(_LEAST_TOKENS, _LEAST_SHARE * cost):
                continue
            yield context.report(
                f"This table costs {cost:,} tokens, and {cost - saved:,} without its padding",
                message.file_span(*match.span()),
                context.fix(message, "Remove the padding", *changes),
                subject="table",
            )


RULE = Rule(check, "tokens", Severity.HINT, fix="manual", options=("encoding",), since="0.1.0")


def _without_padding(context: Context, message: Message, table: re.Match[str]) -> list[Edit]:
    text = message.text
    header_end = text.index("\n", table.start()) + 1
    dashes = _DASHES.finditer(text, header_end, text.index("\n", header_end))
    changes = [Edit(*match.span()) for match in dashes]
    for match in _SPACES.finditer(text, *table.span()):
        start, end = match.span()
        is_escaped = text[start - 2 : start] == "\\|"
        if not is_escaped and not context.has_gap(message, start, end):
            changes.append(Edit(start + 1, end))
    return sorted(changes)

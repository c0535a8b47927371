r"""Lines should not end in spaces or tabs.

## What it does
Reports spaces and tabs at the ends of lines, other than the last one (see
`trailing-space-in-prompt`). Off by default. Two or more spaces that make a hard line break in
Markdown are left alone, and so is a space next to a placeholder.

## Why it matters
Spaces at line ends can't be seen and are sent. In a text that has them on every line, they add up.

## Example
`Be brief. \nBe kind.`

## Use instead
`Be brief.\nBe kind.`

## Fix
Removes the spaces and tabs.

## Known limits
Whether anything shows the text as Markdown isn't known, so two spaces inside a paragraph are always
a line break.

## References
- CommonMark 0.31, 6.7 Hard line breaks
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding
from ..lint.context import Context, Rule
from ..text import Edit

_SPACES = re.compile(r"(?<![ \t])[ \t]+(?=\r|\n)")
_BLANK_LINE_AFTER = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r|\n|\Z)")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        text = message.text
        end = len(text.rstrip(" \t\r\n"))
        for match in context.search(_SPACES, text):
            if match.end() > end or context.has_gap(message, *match.span()):
                continue
            if _is_hard_break(text, match):
                continue
            count = len(match[0])
            what = "whitespace" if "\t" in match[0] else "a space" if count == 1 else "spaces"
            yield context.report(
                f"The line ends in {what}",
                message.file_span(*match.span()),
                context.fix(message, "Remove the spaces at the line's end", Edit(*match.span())),
            )


RULE = Rule(check, "whitespace", None, fix="safe", since="0.1.0")


def _is_hard_break(text: str, match: re.Match[str]) -> bool:
    """Whether the spaces break the line in Markdown: two or more, inside a paragraph."""
    on_blank_line = match.start() == 0 or text[match.start() - 1] in "\r\n"
    return (
        match[0].endswith("  ")
        and not on_blank_line
        and not _BLANK_LINE_AFTER.match(text, match.end())
    )

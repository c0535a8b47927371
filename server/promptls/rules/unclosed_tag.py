r"""A tag that is opened should be closed.

## What it does
Reports tags of templates (`{% if %}`, `{{#each}}`) that are never closed or were never opened, and
XML-like tags that stand alone on a line of a message when no `</tag>`, or no `<tag>`, is in the
message at all. HTML tags that need no end tag are left alone, and so are tags in code blocks, tags
before an empty line, and several unclosed ones in a text without any closed tag: a form to fill in.

## Why it matters
Template engines refuse the file. XML-like tags tell a model where an example or a document ends;
without the end, your next instruction reads like a part of it.

## Example
`<document>\nThe text.\n\nSummarize the document.`

## Use instead
`<document>\nThe text.\n</document>\n\nSummarize the document.`

## Fix
None: only you know where the part ends.

## References
- WHATWG HTML, 13.1.2.4 Optional tags and 13.1.2 Void elements
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..prompt import Message
from .context import Context, Rule

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>"
)
_ALONE = re.compile(rf"^ {{0,3}}(?P<tag>{_TAG.pattern})[ \t]*$", re.MULTILINE)
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\n|\r)([^\r\n]*)")
_NEEDS_NO_END = re.compile(
    "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
    "|body|colgroup|dd|dt|head|html|li|optgroup|option|p|rb|rp|rt|tbody|td|tfoot|th|thead|tr",
    re.IGNORECASE,
)


def check(context: Context) -> Iterator[Finding]:
    for problem in context.prompt.problems:
        if problem.kind in ("unclosed", "unopened"):
            text = problem.message[:1].upper() + problem.message[1:]
            yield context.finding(RULE, text, (problem.start, problem.end))
    for message in context.prompt.messages:
        if "<" in message.text and message.end <= context.broken_from:
            yield from _xml_tags(context, message)


def _xml_tags(context: Context, message: Message) -> Iterator[Finding]:
    # A tag in a code block is shown, not meant; blanks in its place keep all offsets.
    text = _FENCED.sub(lambda match: " " * len(match[0]), message.text)
    tags = [match for match in context.search(_TAG, text) if not match[0].endswith("/>")]
    opened = {match["name"].lower() for match in tags if not match["close"]}
    closed = {match["name"].lower() for match in tags if match["close"]}
    alone = [match for match in context.search(_ALONE, text) if not match["tag"].endswith("/>")]
    unclosed = [
        match
        for match in alone
        if match["name"].lower() not in (opened if match["close"] else closed)
        and not _NEEDS_NO_END.fullmatch(match["name"])
        and (match["close"] or _has_content(context, message, match.end()))
    ]
    is_form = len({match["name"] for match in unclosed}) > 1 and not opened & closed
    for match in unclosed:
        name = match["name"]
        if is_form and not match["close"]:
            continue
        what = (
            f"</{name}> closes what was never opened"
            if match["close"]
            else (f"<{name}> is never closed")
        )
        yield context.finding(RULE, what, message.file_span(*match.span("tag")))


def _has_content(context: Context, message: Message, tag_end: int) -> bool:
    """Whether something stands on the line after a tag, be it what fills a placeholder."""
    line = _NEXT_LINE.match(message.text, tag_end)
    return line is not None and (bool(line[1].strip()) or context.has_gap(message, *line.span(1)))


RULE = Rule("unclosed-tag", Severity.INFO, check)

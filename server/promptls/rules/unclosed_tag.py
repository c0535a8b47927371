r"""A tag that is opened should be closed.

## What it does
Reports tags of templates (`{% if %}`, `{{#each}}`) that are never closed or were never opened, and
XML-like tags that stand alone on a line of a message when no `</tag>`, or no `<tag>`, is in the
message at all, whatever their attributes and their case.

Not reported are tags in code blocks and comments, HTML elements that need no end tag or only lay
out text, tags before an empty line, and places to fill in: NAMES IN CAPITALS where no such tags
stand in pairs, several words in brackets, and several unclosed tags in a text without any pair.

## Why it matters
Template engines refuse the file: that is a warning. XML-like tags tell a model where an example or
a document ends; without the end, your next instruction reads like a part of it.

## Example
`<document>\nThe text.\n\nSummarize the document.`

## Use instead
`<document>\nThe text.\n</document>\n\nSummarize the document.`

## Fix
None: only you know where the part ends.

## Known limits
One other half anywhere in the message is enough; tags are not paired one by one. A tag that is a
mark and never meant to be closed is reported.

## References
- WHATWG HTML, 13.1.2 Elements: void elements, optional tags, attributes without a value
- CommonMark 0.31, 4.5 Fenced code blocks and 6.5 Autolinks
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..prompt import Message

_NAME = r"(?P<name>[^\W\d][\w.:@-]*)"
_ALONE = re.compile(
    # What follows the name begins with what is none of it, so that there is one way to read it.
    rf"^ {{0,3}}(?P<tag><(?P<close>/?){_NAME}(?P<rest>(?:[^\w.:@<>\r\n-][^<>\r\n]*)?)>)[ \t]*\r?$",
    re.MULTILINE,
)
# What shows that a tag has its other half may stand anywhere, with attributes of any kind.
_ANYWHERE = re.compile(rf"<(?P<close>/?){_NAME}(?=[\s/>=])")
# A tag in a code block or a comment is shown, not meant. What isn't closed goes on to the end.
_SHOWN = re.compile(
    r"^[ \t]*(?P<fence>```|~~~).*?(?:^[ \t]*(?P=fence)|\Z)|<!--.*?(?:-->|\Z)",
    re.MULTILINE | re.DOTALL,
)
_NEXT_LINE = re.compile(r"[ \t]*(?:\r\n|\n|\r)([^\r\n]*)")
_BOOLEAN = re.compile(r"[ \t]+(?:checked|disabled|hidden|inert|open|required|reversed)[ \t]*")
_ADDRESS = re.compile(r"(?:https?|ftp|file|mailto|tel|urn|data|javascript):|[^@]*@[^@]*\.")
_NEEDS_NO_END = re.compile(
    "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
    "|body|colgroup|dd|dt|head|html|li|optgroup|option|p|rb|rp|rt|tbody|td|tfoot|th|thead|tr"
)
_LAYOUT = re.compile(
    "a|abbr|b|big|button|center|div|dl|em|font|form|g|h[1-6]|i|kbd|label|nav|ol|path|s|script"
    "|select|small|span|strike|strong|style|sub|sup|svg|table|textarea|tt|u|ul"
)


def check(context: Context) -> Iterator[Finding]:
    for problem in context.prompt.problems:
        if problem.kind in ("unclosed", "unopened"):
            text = problem.message[:1].upper() + problem.message[1:]
            yield context.report(text, problem[:2], severity=Severity.WARNING)
    if any(problem.kind == "misread" for problem in context.prompt.problems):
        # That a tag isn't closed may be why.
        return
    for message in context.prompt.messages:
        if "<" in message.text and message.end <= context.broken_from:
            yield from _xml_tags(context, message)


RULE = Rule(check, "templates", Severity.INFO, since="0.1.0")


def _xml_tags(context: Context, message: Message) -> Iterator[Finding]:
    # Blanks in the place of what is only shown keep all offsets.
    text = _SHOWN.sub(lambda match: " " * len(match[0]), message.text)
    alone = [match for match in context.search(_ALONE, text, 4096) if _is_tag(match)]
    if not alone:
        return
    halves = [(each["close"], each["name"]) for each in context.search(_ANYWHERE, message.text)]
    opened = {name.lower() for close, name in halves if not close}
    closed = {name.lower() for close, name in halves if close}
    has_capitals = any(_is_in_capitals(name) for close, name in halves if close)
    unclosed = [
        match
        for match in alone
        if match["name"].lower() not in (opened if match["close"] else closed)
        and (match["close"] or has_capitals or not _is_in_capitals(match["name"]))
        and (match["close"] or _has_content(context, message, match.end()))
    ]
    is_form = len({match["name"] for match in unclosed}) > 1 and not opened & closed
    for match in unclosed:
        name = match["name"]
        if is_form and not match["close"]:
            continue
        what = f"<{name}> is never closed"
        if match["close"]:
            what = f"</{name}> closes what was never opened"
        yield context.report(what, message.file_span(*match.span("tag")), subject=what)


def _is_tag(match: re.Match[str]) -> bool:
    """Whether what stands alone on a line is a tag that has another half."""
    name, rest = match["name"].lower(), match["rest"]
    if _NEEDS_NO_END.fullmatch(name) or _LAYOUT.fullmatch(name) or _ADDRESS.match(name):
        return False
    # `<your text here>` is a place to fill in; a tag's attributes have a value, or a known name.
    has_attributes = "=" in rest and rest[0] in "= \t"
    return not rest.strip() or (
        not rest.endswith("/") and (has_attributes or _BOOLEAN.fullmatch(rest) is not None)
    )


def _is_in_capitals(name: str) -> bool:
    return name.isupper()


def _has_content(context: Context, message: Message, tag_end: int) -> bool:
    """Whether something stands on the line after a tag, be it what fills a placeholder."""
    line = _NEXT_LINE.match(message.text, tag_end)
    return line is not None and (bool(line[1].strip()) or context.has_gap(message, *line.span(1)))

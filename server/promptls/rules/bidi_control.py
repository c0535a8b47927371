r"""Text should not be shown in another order than a model reads it.

## What it does
Reports characters that override or embed a text direction (U+202A to U+202E and U+2066 to U+2069)
on lines where they are not closed, where nothing runs from right to left, or where they override
the direction of the letters themselves.

Embeddings and isolates that are closed on the same line are left alone in right-to-left text and
around placeholders, and so is one that only makes a right-to-left line run from the right.
Direction marks (U+200E, U+200F) are looked at by `hidden-characters`.

## Why it matters
The characters change the order in which text is shown, not the order in which it is read. What a
reviewer sees and what the model is given can so be two different texts.

## Example
`Pay \u202e001\u202c EUR.`

## Use instead
`Pay 001 EUR.`

## Fix
Removes the characters, so that the text is shown as it is read.

## Known limits
Each line is judged by itself: what is opened on one line and closed on another is reported.

## References
- CVE-2021-42574, "Trojan Source"
- Unicode Standard Annex #9, Unicode Bidirectional Algorithm
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.characters import BIDI_CONTROLS, RIGHT_TO_LEFT, described
from ..lint.context import Context, Rule
from ..prompt import Message
from ..text import Edit

_CONTROLS = re.compile(f"[{BIDI_CONTROLS}]+")
_RIGHT_TO_LEFT = re.compile(f"[{RIGHT_TO_LEFT}]")
_LINE_END = re.compile("[\n\r\x85\u2029]")

_LEFT_TO_RIGHT = frozenset("\u202a\u2066")
_OVERRIDES = "\u202d\u202e"
_CLOSED_BY = dict.fromkeys("\u202a\u202b", "\u202c") | dict.fromkeys("\u2066\u2067\u2068", "\u2069")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        line_end, belong = 0, False
        for match in context.search(_CONTROLS, message.text):
            start, end = match.span()
            if end > line_end:
                line_end, belong = _line_at(context, message, start, line_end)
            if belong:
                continue
            names = ", ".join(dict.fromkeys(map(described, match[0])))
            yield context.report(
                f"{names} changes the order in which this is shown, not the order in which a "
                "model reads it",
                message.file_span(start, end),
                context.fix(message, "Remove the direction controls", Edit(start, end)),
            )


RULE = Rule(check, "characters", Severity.WARNING, fix="safe", since="0.1.0")


def _line_at(context: Context, message: Message, at: int, after: int) -> tuple[int, bool]:
    """Where the line of the text ends, and whether its direction controls belong there.

    It begins after `after`, the end of one before it.
    """
    text = message.text
    ending = _LINE_END.search(text, at)
    end = ending.start() if ending else len(text)
    start = max(text.rfind("\n", after, at) + 1, text.rfind("\r", after, at) + 1, after)
    line = text[start:end]
    mixed = _RIGHT_TO_LEFT.search(line) is not None or context.has_gap(message, start, end)
    return end, mixed and _is_closed(line)


def _is_closed(line: str) -> bool:
    """Whether nothing is overridden and each embedding and isolate ends on its line.

    One towards the right may end with the line.
    """
    open_: list[str] = []
    for character in "".join(_CONTROLS.findall(line)):
        if character in _OVERRIDES:
            return False
        if character in _CLOSED_BY:
            open_.append(character)
        elif not open_ or _CLOSED_BY[open_.pop()] != character:
            return False
    return _LEFT_TO_RIGHT.isdisjoint(open_)

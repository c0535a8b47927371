r"""Text should have no control characters.

## What it does
Reports control characters other than tab and line ends: C0 (U+0000 to U+001F), DEL (U+007F) and C1
(U+0080 to U+009F), with what belongs to an escape sequence for terminals, such as its colour.

## Why it matters
Nobody sees them, most editors and web pages drop them, and a model is given a token or several for
each. Mostly a terminal's output or a PDF was pasted. A terminal that prints the prompt obeys them.

## Example
`\u001b[31mNever\u001b[0m delete files.\u0007`

## Use instead
`Never delete files.`

## Fix
Removes the characters, of an escape sequence the whole.

## Known limits
One that a program reads on purpose, such as a form feed between pages, is reported as well.

## References
- Unicode Standard, chapter 23.1, Control Codes
- ECMA-48, 5.4 Control sequences
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.characters import touches
from ..lint.context import Context, Rule
from ..text import Edit
from .mojibake import misread_spans

# U+0085 is a line end; `line-separator` looks at it.
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
_RUN = re.compile(rf"(?:(?:\x1b\[|\x9b)[0-9:;<=>?]{{0,64}}[ -/]{{0,8}}[@-~]|[{_CONTROL}])+")
_C1 = re.compile("[\x80-\x9f]")
_NAMES = {
    "\x00": "NULL",
    "\x07": "BELL",
    "\x08": "BACKSPACE",
    "\x0b": "LINE TABULATION",
    "\x0c": "FORM FEED",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x9b": "CONTROL SEQUENCE INTRODUCER",
}


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        text = message.text
        # Half of a character that was decoded twice is no control character of its own.
        misread = misread_spans(context, text) if _C1.search(text) else []
        for match in context.search(_RUN, text):
            start, end = match.span()
            if touches(misread, start, end):
                continue
            names = ", ".join(dict.fromkeys(_named(c) for c in match[0] if _is_control(c)))
            yield context.report(
                f"{names} is a control character"
                if "," not in names
                else f"{names}: control characters",
                message.file_span(start, end),
                context.fix(message, "Remove what nobody sees", Edit(start, end)),
                subject=names,
            )


RULE = Rule(check, "characters", Severity.WARNING, fix="safe", since="0.1.0")


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {_NAMES.get(character, '')}".strip()

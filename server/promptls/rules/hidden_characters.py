r"""Text should have no characters that nobody can see.

## What it does
Reports invisible characters: Unicode tags, runs of variation selectors, zero-width spaces and
joiners, soft hyphens, invisible operators, a byte order mark that isn't at the file's start, and
direction marks where nothing runs from right to left. It says what tags and selectors decode to,
and what the characters cost.

What is spelling stays: joiners inside emoji and inside Persian, Arabic and Indic words, the
selector after an emoji or an ideograph, the tags of a flag, zero-width spaces in Thai or Khmer,
direction marks in right-to-left text.

## Why it matters
A model reads what a reviewer can't see. Tags mirror ASCII one to one, so a whole instruction fits
between two letters, and runs of variation selectors carry any bytes. A hidden text is also dear:
most of its characters are several tokens each.

## Example
`Summarize\u200b this.`

## Use instead
`Summarize this.`

## Fix
Removes the invisible characters. Where they spell something, which a model reads, that is unsafe.

## Known limits
A joiner between letters that join is taken for spelling, even where no word has it. Where prompts
are about these characters, turn the rule off.

## References
- Unicode Standard, chapter 23, Special Areas and Format Characters
- Unicode Technical Standard #51, Unicode Emoji: the sequences that are left alone
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from subword.wording import amount

from ..findings import Applicability, Finding, Severity
from ..lint.characters import (
    DIRECTION_MARKS,
    EMOJI,
    IDEOGRAPHS,
    INVISIBLE,
    JOINING,
    RIGHT_TO_LEFT,
    SKIN_TONES,
    VARIATION_SELECTORS,
    WITHOUT_SPACES,
    ZERO_WIDTH_JOINERS,
    described,
    touches,
)
from ..lint.context import FLOOD, Context, Rule
from ..lint.markers import assembled, control_pattern
from ..prompt import Message
from ..text import Edit
from .mojibake import misread_spans

_RUN = re.compile(f"[{INVISIBLE}]+")
_WITHOUT_SPACES = re.compile(f"[{WITHOUT_SPACES}]")
_NEAR = 16
_RIGHT_TO_LEFT = re.compile(f"[{RIGHT_TO_LEFT}]")

# Each alternative is an invisible character, or several, in a place where it belongs.
_SPELLING = re.compile(
    "|".join(
        (
            # A flag of a region, such as Scotland's.
            "(?<=\U0001f3f4)[\U000e0020-\U000e007e]{1,32}\U000e007f",
            # An emoji, or a symbol, as picture or as text; a keycap.
            f"(?<=[^\\sA-Za-z{INVISIBLE}])[\ufe0e\ufe0f]",
            # A variant of a letter or symbol; a variant of an ideograph.
            f"(?<=[^\\s!-~{INVISIBLE}])[\ufe00-\ufe0d]",
            f"(?<=[{IDEOGRAPHS}])[\U000e0100-\U000e01ef]",
            # Emoji that are one.
            f"(?<=[{EMOJI[5:]}{SKIN_TONES}\ufe0f\U000e007f])\u200d(?=[{EMOJI[5:]}])",
            # Letters that join, or must not.
            f"(?<=[{JOINING}])[{ZERO_WIDTH_JOINERS}]{{1,2}}(?![{ZERO_WIDTH_JOINERS}])",
            f"(?<![{ZERO_WIDTH_JOINERS}])[{ZERO_WIDTH_JOINERS}]{{1,2}}(?=[{JOINING}])",
            f"(?<=[{JOINING}])\u180e|\u180e(?=[{JOINING}])",
        )
    )
)


def check(context: Context) -> Iterator[Finding]:
    markers = control_pattern(context)
    found = 0
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        marks_belong = _RIGHT_TO_LEFT.search(message.text) is not None
        # Half of a character that was decoded twice is no soft hyphen.
        misread = misread_spans(context, message.text) if "\xad" in message.text else []
        for run in context.search(_RUN, message.text):
            for start, end in _hidden(message, *run.span(), marks_belong):
                if touches(misread, start, end):
                    continue
                # What would make a control token is broken by `split-control-token` first.
                harmless = not markers or not assembled(markers, message.text, start, end)
                removal = (Edit(start, end),) if harmless else ()
                run_text = message.text[start:end]
                # What spells something is read by the model, though nobody sees it.
                how: Applicability = "unsafe" if decode(run_text) else "safe"
                fixes = context.fix(
                    message, "Remove what is invisible", *removal, applicability=how
                )
                # What the cost is takes time, and in a flood nobody reads it.
                text = _problem(context, message.text, start, end, priced=found < FLOOD)
                found += 1
                span = message.file_span(start, end)
                subject = "".join(sorted({*run_text}))
                yield context.report(text, span, fixes, subject)


RULE = Rule(check, "characters", Severity.WARNING, fix="safe", since="0.1.0")


def _hidden(
    message: Message, start: int, end: int, marks_belong: bool
) -> Iterator[tuple[int, int]]:
    """The parts of a run of invisible characters that are no spelling."""
    spelling: set[int] = set()
    for match in _SPELLING.finditer(message.text, start, min(end + 1, len(message.text))):
        spelling.update(range(*match.span()))
    if message.text[start] == "\ufeff" and message.file_span(start, start + 1) == (0, 1):
        spelling.add(start)
    spelling.update(i for i in range(start, end) if _may_end_line(message.text, i))
    if marks_belong:
        spelling.update(i for i in range(start, end) if message.text[i] in DIRECTION_MARKS)
    hidden = [i for i in range(start, end) if i not in spelling]
    for _, group in groupby(enumerate(hidden), lambda pair: pair[1] - pair[0]):
        members = [i for _, i in group]
        yield members[0], members[-1] + 1


def _may_end_line(text: str, at: int) -> bool:
    """Whether text[at] says where a line may end, among letters of a script without spaces."""
    around = text[max(at - _NEAR, 0) : at + _NEAR]
    return text[at] == "\u200b" and _WITHOUT_SPACES.search(around) is not None


def _problem(context: Context, text: str, start: int, end: int, priced: bool) -> str:
    run = text[start:end]
    cost = context.saving(text, Edit(start, end)) if priced else 0
    price = f"; the cost is {amount(cost, 'token')}" if cost > 0 else ""
    if len(run) == 1:
        return f"{described(run)} is invisible{price}"
    kinds = list(dict.fromkeys(map(described, run)))
    names = ", ".join(kinds[:3]) + (", …" if len(kinds) > 3 else "")
    decoded = decode(run)
    what = f'spell "{decoded}"' if decoded else f"stand here ({names})"
    return f"{len(run):,} invisible characters {what}{price}"


def decode(run: str) -> str:
    """What tags (ASCII) and variation selectors (bytes of UTF-8) stand for, at most 60 characters.

    Empty when the run is neither, or when it stands for nothing readable.
    """
    tags = "".join(chr(ord(c) - 0xE0000) for c in run if "\U000e0020" <= c <= "\U000e007e")
    selectors = bytes(map(_byte, re.findall(f"[{VARIATION_SELECTORS}]", run)))
    text = tags or selectors.decode("utf-8", "replace")
    if "\ufffd" in text or not text.isprintable() or (not tags and len(selectors) < 2):
        return ""
    return text if len(text) <= 60 else f"{text[:59]}…"


def _byte(selector: str) -> int:
    code = ord(selector)
    return code - 0xFE00 if code < 0xE0000 else code - 0xE0100 + 16

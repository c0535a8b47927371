"""Findings for people: where, what, and the line with a caret below. Lines of styled parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from subword.cli.shared import Line
from subword.wording import amount

from ..findings import Applicability
from ..wording import UNSEEN, visible
from .located import Excerpt, Located

STYLES = {"error": "bold red", "warning": "yellow", "info": "cyan", "hint": "dim"}

# In columns: what is written where the terminal's width isn't known, what can be read at a glance,
# and what stands left of a line. No frame is narrower than it needs to say anything.
COLUMNS, _WIDEST, _NARROWEST, _GUTTER = 100, 160, 40, 8

# What a frame shows or leaves out as one: a character, or several that nobody can see.
_UNIT = re.compile(f"{UNSEEN.pattern}{{4,}}|.", re.DOTALL)


def report(findings: Iterable[Located], columns: int = COLUMNS) -> Iterator[Line]:
    """Each finding as `path:line:column: severity[rule]: message`, with its line below."""
    for finding in findings:
        style = STYLES[finding.severity]
        yield (
            (f"{visible(finding.path)}:{finding.start.line + 1}:{finding.start.column + 1}", ""),
            (": ", "dim"),
            (f"{finding.severity}[{finding.rule}]", style),
            (f": {visible(finding.message)}", ""),
        )
        yield from frame(finding, columns)
        yield ()


def frame(finding: Located, columns: int = COLUMNS) -> Iterator[Line]:
    """The line on which a finding begins, and carets below what was found.

    The line is cut to that many columns, so that no terminal wraps it and moves the carets.
    """
    room = min(max(columns, _NARROWEST), _WIDEST) - _GUTTER
    before, found, after = _cropped(finding.excerpt, room)
    style = STYLES[finding.severity]
    gutter = f"{finding.start.line + 1:>5}"
    yield (f"{gutter} │ ", "dim"), (before, ""), (found, style), (after, "")
    carets = "^" * max(width(found), 1)
    advice = next((_advice(fix.title, finding.mended_by) for fix in finding.fixes), "")
    yield (
        (f"{'':>5} │ ", "dim"),
        (" " * width(before), ""),
        (carets, style),
        (advice, "green"),
    )


def summary(findings: Sequence[Located], files: int, mended: int = 0) -> Line:
    """How much was found, and how much of what had been found is mended."""
    if not findings:
        done = f"{amount(mended, 'finding')} mended, none left" if mended else "No findings"
        return [(f"{done} in {amount(files, 'file')}.", "green")]
    done = f"{amount(mended, 'finding')} mended. " if mended else ""
    text = f"{done}{amount(len(findings), 'finding')} in {amount(files, 'file')}"
    safe = sum(finding.mended_by == "safe" for finding in findings)
    unsafe = sum(finding.mended_by == "unsafe" for finding in findings)
    if safe:
        text += f"; --fix mends {'it' if len(findings) == 1 else f'{safe:,}'}"
    if unsafe:
        what = "it" if len(findings) == 1 else f"{unsafe:,}{' more' if safe else ''}"
        text += f"; --fix --unsafe-fixes mends {what}"
    return [(f"{text}.", "bold")]


def width(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cropped(excerpt: Excerpt, room: int) -> Excerpt:
    """An excerpt that fits into `room` columns, ready to be shown.

    What was found may take half of them, and what stands around it shares the rest.
    """
    before, found, after = map(_units, excerpt)
    # Blanks that are the matter must be seen.
    found = ["·"] * len(found) if excerpt.found.isspace() else found
    shown = "".join(_fitting(found, room // 2))
    room -= width(shown)
    room_before = max(room // 2, room - width("".join(after)))
    left = _from_a_word("".join(_fitting(before[::-1], room_before)[::-1]))
    return Excerpt(left, shown, "".join(_fitting(after, room - width(left))))


def _units(text: str) -> list[str]:
    """A text in parts that are shown as a whole; many that can't be seen are told by number."""
    units = (match[0] for match in _UNIT.finditer(text))
    return [
        visible(unit) if len(unit) == 1 else f"<{len(unit)} invisible characters>" for unit in units
    ]


def _fitting(units: list[str], room: int) -> list[str]:
    """The first units that fit into `room` columns, with an ellipsis for the others."""
    if width("".join(units)) <= room:
        return units
    ends = accumulate(map(width, units))
    return [*(unit for unit, end in zip(units, ends, strict=True) if end < room), "…"]


def _from_a_word(text: str) -> str:
    """A cut text from its first space on, if there is one soon: a cut word is hard to read."""
    space = text.find(" ", 0, len(text) // 3) if text.startswith("…") else 0
    return f"…{text[space:]}" if space > 0 else text


def _advice(title: str, mended_by: Applicability | None) -> str:
    """What mends it: a program, if it is asked to, or only the reader."""
    return f" fix: {title}" if mended_by else f" help: {title}"

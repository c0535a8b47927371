"""Texts that repeat themselves, and what tells whether work on them grows faster than they do.

A text of n characters must cost about n. Work that looks at the same characters again and again
costs n², so it takes sixteen times as long when the text is four times as long; work that is linear
takes four times as long, however slow the machine is. What is compared is the processor time of
this thread, and before a word is said of it, it has to be far beyond noise several times. Calls
of Python's own functions are counted, which needs no patience.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType

from tests.thorough import THOROUGH

# Characters of the shortest text; the longest has four times as many.
LENGTH = 4096 if THOROUGH else 1024

# Shorter work is no matter, whatever it grows like; in seconds of processor time.
_NOTICEABLE = 0.02
# Twice the text takes twice the time if the work is linear, and four times if it is quadratic.
_MUCH = 3.0
_TRIES = 6

# So many calls more are allowed, and so many times as many for four times the text: searches in
# what is sorted make it more than four.
_FEW = 1000
_LINEAR = 6.0

Work = Callable[[str], object]


class Many(str):
    """A part of a pumped text that is repeated."""

    __slots__ = ()


Pump = tuple[str, ...]


def pump(*parts: str) -> Pump:
    """What `pumped` makes a text of: a `Many` is repeated, any other part stands once."""
    return parts


_PART = re.compile("«(?P<many>[^»]+)»|(?P<once>[^«]+)")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-f]{4})|(?P<sign>.))")
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}


def pumps_in(path: Path) -> Iterator[Pump]:
    """The texts of a file: one in each row, with `«…»` around a part that is repeated.

    `\\n` and `\\u200b` are what they are in Python. `include NAME` stands for all in NAME.growth of
    this folder.
    """
    for row in path.read_text("utf-8").rstrip("\n").split("\n"):
        if row.startswith("include "):
            yield from pumps_in(Path(__file__).with_name(f"{row[8:]}.growth"))
        else:
            parts = _PART.finditer(row)
            yield tuple(Many(_said(p["many"])) if p["many"] else _said(p["once"]) for p in parts)


def _said(part: str) -> str:
    def character(escape: re.Match[str]) -> str:
        code, sign = escape["code"], escape["sign"]
        return chr(int(code, 16)) if code else _SIGNS.get(sign, sign)

    return _ESCAPE.sub(character, part)


def pumped(parts: Pump, length: int) -> str:
    """A text in which each repeated part takes that many characters."""
    return "".join(
        part * (length // len(part)) if isinstance(part, Many) else part for part in parts
    )


def check_growth(work: Work, parts: Pump, length: int = LENGTH) -> None:
    """Fail if the work grows clearly faster than the text that is pumped from `parts`."""
    texts = [pumped(parts, n) for n in (0, length, 2 * length, 4 * length)]
    work(texts[0])
    # Calls are exact, so short texts tell as much as long ones.
    calls = [_calls(work, pumped(parts, n)) for n in (length // 8, length // 2)]
    assert calls[1] <= _LINEAR * calls[0] + _FEW, f"calls for {parts} × n/8, n/2: {calls}"
    times: list[list[float]] = []
    for _ in range(_TRIES):
        times.append(_times(work, texts))
        if not _is_superlinear(times[-1]):
            return
    raise AssertionError(f"seconds of processor time for {parts} × 0, n, 2n, 4n: {times}")


def _is_superlinear(times: list[float]) -> bool:
    fixed, once, twice, four_times = times
    if four_times - fixed < _NOTICEABLE:
        return False
    once, twice, four_times = (max(each - fixed, 1e-9) for each in (once, twice, four_times))
    return twice > _MUCH * once and four_times > _MUCH * twice


def _times(work: Work, texts: Iterable[str]) -> list[float]:
    """The least time of three for each text; of one where it is clear already that all is well."""
    fixed, once, twice, four_times = texts
    first = [_time(work, fixed), 0.0, 0.0, _time(work, four_times)]
    if first[3] - first[0] < _NOTICEABLE:
        return first
    first[1] = _time(work, once)
    # Four times is linear, and sixteen times what isn't.
    if first[3] - first[0] < 8 * (first[1] - first[0]):
        return first
    return [min(_time(work, each) for _ in range(3)) for each in (fixed, once, twice, four_times)]


def _time(work: Work, text: str) -> float:
    start = time.thread_time()
    work(text)
    return time.thread_time() - start


def _calls(work: Work, text: str) -> int:
    """How many functions the work calls, those of C included."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work(text)
    finally:
        sys.setprofile(None)
    return count

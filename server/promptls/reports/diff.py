"""A change of a file as a patch that `git apply` and `patch` take."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

# How many lines that stay are shown around those that change.
_CONTEXT = 3
_NO_NEWLINE = "\n\\ No newline at end of file\n"


def unified_diff(before: str, after: str, name: str) -> str:
    """The patch from one text of a file to another; empty when they are the same.

    Patches know only `\\n` as a line's end; other ends are part of the line, and are kept. The
    lines that stay are found in linear time (but for a binary search), and need not be the most.
    """
    if before == after:
        return ""
    path = name.replace("\\", "/")
    old, new = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    lines = [f"--- {old}\n", f"+++ {new}\n"]
    old_lines, new_lines = _lines(before), _lines(after)
    for hunk in _hunks(_changes(old_lines, new_lines)):
        lines += _written(hunk, old_lines, new_lines)
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines)


class _Change(NamedTuple):
    """Lines of the old text, by number from 0, and those that the new text has instead."""

    start: int
    stop: int
    new_start: int
    new_stop: int


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """What changed between the lines that both texts have only once, from the top."""
    start = new_start = 0
    for stop, new_stop in (*_kept(old, new), (len(old), len(new))):
        yield from _within(_Change(start, stop, new_start, new_stop), old, new)
        start, new_start = stop + 1, new_stop + 1


def _kept(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The places of lines that stand once in either text, as many as are in the same order.

    After Bram Cohen's patience diff: the longest ascending sequence of the new places.
    """
    often, new_often = Counter(old), Counter(new)
    place = {line: number for number, line in enumerate(new) if new_often[line] == 1}
    once = (n for n, line in enumerate(old) if often[line] == 1 and line in place)
    pairs = [(number, place[old[number]]) for number in once]
    # For each length, the sequence that ends earliest: where it ends, and its last pair.
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for pair, (_, new_number) in enumerate(pairs):
        length = bisect_left(ends, new_number)
        before.append(lasts[length - 1] if length else -1)
        ends[length : length + 1] = [new_number]
        lasts[length : length + 1] = [pair]
    kept: list[tuple[int, int]] = []
    at = lasts[-1] if lasts else -1
    while at >= 0:
        kept.append(pairs[at])
        at = before[at]
    return kept[::-1]


def _within(part: _Change, old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """The changes in a part: line by line if it has as many as before, else all but its ends."""
    start, stop, new_start, new_stop = part
    while start < stop and new_start < new_stop and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < stop and new_start < new_stop and old[stop - 1] == new[new_stop - 1]:
        stop, new_stop = stop - 1, new_stop - 1
    shift = new_start - start
    if stop + shift != new_stop:
        yield _Change(start, stop, new_start, new_stop)
        return
    for differ, run in groupby(range(start, stop), lambda n: old[n] != new[n + shift]):
        if differ:
            first, *others = run
            last = others[-1] if others else first
            yield _Change(first, last + 1, first + shift, last + 1 + shift)


def _hunks(changes: Iterable[_Change]) -> Iterator[list[_Change]]:
    """Changes so near to each other that the lines shown around them touch."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change.start - hunk[-1].stop > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _written(hunk: list[_Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    above = min(_CONTEXT, first.start)
    below = min(_CONTEXT, len(old) - last.stop)
    place = _range(first.start - above, last.stop + below)
    new_place = _range(first.new_start - above, last.new_stop + below)
    yield f"@@ -{place} +{new_place} @@\n"
    at = first.start - above
    for change in hunk:
        yield from (" " + line for line in old[at : change.start])
        yield from ("-" + line for line in old[change.start : change.stop])
        yield from ("+" + line for line in new[change.new_start : change.new_stop])
        at = change.stop
    yield from (" " + line for line in old[at : at + below])


def _range(start: int, stop: int) -> str:
    """Where lines stand, from 1; of none, the line before them."""
    return f"{start + (start < stop)},{stop - start}"


def _quoted(path: str) -> str:
    """A path as Git writes it in a patch: as a string of C where it has what can't be shown."""
    if path.isprintable() and '"' not in path:
        return path
    data = path.encode("utf-8", "surrogateescape")
    shown = (chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in data)
    return f'"{"".join(shown)}"'


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + list(_last(text))


def _last(text: str) -> Iterator[str]:
    """What stands after the last line end, if anything does."""
    if last := text.rpartition("\n")[2]:
        yield last

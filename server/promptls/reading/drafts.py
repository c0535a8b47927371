"""Texts of messages with all branches in them, and what of them each option decides on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from subword.cuts import Cutter

from ..conditions import Domains, subjects
from ..prompt import Branch, Message, Option
from ..source_map import Span

Place = tuple[Span, int]
"""An option: its branch's place, and its number there."""


def place(branch: Branch) -> Span:
    """What a branch is known by: where in the file it stands."""
    return Span(branch.start, branch.end)


# What stands at one character of the file, in its order.
_END, _START, _VALUE = range(3)


class Step(NamedTuple):
    """What comes next in a text: a branch that decides, some text, or else a value."""

    around: Place | None
    """The option that it stands in."""
    branch: Branch | None = None
    text: str | None = None


class Edges(NamedTuple):
    """What is taken from the edges of what is left of a text."""

    left: str
    right: str
    needs_text: bool
    """Whether nothing is left of what is nothing but whitespace without a value."""


class Placed(NamedTuple):
    """A branch, and where its options' texts stand in a message's text."""

    branch: Branch
    spans: list[Span]

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def end(self) -> int:
        return self.spans[-1].end


class Window(NamedTuple):
    """A stretch of a message's text that can be counted apart from the rest, whatever is chosen."""

    start: int
    end: int
    placed: list[Placed]

    def keys(self, known: Domains) -> Iterator[Hashable]:
        """What the window shares with others that cannot be chosen apart from it."""
        for branch, _ in self.placed:
            yield place(branch)
            yield from subjects((option.condition for option in branch.options), known)


class Draft:
    """A message's text with every option in it, and with what is filled in for its values."""

    def __init__(self, message: Message, filled: Mapping[int, str]) -> None:
        self._message = message
        starts = [value.start for value in message.values if value.start in filled]
        lengths = (len(filled[start]) for start in starts)
        self._starts, self._added = starts, list(accumulate(lengths, initial=0))
        parts, at = list[str](), 0
        for start in starts:
            to = message.source.to_text(start)
            parts += (message.text[at:to], filled[start])
            at = to
        self.text = "".join([*parts, message.text[at:]])

    def windows(self, cutter: Cutter) -> list[Window]:
        """The stretches that hold all branches which have some text, in ascending order."""
        found: list[Window] = []
        for placed in self._placed():
            if found and placed.end + cutter.reach < found[-1].end:
                found[-1].placed.append(placed)
                continue
            start, end = cutter.unharmed(self.text, placed.start, placed.end)
            merged: list[Window] = []
            while found and start < found[-1].end:
                merged.insert(0, found.pop())
                start, end = min(start, merged[0].start), max(end, merged[0].end)
            held = merged[0].placed if merged else []
            for window in merged[1:]:
                held += window.placed
            found.append(Window(start, end, [*held, placed]))
        return found

    def edges(self, window: Window) -> Edges:
        """What the format takes from a window's edges."""
        message, is_first, is_last = self._message, not window.start, window.end == len(self.text)
        left, right = message.trims if is_first else "", message.trims if is_last else ""
        return Edges(left, right, message.needs_text and is_first and is_last)

    def steps(self, window: Window) -> Iterator[Step]:
        """A window's text from left to right, a branch where its first option begins."""
        around: list[Place] = []
        decided: set[Span] = set()
        at = window.start
        for in_file, kind, _, option, branch in sorted(self._marks(window), key=lambda m: m[:3]):
            offset = self._at(in_file)
            if at < offset:
                yield Step(around[-1] if around else None, text=self.text[at:offset])
                at = offset
            inside = around[-1] if around else None
            if kind == _END:
                around.pop()
            elif branch is None:
                yield Step(inside)
            else:
                if place(branch) not in decided:
                    yield Step(inside, branch)
                    decided.add(place(branch))
                around.append((place(branch), option))
        if at < window.end:
            yield Step(None, text=self.text[at : window.end])

    def _marks(self, window: Window) -> Iterator[tuple[int, int, int, int, Branch | None]]:
        """Where in the file options begin and end, and values stand."""
        for depth, (branch, _) in enumerate(window.placed):
            for number, option in enumerate(branch.options):
                start, end = self._inside(option)
                if start < end:
                    yield start, _START, depth, number, branch
                    yield end, _END, -depth, number, branch
        if any(self.edges(window)):
            for start, _ in self._message.values:
                if window.start <= self._at(start) <= window.end:
                    yield start, _VALUE, 0, 0, None

    def _placed(self) -> Iterator[Placed]:
        """The branches that have some text in this message."""
        for branch in self._message.branches:
            inside = map(self._inside, branch.options)
            spans = [Span(self._at(start), self._at(end)) for start, end in inside]
            if any(start < end for start, end in spans):
                yield Placed(branch, spans)

    def _inside(self, option: Option) -> Span:
        """What of an option stands in this message, in characters of the file."""
        start, end = self._message.start, self._message.end
        return Span(min(max(option.start, start), end), min(max(option.end, start), end))

    def _at(self, file_offset: int) -> int:
        """The offset of the text that stands for a character of the file."""
        added = self._added[bisect_left(self._starts, file_offset)]
        return self._message.source.to_text(file_offset) + added

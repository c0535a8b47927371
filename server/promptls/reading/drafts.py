"""Texts of messages with all branches in them, and what is left once options are chosen."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from subword.cuts import Cutter

from ..conditions import Domains, tests
from ..prompt import Branch, Message, Span
from .combinations import Chosen, place


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
            for test in tests(option.condition for option in branch.options):
                subject = test.subject
                above = (subject[:length] for length in range(1, len(subject)))
                yield from (subject, *(each for each in above if each in known))


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

    def chosen(self, window: Window, chosen: Chosen) -> str:
        """What is left of a window's text, without what the format takes from its edges."""
        removed = list(self._removed(window, chosen))
        parts, at = list[str](), window.start
        for span, _ in removed:
            parts.append(self.text[at : span.start])
            at = span.end
        text = "".join([*parts, self.text[at : window.end]])
        message = self._message
        is_first, is_last = window.start == 0, window.end == len(self.text)
        if not (is_first or is_last) or not (message.trims or message.needs_text):
            return text
        values = list(self._values_left(window, removed))
        if is_first and is_last and message.needs_text and not values and not text.strip():
            return ""
        first, last = (values[0], values[-1]) if values else (len(text), 0)
        if is_last:
            text = text[:last] + text[last:].rstrip(message.trims)
        if is_first:
            text = text[:first].lstrip(message.trims) + text[first:]
        return text

    def own_texts(self, window: Window) -> Iterator[tuple[tuple[Span, int], str]]:
        """The text of each option outside of the branches in it, in parts."""
        edges = sorted(
            edge
            for depth, placed in enumerate(window.placed)
            for number, span in enumerate(placed.spans)
            if span.start < span.end
            for edge in (
                (span.start, 1, depth, (place(placed.branch), number)),
                (span.end, 0, -depth, (place(placed.branch), number)),
            )
        )
        around: list[tuple[Span, int]] = []
        at = window.start
        for offset, is_start, _, option in edges:
            if around and at < offset:
                yield around[-1], self.text[at:offset]
            at = offset
            if is_start:
                around.append(option)
            else:
                around.pop()

    def _placed(self) -> Iterator[Placed]:
        """The branches that have some text in this message."""
        message = self._message
        for branch in message.branches:
            spans = [
                Span(
                    self._at(min(max(option.start, message.start), message.end)),
                    self._at(min(max(option.end, message.start), message.end)),
                )
                for option in branch.options
            ]
            if any(start < end for start, end in spans):
                yield Placed(branch, spans)

    def _at(self, file_offset: int) -> int:
        """The offset of the text that stands for a character of the file."""
        added = self._added[bisect_left(self._starts, file_offset)]
        return self._message.source.to_text(file_offset) + added

    def _removed(self, window: Window, chosen: Chosen) -> Iterator[tuple[Span, Span]]:
        """The stretches that aren't sent, of the text and of the file, without those in others."""
        at = -1
        found = sorted(
            (option.start, option.end, span)
            for branch, spans in window.placed
            for number, (option, span) in enumerate(zip(branch.options, spans, strict=True))
            if chosen.get(place(branch)) != number
        )
        for start, end, span in found:
            if start >= at:
                yield span, Span(start, end)
                at = end

    def _values_left(self, window: Window, removed: list[tuple[Span, Span]]) -> Iterator[int]:
        """Where in what is left of a window's text values are still to be written."""
        gone, rest = 0, iter(removed)
        span, in_file = next(rest, _NOTHING)
        for start, _ in self._message.values:
            while in_file.end <= start:
                gone += span.end - span.start
                span, in_file = next(rest, _NOTHING)
            at = self._at(start)
            if start < in_file.start and window.start <= at <= window.end:
                yield at - gone - window.start


_NOTHING = Span(sys.maxsize, sys.maxsize), Span(sys.maxsize, sys.maxsize)

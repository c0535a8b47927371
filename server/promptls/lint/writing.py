"""How a change to a message's text is made in its file, or that it can't be made safely."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ..prompt import Message
from ..source_map import Span
from ..text import Edit

# What can be written in the middle of any string, quoted or not, and means itself there.
_HARMLESS = re.compile(r"[\w<|> \u0300-\u036f]*")

# Two of these side by side can begin or end a template's tag, or escape one.
_TAG_CHARACTERS = frozenset("{}%#$\\@")


@dataclass(frozen=True)
class Writer:
    """Writes into one message of a file.

    It never touches a placeholder, a tag or a half of an escape. Where the text isn't the file's
    own, it writes only what needs no escape in any format.
    """

    file: str
    message: Message
    gaps: Sequence[int]
    """Where, in the text, something was taken out that is sent."""
    taken_out: Mapping[int, int]
    """The placeholders, tags and comments of the file: where each begins and ends."""

    def edits(self, change: Edit) -> list[Edit] | None:
        """The edits of the file that make a change to the text; None if they aren't safe."""
        start, end, new = change
        if start == end:
            return self._insertion(start, new)
        spans = self._file_spans(start, end)
        if not spans or not self._is_safe(spans, change):
            return None
        if not new:
            return [Edit(*span, "") for span in spans]
        joined = all(a.end == b.start for a, b in pairwise(spans))
        return [Edit(spans[0].start, spans[-1].end, new)] if joined else None

    @cached_property
    def is_raw(self) -> bool:
        """Whether the message is whole lines of the file, unchanged but for what was taken out.

        Then anything may be written into it, line ends included.
        """
        runs = self.message.source.runs
        first = runs[0].file_start if runs else self.message.start
        if (first and self.file[first - 1] not in "\r\n") or not all(run.verbatim for run in runs):
            return False
        return all(
            self._is_continued(run.file_start + run.file_length, following.file_start)
            for run, following in pairwise(runs)
        )

    def _is_continued(self, start: int, end: int) -> bool:
        """Whether file[start:end] is tags, with the whitespace that they take along, or nothing.

        Whitespace alone is the indentation of a YAML block.
        """
        tags = start == end
        while start < end:
            if start in self.taken_out:
                start, tags = self.taken_out[start], True
            elif self.file[start].isspace():
                start += 1
            else:
                return False
        return tags

    def _insertion(self, at: int, new: str) -> list[Edit] | None:
        before = self._file_spans(at - 1, at) if at else None
        after = self._file_spans(at, at + 1) if at < len(self.message.text) else None
        if not before or not after:
            return None
        end, start = before[-1].end, after[0].start
        at_gap = bisect_left(self.gaps, at) < bisect_right(self.gaps, at)
        if (end != start and not at_gap) or not (self.is_raw or self._is_harmless(end, start, new)):
            return None
        return [Edit(start, start, new)]

    def _is_safe(self, spans: list[Span], change: Edit) -> bool:
        """Whether the change leaves everything else as it was read, tags above all."""
        file, new = self.file, change.text
        start, end = spans[0].start, spans[-1].end
        before, after = file[start - 1 : start], file[end : end + 1]
        # Outside raw text a backslash begins an escape of the string, not of a tag.
        joins = _TAG_CHARACTERS if self.is_raw else _TAG_CHARACTERS - {"\\"}
        if not new and before in joins and after in joins:
            return False
        if self.is_raw:
            return True
        leaves_nothing = change.end - change.start == len(self.message.text)
        if leaves_nothing or any("\n" in file[a:b] or "\r" in file[a:b] for a, b in spans):
            return False
        return self._is_harmless(start, end, new)

    def _is_harmless(self, start: int, end: int, new: str) -> bool:
        """Whether `new` means itself in place of file[start:end], inside a string of any format.

        A string without quotes, as YAML has it, must neither begin nor end with what is written,
        nor get whitespace next to a line end, a colon or a number sign.
        """
        before, after = self.file[start - 1 : start], self.file[end : end + 1]
        if not _HARMLESS.fullmatch(new):
            return False
        if self._is_quoted:
            return not self._has_line_ends or not (before.isspace() or after.isspace())
        if new == " ":
            return not before.isspace() and not after.isspace() and after != "#" and before != ":"
        is_last = after in ("", "\n", "\r")
        return (before.isalnum() and (after.isalnum() or (is_last and not new))) or new.isalnum()

    @cached_property
    def _is_quoted(self) -> bool:
        first = self.message.source.runs[0].file_start
        return self.file[first - 1 : first] in ("'", '"')

    @cached_property
    def _has_line_ends(self) -> bool:
        last = self.message.source.runs[-1]
        first = self.message.source.runs[0].file_start
        source = self.file[first : last.file_start + last.file_length]
        return "\n" in source or "\r" in source

    def _file_spans(self, start: int, end: int) -> list[Span] | None:
        """Where text[start:end] comes from; None if it halves an escape."""
        spans = []
        for run in self.message.source.between(start, end):
            low, high = max(start - run.text_start, 0), min(end - run.text_start, run.text_length)
            if run.verbatim:
                spans.append(Span(run.file_start + low, run.file_start + high))
            elif (low, high) == (0, run.text_length):
                spans.append(Span(run.file_start, run.file_start + run.file_length))
            else:
                return None
        return spans

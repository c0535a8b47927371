"""How many tokens each message, line and file has: exact, from one tokenization per message."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from subword import Encoding, SpecialMode

from .prompt import Message, Prompt


class TextCount(Protocol):
    """The count of one message's text."""

    @property
    def total(self) -> int:
        """All tokens of the text."""

    def range_tokens(self, start: int, end: int) -> int:
        """The tokens whose first byte lies in text[start:end], in characters."""


class WholeCount:
    """The count of a text that is encoded once, as a whole."""

    def __init__(self, encoding: Encoding, text: str, special: SpecialMode) -> None:
        self._starts = encoding.token_starts(text, special)

    @property
    def total(self) -> int:
        return len(self._starts)

    def range_tokens(self, start: int, end: int) -> int:
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)


@dataclass(frozen=True)
class Counts:
    """The counts of a prompt: one `TextCount` for each of its messages, in their order."""

    prompt: Prompt
    by_message: Sequence[TextCount]

    @property
    def total(self) -> int:
        """The tokens of all messages."""
        return sum(count.total for count in self.by_message)

    def in_file_range(self, start: int, end: int) -> int:
        """The tokens that begin in file[start:end], in characters of the file.

        Ranges that lie side by side and cover the file add up to the total.
        """
        return sum(
            count.range_tokens(message.source.to_text(start), message.source.to_text(end))
            for message, count in self._touching(start, end)
        )

    def per_line(self, line_starts: Sequence[int], length: int) -> list[int]:
        """The tokens that begin on each line of the file, header lines having none.

        `line_starts` are file offsets of lines that follow each other and `length` is where the
        last of them ends.
        """
        ends = [*line_starts[1:], length]
        return [self.in_file_range(a, b) for a, b in zip(line_starts, ends, strict=True)]

    def _touching(self, start: int, end: int) -> list[tuple[Message, TextCount]]:
        messages = self.prompt.messages
        if len(messages) == 1:
            return [(messages[0], self.by_message[0])]
        return [
            (message, count)
            for message, count in zip(messages, self.by_message, strict=True)
            if message.start < end and start <= message.end
        ]


def count_prompt(prompt: Prompt, encoding: Encoding, special: SpecialMode = "text") -> Counts:
    """Count every message of a prompt."""
    return Counts(
        prompt, tuple(WholeCount(encoding, message.text, special) for message in prompt.messages)
    )

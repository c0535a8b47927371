"""A reading: what is known of one state of a prompt file, from which all that is shown is made."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import NamedTuple

from subword import Encoding, Token, TokenIndex
from subword.lines import line_starts

from ..formats import Format, detect
from ..prompt import Prompt
from ..settings import Settings
from ..source_map import Run, SourceMap, Span
from ..text import Text
from .amounts import Amount
from .counts import TextCount, WholeCount
from .encodings import EncodingUnavailable, MissingEncoding
from .estimates import Filled, Wrapper, chat_wrapper, count_filled, with_markers
from .models import Choice, choose
from .ranges import Counter, Range, Ranges, file_ranges


class PlacedToken(NamedTuple):
    """A token of a prompt and the range of the file, in characters, that it comes from."""

    token: Token
    start: int
    end: int


class _Counted(NamedTuple):
    """A message's text with its count, and where in the file it comes from."""

    span: Span
    source: SourceMap
    text: Callable[[int, int], str]
    """text[start:end] of the message."""
    tokens: TextCount


@dataclass(frozen=True, eq=False)
class Reading:
    """What is known of one state of a prompt file. What isn't given is worked out when asked for.

    It never changes, and any thread may ask. Offsets are characters of the file.
    """

    source: str | Text
    path: str | None
    format: Format
    settings: Settings
    choice: Choice
    """What counts it, and why."""
    parsed: Prompt | None = None
    counted: Sequence[TextCount] | None = None
    """The counts of the messages' texts, with every option of their branches in them."""
    counter: Counter | None = None
    """What remembers counts of the state before, for what didn't change."""

    @cached_property
    def text(self) -> str:
        return str(self.source)

    @cached_property
    def prompt(self) -> Prompt:
        return self.parsed or self.format.parse(self.text)

    @property
    def frame(self) -> Prompt:
        """The prompt; without its one message if the file is that, at no cost that grows with it.

        Such a file has nothing else that a prompt can have.
        """
        return Prompt(()) if self.format.verbatim else self.prompt

    @property
    def utf8_length(self) -> int:
        """In bytes of UTF-8."""
        if isinstance(self.source, Text):
            return self.source.utf8_length
        return len(self.source.encode("utf-8", "replace"))

    @property
    def line_count(self) -> int:
        """As many as `line_starts` has, in a fiftieth of the time."""
        if isinstance(self.source, Text):
            return self.source.line_count
        returns = self.source.count("\r")
        pairs = self.source.count("\r\n") if returns else 0
        return 1 + self.source.count("\n") + returns - pairs

    @property
    def encoding(self) -> Encoding:
        return self.choice.encoding

    def again(self, text: str) -> Reading:
        """The reading of another text in the same format, counted by the same."""
        return Reading(text, self.path, self.format, self.settings, self.choice)

    # All of the file

    @cached_property
    def counts(self) -> Sequence[TextCount]:
        """The count of each message's text, with every option of its branches in it."""
        if self.counted is not None:
            return self.counted
        # A text that stands in several messages, as an alias of YAML does, is counted once.
        special = self.settings.special_tokens
        texts = {message.text for message in self.prompt.messages}
        known = {text: WholeCount(self.encoding, text, special) for text in texts}
        return [known[message.text] for message in self.prompt.messages]

    @cached_property
    def ranges(self) -> Ranges:
        """From the fewest to the most tokens that can be sent, in all and by message."""
        totals = [count.total for count in self.counts]
        if self.format.verbatim:
            total = Range(totals[0], totals[0])
            return Ranges(total, [total], [])
        counter = self.counter or Counter(self.encoding, self.settings.special_tokens)
        return file_ranges(self.prompt, totals, counter)

    @property
    def total(self) -> int:
        """The most tokens that can be sent: what a budget is held against."""
        return self.ranges.total.high

    @property
    def amount(self) -> Amount:
        """What is sent in all, with how sure that is."""
        return self.ranges.total.amount(self.choice)

    @property
    def message_amounts(self) -> list[Amount]:
        """What is sent of each message."""
        return [each.amount(self.choice) for each in self.ranges.messages]

    @property
    def alternative_amounts(self) -> list[Amount]:
        """The tokens of each of the file's prompts, if it holds several."""
        return [each.amount(self.choice) for each in self.ranges.alternatives]

    def range_in(self, encoding: Encoding) -> Range:
        """From the fewest to the most that can be sent, in another encoding."""
        if encoding is self.encoding:
            return self.ranges.total
        counter = Counter(encoding, self.settings.special_tokens)
        totals = [counter.count(message.text) for message in self.prompt.messages]
        return file_ranges(self.prompt, totals, counter).total

    @cached_property
    def raw_tokens(self) -> int:
        """The tokens of the file as it stands."""
        messages = () if self.format.verbatim else self.prompt.messages
        if self.format.verbatim or (len(messages) == 1 and messages[0].text == self.text):
            return self.counts[0].total
        return self.encoding.count(self.text, self.settings.special_tokens)

    # What stands beside the count

    @property
    def wrapper(self) -> Wrapper | None:
        """What a chat's wrapper adds; OpenAI's is documented, so nothing for other models."""
        is_exact = self.choice.exactness == "exact"
        return chat_wrapper(self.frame, self.encoding) if is_exact else None

    @property
    def filled(self) -> Filled | None:
        """The count with sample values in the placeholders; None where no sample is of use."""
        return count_filled(self.frame, self.encoding, self.settings)

    @property
    def with_markers(self) -> int | None:
        """The tokens of a chat in a model's own markers, with these; None for other prompts."""
        if self.frame.markers is None:
            return None
        special = self.settings.special_tokens
        return with_markers(self.text, self.prompt, self.encoding, special)

    # Parts of the file

    @cached_property
    def line_starts(self) -> list[int]:
        """The character at which each line of the file begins."""
        return line_starts(self.text)

    @cached_property
    def line_tokens(self) -> list[int]:
        """The tokens that begin on each line; those of every option of a branch."""
        return self._between([*self.line_starts, len(self.text)])

    def lines(self, first: int, stop: int) -> list[int]:
        """The tokens that begin on the lines `first` up to, not with, `stop`."""
        if isinstance(self.source, str):
            return self.line_tokens[first:stop]
        if self.format.verbatim and isinstance(index := self.counts[0], TokenIndex):
            return index.lines(first, stop)
        starts = self.source.line_starts(first, stop)
        return self._between([*starts, self.source.line_start(first + len(starts))])

    def _between(self, bounds: Sequence[int]) -> list[int]:
        """The tokens that begin between each two of these places of the file."""
        return [self.in_file_range(start, end) for start, end in pairwise(bounds)]

    def in_file_range(self, start: int, end: int) -> int:
        """The tokens that begin in file[start:end].

        Those of every option of a branch. Where there are no branches, ranges that lie side by side
        and cover the file add up to the total.
        """
        return sum(
            each.tokens.range_tokens(each.source.to_text(start), each.source.to_text(end))
            for each in self._touching(start, end)
        )

    def selection(self, start: int, end: int) -> int:
        """The tokens of what file[start:end] sends, counted as a text of its own.

        That is what a selection costs where it is pasted; `in_file_range` would say 0 of a word
        whose token begins with the space before it.
        """
        special = self.settings.special_tokens
        return sum(self.encoding.count(text, special) for text in self.sent(start, end))

    def sent(self, start: int, end: int) -> Iterator[str]:
        """What file[start:end] sends: some of each message's text that comes from there."""
        for each in self._touching(start, end):
            yield each.text(each.source.to_text(start), each.source.to_text(end))

    def tokens_in(self, start: int, end: int) -> list[PlacedToken]:
        """The tokens that come from some of file[start:end]."""
        return [
            PlacedToken(token, *each.source.span(token.start, token.end))
            for each in self._touching(start, end)
            for token in each.tokens.tokens(each.source.to_text(start), each.source.to_text(end))
        ]

    def _touching(self, start: int, end: int) -> Iterator[_Counted]:
        starts, ends = self._bounds
        near = slice(bisect_left(ends, start), bisect_left(starts, end))
        for each in self._messages[near]:
            if each.span.start < end and start <= each.span.end:
                yield each

    @cached_property
    def _messages(self) -> list[_Counted]:
        if self.format.verbatim and isinstance(self.source, Text):
            length = len(self.source)
            source = SourceMap([Run(0, 0, length, length, True)])
            return [_Counted(Span(0, length), source, self.source.slice, self.counts[0])]
        return [
            _Counted(Span(m.start, m.end), m.source, partial(_slice, m.text), count)
            for m, count in zip(self.prompt.messages, self.counts, strict=True)
        ]

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """For each message where it or a later one starts, and where it or an earlier one ends.

        Both ascend, so that few of thousands of messages are looked at for one line.
        """
        spans = [each.span for each in self._messages]
        starts = list(accumulate((span.start for span in reversed(spans)), min))[::-1]
        return starts, list(accumulate((span.end for span in spans), max))


def _slice(text: str, start: int, end: int) -> str:
    return text[start:end]


def read(
    text: str | Text,
    path: str | None = None,
    settings: Settings | None = None,
    language_id: str | None = None,
    needs_tokenizer: bool = True,
) -> Reading:
    """Read a prompt file as a whole. `path` says its format and which settings apply.

    Raises `EncodingUnavailable` when the settings name what can't be had. Without
    `needs_tokenizer` there is then a reading that has no counts.
    """
    settings = settings or Settings()
    file_format = detect(path, str(text), language_id)
    prompt = file_format.parse(str(text))
    try:
        choice = choose(settings, prompt.models)
    except EncodingUnavailable as error:
        if needs_tokenizer:
            raise
        choice = Choice(MissingEncoding(error))
    return Reading(text, path, file_format, settings, choice, prompt)

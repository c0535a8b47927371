"""How many tokens each message, line and file has: exact, from one tokenization per message."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple, Protocol

from subword import Encoding, SpecialMode, Token, TokenIndex

from ..formats import Format
from ..prompt import Alternative, Message, Prompt, Uncounted
from ..settings import Settings
from ..text import Text
from .amounts import Amount
from .estimates import Filled, Wrapper, chat_wrapper, count_filled, with_markers
from .models import Choice
from .ranges import Counter, Range, Ranges, file_ranges


class TextCount(Protocol):
    """The count of one message's text."""

    @property
    def total(self) -> int:
        """All tokens of the text."""

    def range_tokens(self, start: int, end: int) -> int:
        """How many tokens' first bytes lie in text[start:end], in characters."""

    def tokens(self, start: int, end: int) -> Sequence[Token]:
        """The tokens that cover some of text[start:end], in characters, wholly or in part."""


class WholeCount:
    """The count of a text that is encoded once, as a whole."""

    def __init__(self, encoding: Encoding, text: str, special: SpecialMode) -> None:
        self._starts = encoding.token_starts(text, special)
        self._split: Callable[[], list[Token]] = lambda: encoding.split(text, special)

    @property
    def total(self) -> int:
        return len(self._starts)

    def range_tokens(self, start: int, end: int) -> int:
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def tokens(self, start: int, end: int) -> Sequence[Token]:
        return [token for token in self._tokens if token.start < end and start < token.end]

    @cached_property
    def _tokens(self) -> list[Token]:
        return self._split()


class PlacedToken(NamedTuple):
    """A token of a prompt and the range of the file, in characters, that it comes from."""

    token: Token
    start: int
    end: int


class Counts:
    """The counts of a prompt: one `TextCount` for each of its messages, in their order."""

    def __init__(
        self,
        choice: Choice,
        special: SpecialMode,
        prompt: Prompt,
        by_message: Sequence[TextCount],
        counter: Counter | None = None,
    ) -> None:
        """`counter` remembers what it counted for an earlier state of the prompt."""
        self.choice = choice
        self._encoding = choice.encoding
        self._special = special
        self.prompt = prompt
        self.by_message = by_message
        """The counts of the messages' texts, with every option of their branches in them."""
        totals = [count.total for count in by_message]
        counter = counter or Counter(choice.encoding, special)
        self._ranges = file_ranges(prompt, totals, counter)

    @property
    def ranges(self) -> Ranges:
        """From the least to the most that can be sent, in all and by message."""
        return self._ranges

    @property
    def encoding(self) -> str:
        """The name of the encoding that was counted with."""
        return self._encoding.name

    def is_special(self, id: int) -> bool:
        """Whether an id is a special token's."""
        return id in self._encoding.special_ids

    @property
    def format(self) -> str:
        """The name of the file's format."""
        return self.prompt.format

    @property
    def placeholders(self) -> int:
        """How many places are filled before the prompt is sent; they count nothing."""
        return self.prompt.value_count

    @property
    def loops(self) -> int:
        """How many loops there are, each counted as if it had one item."""
        return self.prompt.loop_count

    @property
    def uncounted(self) -> tuple[Uncounted, ...]:
        """What the model is given beside the messages' texts, which no count here includes."""
        return self.prompt.uncounted

    @property
    def total(self) -> int:
        """The most tokens that can be sent: what a budget is held against."""
        return self.ranges.total.high

    @property
    def whole(self) -> Amount:
        """What is sent in all."""
        return self.ranges.total.amount(self.choice)

    @property
    def message_amounts(self) -> list[Amount]:
        """What is sent of each message."""
        return [each.amount(self.choice) for each in self.ranges.messages]

    def range_in(self, encoding: Encoding) -> Range:
        """From the least to the most that can be sent, in another encoding."""
        if encoding.name == self.encoding:
            return self.ranges.total
        counter = Counter(encoding, self._special)
        counts = [encoding.count(m.text, self._special) for m in self.prompt.messages]
        return file_ranges(self.prompt, counts, counter).total

    def amount(self, tokens: int) -> Amount:
        """A number of these tokens, with how sure it is."""
        return self.choice.amount(tokens)

    @property
    def by_alternative(self) -> list[Amount]:
        """The tokens of each of the file's prompts, if it holds several."""
        return [each.amount(self.choice) for each in self.ranges.alternatives]

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The prompts of a file that holds several."""
        return self.prompt.alternatives

    def in_file_range(self, start: int, end: int) -> int:
        """The tokens that begin in file[start:end], in characters of the file.

        Those of every option of a branch. Where there are no branches, ranges that lie side by side
        and cover the file add up to the total.
        """
        return sum(
            count.range_tokens(message.source.to_text(start), message.source.to_text(end))
            for message, count in self._touching(start, end)
        )

    def raw(self, text: Text) -> int:
        """The tokens of the file's text as it stands."""
        return self._encoding.count(str(text), self._special)

    def beside(self, settings: Settings) -> tuple[Wrapper | None, Filled | None]:
        """The figures beside the count: of a chat's wrapper and of filled placeholders."""
        encoding, is_exact = self._encoding, self.choice.exactness == "exact"
        wrapper = chat_wrapper(self.prompt, encoding) if is_exact else None
        return wrapper, count_filled(self.prompt, encoding, settings)

    def with_markers(self, text: Text) -> int | None:
        """The tokens of a chat in a model's own markers, with these; None for other prompts."""
        return with_markers(str(text), self.prompt, self._encoding, self._special)

    def selection(self, start: int, end: int) -> int:
        """The tokens of what file[start:end] sends, counted as a text of its own.

        That is what a selection costs where it is pasted; `in_file_range` would say 0 of a word
        whose token begins with the space before it.
        """
        return sum(self._encoding.count(text, self._special) for text in self.sent(start, end))

    def sent(self, start: int, end: int) -> Iterator[str]:
        """What file[start:end] sends: some of each message's text that comes from there."""
        for message, _ in self._touching(start, end):
            yield message.text[message.source.to_text(start) : message.source.to_text(end)]

    def per_line(self, line_starts: Sequence[int], length: int) -> list[int]:
        """The tokens that begin on each line of the file, header lines having none.

        `line_starts` are file offsets of lines that follow each other and `length` is where the
        last of them ends.
        """
        return [self.in_file_range(a, b) for a, b in pairwise([*line_starts, length])]

    def lines(self, text: Text, first: int, stop: int) -> list[int]:
        """The tokens that begin on the lines `first` up to, not with, `stop` of the file's text."""
        starts = text.line_starts(first, stop)
        return self.per_line(starts, text.line_start(first + len(starts))) if starts else []

    def tokens_in(self, start: int, end: int) -> list[PlacedToken]:
        """The tokens that come from some of file[start:end], in characters of the file."""
        return [
            PlacedToken(token, *message.file_span(token.start, token.end))
            for message, count in self._touching(start, end)
            for token in count.tokens(message.source.to_text(start), message.source.to_text(end))
        ]

    def _touching(self, start: int, end: int) -> list[tuple[Message, TextCount]]:
        messages = self.prompt.messages
        if len(messages) == 1:
            return [(messages[0], self.by_message[0])]
        starts, ends = self._bounds
        near = slice(bisect_left(ends, start), bisect_left(starts, end))
        return [
            (message, count)
            for message, count in zip(messages[near], self.by_message[near], strict=True)
            if message.start < end and start <= message.end
        ]

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        """For each message where it or a later one starts, and where it or an earlier one ends.

        Both ascend, so that few of thousands of messages are looked at for one line.
        """
        messages = self.prompt.messages
        starts = list(accumulate((m.start for m in reversed(messages)), min))[::-1]
        return starts, list(accumulate((m.end for m in messages), max))


class VerbatimCounts(Counts):
    """The counts of a file that is one message as it stands, at no cost that grows with it."""

    def __init__(self, choice: Choice, index: TokenIndex, text: Text, format: Format) -> None:
        self.choice = choice
        self._encoding = index.encoding
        self._special = index.special
        self._index = index
        self._text = text
        self._format = format
        self.by_message = (index,)

    @cached_property
    def prompt(self) -> Prompt:  # type: ignore[override]
        """Read when it is asked for, which joins the whole text."""
        return self._format.parse(str(self._text))

    @property
    def format(self) -> str:
        return self._format.name

    @property
    def placeholders(self) -> int:
        return 0

    @property
    def loops(self) -> int:
        return 0

    @property
    def uncounted(self) -> tuple[Uncounted, ...]:
        return ()

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        return ()

    @property
    def ranges(self) -> Ranges:
        total = Range(self._index.total, self._index.total)
        return Ranges(total, [total], [])

    def range_in(self, encoding: Encoding) -> Range:
        if encoding.name == self.encoding:
            return self.ranges.total
        tokens = encoding.count(str(self._text), self._special)
        return Range(tokens, tokens)

    def in_file_range(self, start: int, end: int) -> int:
        return self._index.range_tokens(start, end)

    def raw(self, text: Text) -> int:
        return self.total

    def beside(self, settings: Settings) -> tuple[Wrapper | None, Filled | None]:
        return None, None

    def with_markers(self, text: Text) -> int | None:
        return None

    def sent(self, start: int, end: int) -> Iterator[str]:
        yield self._text.slice(start, end)

    def lines(self, text: Text, first: int, stop: int) -> list[int]:
        return self._index.lines(first, stop)

    def tokens_in(self, start: int, end: int) -> list[PlacedToken]:
        return [PlacedToken(t, t.start, t.end) for t in self._index.tokens(start, end)]


def count_prompt(prompt: Prompt, choice: Choice, special: SpecialMode = "text") -> Counts:
    """Count every message of a prompt."""
    # A text that stands in several messages, as an alias of YAML does, is counted once.
    texts = {message.text for message in prompt.messages}
    known = {text: WholeCount(choice.encoding, text, special) for text in texts}
    counts = [known[message.text] for message in prompt.messages]
    return Counts(choice, special, prompt, counts)

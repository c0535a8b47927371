"""How many tokens a prompt can have: the least and the most over what its conditions leave open.

Conditional parts that no condition has in common, and that stand apart in the text, are looked at
on their own, since what the one sends changes nothing in the count of the other. Both ends are the
exact count of a text that can be sent, or are marked as bounds where that takes too many tries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from subword import Encoding, SpecialMode
from subword.cuts import Cutter

from ..conditions import Domains, Subject, Values, domains, tests
from ..prompt import Message, Prompt
from .amounts import Amount
from .combinations import extent
from .drafts import Draft, Window
from .models import Choice


class Range(NamedTuple):
    """From the least to the most tokens."""

    low: int
    high: int
    is_bounds: bool = False
    """Whether it may be that no text has so few, or so many: none has less, or more."""

    def amount(self, choice: Choice) -> Amount:
        """The most, with both ends if they differ, and how sure they are."""
        if self.low == self.high:
            return choice.amount(self.high)
        return choice.amount(self.high, self.low, self.high, self.is_bounds)

    def __add__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        is_bounds = self.is_bounds or other.is_bounds
        return Range(self.low + other.low, self.high + other.high, is_bounds)


class Ranges(NamedTuple):
    """What a file and each of its messages can have.

    The most of all messages need not add up to the prompt's: they may exclude each other.
    """

    total: Range
    messages: list[Range]
    alternatives: list[Range]
    """Of each prompt of a file that holds several."""


class Counter:
    """Counts short texts, and remembers those of the last time, for what is counted again."""

    def __init__(self, encoding: Encoding, special: SpecialMode) -> None:
        self._encoding = encoding
        self._special = special
        specials = frozenset(encoding.special_tokens) if special == "control" else frozenset()
        self.cutter = Cutter(encoding.pattern_name, specials)
        self._known: dict[str, int] = {}
        self._before: dict[str, int] = {}

    def begin(self) -> None:
        """Forget what has not been asked for since the last call."""
        self._before, self._known = self._known, {}

    def count(self, text: str) -> int:
        """The tokens of a text."""
        tokens = self._known.get(text)
        if tokens is None:
            tokens = self._before.get(text)
            if tokens is None:
                tokens = self._encoding.count(text, self._special)
            self._known[text] = tokens
        return tokens


def file_ranges(
    prompt: Prompt,
    counts: Sequence[int],
    counter: Counter,
    given: Values | None = None,
    filled: Mapping[int, str] | None = None,
) -> Ranges:
    """The ranges of a file whose messages' texts have `counts` tokens with every option in them.

    A condition decides the same way in all of a prompt, but not in all prompts of a file. `given`
    and `filled` are as for `count_ranges`.
    """
    counter.begin()
    if not prompt.alternatives:
        return count_ranges(prompt.messages, counts, counter, given, filled)
    of_messages = [Range(count, count) for count in counts]
    alternatives: list[Range] = []
    for each in prompt.alternatives:
        part = slice(each.first, each.stop)
        found = count_ranges(prompt.messages[part], counts[part], counter, given, filled)
        of_messages[part] = found.messages
        alternatives.append(found.total)
    return Ranges(sum(alternatives, Range(0, 0)), of_messages, alternatives)


def count_ranges(
    messages: Sequence[Message],
    counts: Sequence[int],
    counter: Counter,
    given: Values | None = None,
    filled: Mapping[int, str] | None = None,
) -> Ranges:
    """The ranges of messages, whose texts have `counts` tokens with every option in them.

    `given` are the values that are known. `filled` are the texts that stand where a value begins,
    by its character of the file; `counts` are then those of the filled texts.
    """
    of_messages = [Range(count, count) for count in counts]
    total = Range(sum(counts), sum(counts))
    drafts = [Draft(message, filled or {}) for message in messages if message.branches]
    numbers = [number for number, message in enumerate(messages) if message.branches]
    for part in _parts(drafts, counter):
        changes, of_drafts = part.ranges(counter, dict(given or {}))
        total += changes
        for number, change in of_drafts.items():
            of_messages[numbers[number]] += change
    return Ranges(total, of_messages, [])


def _parts(drafts: Sequence[Draft], counter: Counter) -> Iterator[_Part]:
    """The windows of all texts in groups that have no condition in common."""
    windows = [
        (number, window)
        for number, draft in enumerate(drafts)
        for window in draft.windows(counter.cutter)
    ]
    known = domains(
        tests(
            option.condition
            for _, window in windows
            for placed in window.placed
            for option in placed.branch.options
        )
    )
    groups = _Groups()
    for index, (_, window) in enumerate(windows):
        for key in window.keys(known):
            groups.join(index, key)
    for indexes in groups.groups(len(windows)):
        yield _Part(drafts, [windows[index] for index in indexes], known)


class _Part:
    """Windows that some condition joins, and what they can have."""

    def __init__(
        self, drafts: Sequence[Draft], windows: list[tuple[int, Window]], known: Domains
    ) -> None:
        self._drafts, self._windows, self._known = drafts, windows, known

    def ranges(
        self, counter: Counter, given: dict[Subject, object]
    ) -> tuple[Range, dict[int, Range]]:
        """How much less, or more, than with every option the windows have: in all, by message."""
        numbers = {number for number, _ in self._windows}
        by_message = {
            each: self._change([(n, w) for n, w in self._windows if n == each], counter, given)
            for each in numbers
        }
        if len(numbers) == 1:
            return next(iter(by_message.values())), by_message
        return self._change(self._windows, counter, given), by_message

    def _change(
        self, windows: list[tuple[int, Window]], counter: Counter, given: dict[Subject, object]
    ) -> Range:
        texts = [
            (self._drafts[number].edges(window), list(self._drafts[number].steps(window)))
            for number, window in windows
        ]
        whole = sum(
            counter.count(self._drafts[number].text[window.start : window.end])
            for number, window in windows
        )
        low, high, is_bounds = extent(texts, self._known, given, counter.count, counter.cutter)
        return Range(low - whole, high - whole, is_bounds)


class _Groups:
    """Numbers, joined by the keys that they share."""

    def __init__(self) -> None:
        self._up: dict[Hashable, Hashable] = {}

    def join(self, number: int, key: Hashable) -> None:
        first, second = self._root(number), self._root(("key", key))
        self._up[first] = second

    def groups(self, count: int) -> list[list[int]]:
        """The numbers below `count` that are joined, in the order of their first ones."""
        found: dict[Hashable, list[int]] = {}
        for number in range(count):
            found.setdefault(self._root(number), []).append(number)
        return list(found.values())

    def _root(self, item: Hashable) -> Hashable:
        path = []
        while (above := self._up.setdefault(item, item)) != item:
            path.append(item)
            item = above
        for each in path:
            self._up[each] = item
        return item

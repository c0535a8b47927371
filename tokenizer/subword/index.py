"""TokenIndex: exact counts of a text while it is edited, at a cost that the text's size is not in.

The text is kept in leaves of some two hundred characters that begin and end at safe cuts, each
with its counts, in a `SumTree`. An edit makes new leaves of those that it touches; a sum of what
stands before a leaf answers the rest. Every count is that of encoding the whole text at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from copy import copy
from itertools import accumulate, pairwise

from .cuts import Cutter, SlicedText
from .encoding import Encoding, SpecialMode, Token, join_surrogates
from .lines import line_starts
from .sumtree import SumTree

# Some text, and how many tokens begin on each of its lines, the last of which may go on.
Leaf = tuple[str, tuple[int, ...]]

# What the tree sums, by number.
CHARACTERS, BYTES, LINE_ENDS, TOKENS = range(4)

# A leaf is cut at the first safe cut after so many characters, and joined with its neighbour when
# an edit makes it shorter than the least. Small leaves are encoded fast, large ones are fewer.
_LEAF = 160
_LEAST_LEAF = 40
# A text is built from stretches of so many characters, each encoded by one call.
_STRETCH = 1 << 16


class TokenIndex:
    """A text with its exact token counts, which stay exact under edits.

    Offsets count characters (code points), lines count from 0. With special="control", special
    tokens spelled in the text are those tokens. An edit costs the same wherever it is made and
    however long the text, as long as there are safe cuts nearby; a stretch without any (a million
    letters, digits or spaces in a row) is encoded again as a whole when it is edited.

    Not to be edited by two threads at once; `snapshot` gives what other threads can read.
    """

    def __init__(
        self,
        encoding: Encoding,
        text: str,
        special: SpecialMode = "text",
        *,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        """Count the whole text, which takes as long as encoding it.

        `progress` is called now and then with the number of characters done so far; what it
        raises ends the work. Raises ValueError for special="error".
        """
        self._encoder = _Encoder(encoding, special)
        leaves: list[Leaf] = []
        start = 0
        while start < len(text) or not leaves:
            stop = self._encoder.cutter.after(text, start + _STRETCH)
            leaves += self._encoder.leaves(text[start:stop])
            start = stop
            if progress:
                progress(start)
        self._tree = SumTree(_measure, leaves)

    @property
    def encoding(self) -> Encoding:
        return self._encoder.encoding

    @property
    def special(self) -> SpecialMode:
        return self._encoder.special

    @property
    def incremental(self) -> bool:
        """Whether an edit costs less than encoding the whole text again.

        That takes a split pattern of which safe cuts are known.
        """
        return self.encoding.pattern_name is not None

    @property
    def text(self) -> str:
        """The whole text, joined at each call."""
        return "".join([text for text, _ in self._tree.leaves()])

    def __len__(self) -> int:
        return self._tree.totals[CHARACTERS]

    @property
    def total(self) -> int:
        """How many tokens the text has."""
        return self._tree.totals[TOKENS]

    @property
    def line_count(self) -> int:
        r"""How many lines the text has, one more than it has line ends (`\n`, `\r\n` or `\r`)."""
        return self._tree.totals[LINE_ENDS] + 1

    def snapshot(self) -> TokenIndex:
        """The index as it is now, which edits of this one don't change. Costs nothing."""
        return copy(self)

    def line_tokens(self, line: int) -> int:
        """How many tokens have their first byte on a line, its end included.

        Raises IndexError when there is no such line.
        """
        if not 0 <= line < self.line_count:
            raise IndexError(f"line {line} of a text of {self.line_count} lines")
        return self.lines(line, line + 1)[0]

    def lines(self, start: int, stop: int) -> list[int]:
        """`line_tokens` of each line from `start` up to, not with, `stop`; fewer at the end."""
        before = self._tokens_before_lines(max(start, 0), min(stop, self.line_count))
        return [after - first for first, after in pairwise(before)]

    def _tokens_before_lines(self, start: int, stop: int) -> list[int]:
        """How many tokens stand before each line from `start` to `stop`, both included."""
        before = [0] if start == 0 else []
        line = start + len(before)
        while line <= min(stop, self.line_count - 1):
            # The leaf that holds the line end before `line`, and those after it as long as they
            # hold line ends, too; a long line's others are stepped over by looking up anew.
            index, _, (_, _, ends, tokens) = self._tree.find_end(LINE_ENDS, line)
            for _, counts in self._tree.leaves(index):
                if len(counts) == 1 or line > stop:
                    break
                sums = list(accumulate(counts, initial=tokens))
                before += sums[line - ends : -1]
                ends += len(counts) - 1
                tokens = sums[-1]
                line = ends + 1
        if stop == self.line_count:
            before.append(self.total)
        return before[: max(stop - start + 1, 0)]

    def range_tokens(self, start: int, end: int) -> int:
        """How many tokens have their first byte in the characters from `start` up to `end`.

        Counts of adjoining ranges add up. (A selection counted as a text of its own is another
        thing: `encoding.count` of it.)
        """
        return self._tokens_before(max(end, start)) - self._tokens_before(start)

    def _tokens_before(self, offset: int) -> int:
        _, (text, _), before = self._tree.find(CHARACTERS, max(offset, 0))
        if (inside := offset - before[CHARACTERS]) <= 0:
            return before[TOKENS]
        starts = self.encoding.token_starts(text, self.special)
        return before[TOKENS] + bisect_left(starts, inside)

    def tokens(self, start: int, end: int) -> list[Token]:
        """The tokens that cover some of the characters from `start` up to `end`.

        Their places are those in the whole text.
        """
        tokens: list[Token] = []
        if start >= end:
            return tokens
        index, _, (characters, bytes, _, _) = self._tree.find(CHARACTERS, start)
        for text, _ in self._tree.leaves(index):
            if characters >= end:
                break
            for id, token, shown, *place in self.encoding.split(text, self.special):
                first, last = place[0] + characters, place[1] + characters
                if first < end and last > start:
                    places = first, last, place[2] + bytes, place[3] + bytes
                    tokens.append(Token(id, token, shown, *places))
            characters += len(text)
            bytes += _utf8_length(text)
        return tokens

    def edit(self, start: int, end: int, new_text: str) -> None:
        """Replace the characters from `start` up to `end` by others.

        Raises IndexError for offsets that are not in the text or in the wrong order.
        """
        tree = self._tree
        if not 0 <= start <= end <= len(self):
            raise IndexError(f"edit from {start} to {end} in a text of {len(self)} characters")
        # A cut at either end of the edit, or within reach of it, may not be safe any more.
        reach = self._encoder.cutter.reach
        first, (text, _), before = tree.find_end(CHARACTERS, max(start - reach, 0))
        last, base = first, before[CHARACTERS]
        if end + reach < base + len(text):
            text = text[: start - base] + new_text + text[end - base :]
        else:
            last, (tail, _), before = tree.find(CHARACTERS, end + reach)
            tail_end = before[CHARACTERS] + len(tail)
            text = self._slice(base, start) + new_text + self._slice(end, tail_end)
        if len(text) < _LEAST_LEAF:
            if last + 1 < len(tree):
                last += 1
                text += tree.find_index(last)[1][0]
            elif first:
                first -= 1
                text = tree.find_index(first)[1][0] + text
        self._tree = tree.splice(first, last + 1, self._encoder.leaves(text))

    def _slice(self, start: int, end: int) -> str:
        """The text from `start` up to `end`."""
        index, _, before = self._tree.find(CHARACTERS, start)
        base = before[CHARACTERS]
        parts: list[str] = []
        length = base - end
        for text, _ in self._tree.leaves(index):
            if length >= 0:
                break
            parts.append(text)
            length += len(text)
        return "".join(parts)[start - base : end - base]


def count_between(
    encoding: Encoding, text: SlicedText, bounds: Sequence[int], special: SpecialMode = "text"
) -> list[int]:
    """How many tokens begin between each two of `bounds`, exact though the rest isn't encoded.

    `bounds` are characters of the text in ascending order, such as the starts of some lines and
    the end of the last one; the counts are those that a `TokenIndex` of the whole text has. Costs
    as much as encoding what is between; more only where no safe cut is near.
    """
    cutter = _cutter(encoding, special)
    first, part = cutter.around(text, bounds[0], bounds[-1])
    starts = encoding.token_starts(part, special)
    before = [bisect_left(starts, bound - first) for bound in bounds]
    return [after - first for first, after in pairwise(before)]


def _cutter(encoding: Encoding, special: SpecialMode) -> Cutter:
    """Raises ValueError for special="error", which can't be obeyed while someone types."""
    if special == "error":
        raise ValueError('while a text is edited, special tokens are "text" or "control"')
    specials = frozenset(encoding.special_tokens if special == "control" else ())
    return Cutter(encoding.pattern_name, specials)


class _Encoder:
    """One way of encoding, and how to make leaves with it."""

    def __init__(self, encoding: Encoding, special: SpecialMode) -> None:
        self.cutter = _cutter(encoding, special)
        self.encoding = encoding
        self.special: SpecialMode = special

    def leaves(self, text: str) -> list[Leaf]:
        """The leaves of a text that begins and ends at safe cuts; an empty one for none."""
        starts = self._token_starts(text)
        leaves: list[Leaf] = []
        start = byte = token = 0
        while start < len(text) or not leaves:
            # The rest is one leaf if it is hardly more than one.
            at_once = len(text) - start < 2 * _LEAF
            stop = len(text) if at_once else self.cutter.after(text, start + _LEAF)
            part = text[start:stop]
            counts: list[int] = []
            for line in _lines(part):
                byte += _utf8_length(line)
                next_token = bisect_left(starts, byte, token)
                counts.append(next_token - token)
                token = next_token
            leaves.append((part, tuple(counts)))
            start = stop
        return leaves

    def _token_starts(self, text: str) -> list[int]:
        """The byte at which each token of a text begins."""
        if self.special == "control" and self.cutter.has_special(text):
            tokens = self.encoding._encode_with_bytes(text, self.special)
            lengths = [len(token) for _, token in tokens]
        else:
            ids = self.encoding.encode(text)
            lengths = list(map(self.encoding.token_lengths.__getitem__, ids))
        starts = list(accumulate(lengths, initial=0))
        starts.pop()
        return starts


def _measure(leaf: Leaf) -> tuple[int, int, int, int]:
    text, counts = leaf
    return len(text), _utf8_length(text), len(counts) - 1, sum(counts)


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends; the last one, perhaps empty, has none."""
    if "\n" not in text and "\r" not in text:
        return [text]
    return [text[start:end] for start, end in pairwise([*line_starts(text), len(text)])]


def _utf8_length(text: str) -> int:
    """The bytes of a text in UTF-8, surrogates counted as `Encoding` encodes them."""
    return len(text) if text.isascii() else len(join_surrogates(text).encode())

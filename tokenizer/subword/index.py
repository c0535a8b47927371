"""TokenIndex: exact counts of a text while it is edited, at a cost that doesn't grow with it.

The text is kept in leaves of a few hundred characters, in a `SumTree`; each begins and ends at a
safe cut and knows the lengths of its tokens. An edit encodes anew what lies between the nearest
safe cuts, and replaces one leaf; sums of what stands before a leaf answer the rest. All counts are
those of encoding the whole text at once.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from operator import sub

from .cuts import Cutter, SlicedText
from .encoding import Encoding, SpecialMode, Token
from .lines import LINE_END
from .sumtree import SumTree
from .surrogates import join_surrogates

# Some text, and how many bytes each of its tokens has.
Leaf = tuple[str, "array[int]"]

# What the tree sums, by number.
CHARACTERS, BYTES, LINE_ENDS, TOKENS = range(4)

# A leaf is cut at the first safe cut after so many characters, and joined with its neighbour when
# an edit makes it shorter than the least. Small leaves are edited fast, large ones are fewer.
_LEAF = 512
_LEAST_LEAF = 128
# A text is built from stretches of so many characters, each encoded by one call.
_STRETCH = 1 << 16

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class TokenIndex:
    """A text with its exact token counts, which stay exact under edits.

    Offsets count characters (code points), lines count from 0. With special="control", special
    tokens spelled in the text are those tokens. An edit costs the same wherever it is made and
    however long the text, some 15 to 40 µs, as long as there are safe cuts nearby. A stretch
    without any is encoded again as a whole: for a million letters, Chinese characters, digits or
    spaces in a row, that takes from a tenth of a second to almost a whole one.

    Not to be edited by two threads at once; `snapshot` gives what other threads can read.

    >>> from subword import get_encoding
    >>> index = TokenIndex(get_encoding("o200k_base"), "Hola\\nadiós\\n")
    >>> index.edit(5, 10, "hasta luego")
    >>> index.total, index.lines(0, 3)
    (5, [2, 3, 0])
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
        self._encoder = _encoder(encoding, special)
        leaves: list[Leaf] = []
        start = 0
        while start < len(text) or not leaves:
            stop = self._encoder.cutter.after(text, start + _STRETCH)
            stretch = text[start:stop]
            leaves += _cut(stretch, self._encoder.token_lengths(stretch), self._encoder.cutter)
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
        index = TokenIndex.__new__(TokenIndex)
        index._encoder, index._tree = self._encoder, self._tree
        return index

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
            for leaf in self._tree.leaves(index):
                line_ends = list(LINE_END.finditer(leaf[0]))
                if not line_ends or line > stop:
                    break
                offsets = [match.end() for match in line_ends[line - ends - 1 :]]
                before += [tokens + count for count in _tokens_before(leaf, offsets)]
                ends += len(line_ends)
                tokens += len(leaf[1])
                line = ends + 1
        if stop == self.line_count:
            before.append(self.total)
        return before[: max(stop - start + 1, 0)]

    def range_tokens(self, start: int, end: int) -> int:
        """How many tokens have their first byte in the characters from `start` up to `end`.

        Counts of adjoining ranges add up. (A selection counted as a text of its own is another
        thing: `encoding.count` of it.)
        """
        return self._tokens_before(max(start, end)) - self._tokens_before(start)

    def _tokens_before(self, offset: int) -> int:
        _, leaf, before = self._tree.find(CHARACTERS, max(offset, 0))
        inside = offset - before[CHARACTERS]
        # Between the halves of a surrogate pair, its tokens have begun.
        inside += bool(_PAIR.match(leaf[0], max(inside - 1, 0))) if inside > 0 else 0
        return before[TOKENS] + _tokens_before(leaf, [inside])[0]

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

    def encoded_anew(self, start: int, end: int) -> int:
        """How many characters of the text, at most, an edit between these two encodes again.

        Some hundreds where safe cuts are near, else the length of the stretch without any.
        """
        if not self.incremental:
            return len(self)
        reach = self._encoder.cutter.reach
        first, leaf, _ = self._tree.find_end(CHARACTERS, max(start - reach, 0))
        last, after, _ = self._tree.find(CHARACTERS, end + reach)
        return len(leaf[0]) + (len(after[0]) if last > first else 0)

    def edit(self, start: int, end: int, new_text: str) -> None:
        """Replace the characters from `start` up to `end` by others.

        Raises IndexError for offsets that are not in the text or in the wrong order.
        """
        if not 0 <= start <= end <= len(self):
            raise IndexError(f"edit from {start} to {end} in a text of {len(self)} characters")
        tree, reach = self._tree, self._encoder.cutter.reach
        # A cut at either end of the edit, or within reach of it, may not be safe any more.
        first, leaf, before = tree.find_end(CHARACTERS, max(start - reach, 0))
        last, base = first, before[CHARACTERS]
        if end + reach >= base + len(leaf[0]) and first + 1 < len(tree):
            last = tree.find(CHARACTERS, end + reach)[0]
            leaf, skipped = self._joined(first, last, start, end)
            end -= skipped
        leaf = self._encoder.edited(leaf, start - base, end - base, new_text)
        if len(leaf[0]) < _LEAST_LEAF:
            if last + 1 < len(tree):
                last += 1
                leaf = _join([leaf, tree.find_index(last)[1]])
            elif first:
                first -= 1
                leaf = _join([tree.find_index(first)[1], leaf])
        leaves = [leaf] if len(leaf[0]) < 2 * _LEAF else _cut(*leaf, self._encoder.cutter)
        self._tree = tree.splice(first, last + 1, leaves)

    def _joined(self, first: int, last: int, start: int, end: int) -> tuple[Leaf, int]:
        """The leaves from `first` to `last` as one, without those that are deleted as a whole.

        Those lie between the characters `start` and `end`. Also says how many characters they are.
        """
        after_start, leaf, before_start = self._tree.find(CHARACTERS, start)
        after_end, _, before_end = self._tree.find(CHARACTERS, end)
        head = self._tree.leaves(first, after_start + 1)
        tail = self._tree.leaves(max(after_end, after_start + 1), last + 1)
        skipped = before_end[CHARACTERS] - before_start[CHARACTERS] - len(leaf[0])
        return _join([*head, *tail]), max(skipped, 0)


def count_between(
    encoding: Encoding, text: SlicedText, bounds: Sequence[int], special: SpecialMode = "text"
) -> list[int]:
    """How many tokens begin between each two of `bounds`, exact though the rest isn't encoded.

    `bounds` are characters of the text in ascending order, such as the starts of some lines and
    the end of the last one; the counts are those that a `TokenIndex` of the whole text has. Costs
    as much as encoding what is between; more only where no safe cut is near.
    """
    cutter = _encoder(encoding, special).cutter
    first, part = cutter.around(text, bounds[0], bounds[-1])
    starts = encoding.token_starts(part, special)
    before = [bisect_left(starts, bound - first) for bound in bounds]
    return [after - first for first, after in pairwise(before)]


class _Encoder:
    """One way of encoding, and how to make leaves with it."""

    def __init__(self, encoding: Encoding, special: SpecialMode) -> None:
        specials = frozenset(encoding.special_tokens if special == "control" else ())
        self.cutter = Cutter(encoding.pattern_name, specials)
        self.encoding = encoding
        self.special: SpecialMode = special

    @cached_property
    def _type(self) -> str:
        """The type of the arrays of lengths: bytes, if no token is longer than they can say."""
        is_known = self.encoding.pattern_name is not None
        return "B" if is_known and max(self.encoding.token_lengths) < 256 else "I"

    def token_lengths(self, text: str) -> array[int]:
        """How many bytes there are from each token's beginning to the next one's."""
        is_control = self.special == "control" and self.cutter.has_special(text)
        if self.encoding.pattern_name is None or is_control:
            # What a foreign tokenizer's token decodes to need not be what stands in the text, and
            # of a special token with two spellings the id alone doesn't tell the length.
            starts = _byte_offsets(text, self.encoding.token_starts(text, self.special))
            return array(self._type, map(sub, [*starts[1:], _utf8_length(text)], starts))
        lengths = map(self.encoding.token_lengths.__getitem__, self.encoding.encode(text))
        # An array of bytes is made of `bytes` in half the time that an iterator takes.
        return array(self._type, bytes(lengths) if self._type == "B" else lengths)

    def edited(self, leaf: Leaf, start: int, end: int, new_text: str) -> Leaf:
        """A leaf in which characters are replaced; it begins and ends at safe cuts all the same."""
        text, lengths = leaf
        first, stop = self.cutter.unharmed(text, start, end)
        between = text[first:start] + new_text + text[end:stop]
        before, after = _tokens_before(leaf, [first, stop])
        lengths = lengths[:before] + self.token_lengths(between) + lengths[after:]
        return text[:first] + between + text[stop:], lengths


@lru_cache(maxsize=8)
def _encoder(encoding: Encoding, special: SpecialMode) -> _Encoder:
    """Made once for all texts. Raises ValueError for special="error": typing can't obey it."""
    if special == "error":
        raise ValueError('while a text is edited, special tokens are "text" or "control"')
    return _Encoder(encoding, special)


def _cut(text: str, lengths: array[int], cutter: Cutter) -> list[Leaf]:
    """The leaves of a text that begins and ends at safe cuts; an empty one for none."""
    bounds = list(accumulate(lengths, initial=0))
    leaves: list[Leaf] = []
    start = byte = token = 0
    while start < len(text) or not leaves:
        # The rest is one leaf if it is hardly more than one.
        at_once = len(text) - start < 2 * _LEAF
        stop = len(text) if at_once else cutter.after(text, start + _LEAF)
        part = text[start:stop]
        byte += _utf8_length(part)
        next_token = bisect_left(bounds, byte, token)
        leaves.append((part, lengths[token:next_token]))
        start, token = stop, next_token
    return leaves


def _join(leaves: Iterable[Leaf]) -> Leaf:
    texts, lengths = zip(*leaves, strict=True)
    joined = lengths[0][:]
    for more in lengths[1:]:
        joined += more
    return "".join(texts), joined


def _tokens_before(leaf: Leaf, offsets: Sequence[int]) -> list[int]:
    """How many tokens have their first byte before each of some characters, in ascending order."""
    text, lengths = leaf
    bounds = list(accumulate(lengths, initial=0))
    bytes = offsets if text.isascii() else _byte_offsets(text, offsets)
    return [bisect_left(bounds, byte, 0, len(lengths)) for byte in bytes]


def _byte_offsets(text: str, offsets: Sequence[int]) -> list[int]:
    """Where characters, in ascending order, begin in the text's UTF-8."""
    parts = [text[start:end] for start, end in pairwise([0, *offsets])]
    return list(accumulate(map(_utf8_length, parts)))


def _measure(leaf: Leaf) -> tuple[int, int, int, int]:
    text, lengths = leaf
    line_ends = text.count("\n")
    if "\r" in text:
        line_ends += text.count("\r") - text.count("\r\n")
    return len(text), _utf8_length(text), line_ends, len(lengths)


def _utf8_length(text: str) -> int:
    """The bytes of a text in UTF-8, surrogates counted as `Encoding` encodes them."""
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return len(join_surrogates(text).encode())

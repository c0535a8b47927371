"""The heart of BPE: learn merges from weighted words, and apply merges to a sequence of symbols.

Learning keeps the count of every pair up to date instead of counting anew each round. All words
stand in one array with a separator between them; a merge visits only the places where its pair
stands, and there changes the counts of the neighbouring pairs. A heap finds the next best pair;
its entries are checked when they come up ("lazily"), because a count only falls once its pair is
known. So the cost is that of the merges made, not of the rounds times the corpus.

The algorithm is Gage's (1994) as Sennrich, Haddow and Birch used it (2016, arXiv:1508.07909).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Literal, NamedTuple

from ..corpus.counting import Progress

# Which of several equally frequent pairs is merged first: the one that stands first in the corpus
# (as the papers and minbpe do), or the one with the smallest ids (as `tokenizers` does).
Ties = Literal["first", "smallest"]
Pair = tuple[int, int]

_SEPARATOR = -1
_GONE = -2
# Two symbol ids are packed into one integer: a dict of those is faster than one of tuples.
_BITS = 24
_MASK = (1 << _BITS) - 1
_PAIR_BITS = 2 * _BITS
_PAIR_MASK = (1 << _PAIR_BITS) - 1


class Merge(NamedTuple):
    """One learnt merge: `left` and `right` become `id`; they stood together `count` times."""

    left: int
    right: int
    id: int
    count: int  # type: ignore[assignment]


def learn_merges(
    words: Iterable[tuple[Sequence[int], int]],
    merges: int,
    first_id: int,
    ties: Ties = "first",
    min_count: int = 1,
    progress: Progress | None = None,
) -> list[Merge]:
    """Learn up to `merges` merges from words (symbol ids) and how often each occurs.

    New symbols get the ids from `first_id` on. Stops early when no pair occurs `min_count` times.
    With `ties="first"` the order of the words matters: it is the order of the corpus.
    """
    corpus = _Corpus(words, first_id, ties == "first", min_count)
    learnt: list[Merge] = []
    while len(learnt) < merges:
        best = corpus.best_pair()
        if best is None:
            break
        left, right, count = best
        merge = Merge(left, right, first_id + len(learnt), count)
        corpus.apply(merge)
        learnt.append(merge)
        if progress is not None and len(learnt) % 256 == 0:
            progress(len(learnt), merges)
    return learnt


class _Corpus:
    """All words in one array, the count and the places of each pair, and the heap of pairs."""

    def __init__(
        self,
        words: Iterable[tuple[Sequence[int], int]],
        first_id: int,
        by_place: bool,
        min_count: int,
    ) -> None:
        symbols = [_SEPARATOR]
        weights = [0]
        for word, weight in words:
            symbols.extend(word)
            symbols.append(_SEPARATOR)
            weights.extend([weight] * (len(word) + 1))
        self.symbols = symbols
        self.weights = weights
        # The first cell of the symbol that ends in this cell.
        self.start_of = list(range(len(symbols)))
        # How many cells each symbol covers.
        self.size = [1] * first_id
        self.by_place = by_place
        self.least = max(min_count, 1)
        self.counts: dict[int, int] = {}
        self.places: dict[int, list[int]] = {}
        self._count_pairs()
        self.heap: list[int] = []
        self._push(self.counts)

    def _count_pairs(self) -> None:
        counts, places = self.counts, self.places
        for place, ((left, right), weight) in enumerate(
            zip(pairwise(self.symbols), self.weights, strict=False)
        ):
            if left < 0 or right < 0:
                continue
            pair = left << _BITS | right
            if pair in counts:
                counts[pair] += weight
                places[pair].append(place)
            else:
                counts[pair] = weight
                places[pair] = [place]

    def _push(self, pairs: Iterable[int]) -> None:
        """Put pairs into the heap, but for those that are too rare: a count never rises again."""
        counts, least = self.counts, self.least
        for pair in pairs:
            if counts[pair] >= least:
                heappush(self.heap, self._entry(pair))
            else:
                del self.places[pair]

    def _entry(self, pair: int) -> int:
        """What the heap sorts by: most frequent first, then by the policy for ties.

        It is one integer: the count, negative, the place if the policy asks for it, and the pair.
        """
        if self.by_place:
            return (-self.counts[pair] << _PAIR_BITS | self._first_place(pair)) << _PAIR_BITS | pair
        return -self.counts[pair] << _PAIR_BITS | pair

    def _first_place(self, pair: int) -> int:
        """The first cell where the pair still stands; places passed by are forgotten."""
        left, right = pair >> _BITS, pair & _MASK
        symbols, step = self.symbols, self.size[left]
        places = self.places[pair]
        for index, place in enumerate(places):
            if symbols[place] == left and symbols[place + step] == right:
                if index:
                    del places[:index]
                return place
        return len(symbols)

    def best_pair(self) -> tuple[int, int, int] | None:
        """The pair to merge next and its count, or None when none is frequent enough."""
        heap, counts = self.heap, self.counts
        while heap:
            entry = heappop(heap)
            pair = entry & _PAIR_MASK
            if counts.get(pair, 0) < self.least:
                continue
            current = self._entry(pair)
            if current == entry:
                return pair >> _BITS, pair & _MASK, counts[pair]
            heappush(heap, current)
        return None

    def apply(self, merge: Merge) -> None:
        """Write the new symbol wherever the pair stands, from left to right."""
        left, right, new, _ = merge
        symbols, weights, start_of, size = self.symbols, self.weights, self.start_of, self.size
        counts, places = self.counts, self.places
        step, whole = size[left], size[left] + size[right]
        size.append(whole)
        new_high, right_high = new << _BITS, right << _BITS
        pair = left << _BITS | right
        fresh: list[int] = []
        for place in places[pair]:
            middle = place + step
            if symbols[place] != left or symbols[middle] != right:
                continue
            weight = weights[place]
            end = place + whole
            symbols[place] = new
            symbols[middle] = _GONE
            start_of[end - 1] = place
            before_place = start_of[place - 1]
            before = symbols[before_place]
            if before >= 0:
                before <<= _BITS
                counts[before | left] -= weight
                made = before | new
                if made in places:
                    counts[made] += weight
                    places[made].append(before_place)
                else:
                    counts[made] = weight
                    places[made] = [before_place]
                    fresh.append(made)
            after = symbols[end]
            if after >= 0:
                counts[right_high | after] -= weight
                made = new_high | after
                if made in places:
                    counts[made] += weight
                    places[made].append(place)
                else:
                    counts[made] = weight
                    places[made] = [place]
                    fresh.append(made)
        del places[pair], counts[pair]
        self._push(fresh)


def apply_merges(ids: Sequence[int], merges: Mapping[Pair, int]) -> list[int]:
    """Merge pairs in a sequence, the earliest learnt (lowest id) first, each from left to right."""
    return _apply_short(ids, merges) if len(ids) < 64 else _apply_long(ids, merges)


def merge_steps(ids: Sequence[int], merges: Mapping[Pair, int]) -> Iterator[tuple[Pair, list[int]]]:
    """Each merge as it applies: the pair, and the whole sequence after it."""
    ids = list(ids)
    while (pair := _lowest(ids, merges)) is not None:
        ids = merge_pair(ids, pair, merges[pair])
        yield pair, ids


def merge_pair(ids: Sequence[int], pair: Pair, new: int) -> list[int]:
    """Replace each occurrence of a pair, from left to right: `6 6 6` becomes `(6 6) 6`."""
    out: list[int] = []
    index = 0
    while index < len(ids):
        if tuple(ids[index : index + 2]) == pair:
            out.append(new)
            index += 2
        else:
            out.append(ids[index])
            index += 1
    return out


def _lowest(ids: Sequence[int], merges: Mapping[Pair, int]) -> Pair | None:
    known = [pair for pair in pairwise(ids) if pair in merges]
    return min(known, key=merges.__getitem__, default=None)


def _apply_short(ids: Sequence[int], merges: Mapping[Pair, int]) -> list[int]:
    ids = list(ids)
    while len(ids) > 1 and (pair := _lowest(ids, merges)) is not None:
        ids = merge_pair(ids, pair, merges[pair])
    return ids


def _apply_long(ids: Sequence[int], merges: Mapping[Pair, int]) -> list[int]:
    """The same in O(n log n): a linked list of symbols and a heap of the pairs that can merge."""
    symbols: list[int] = list(ids)
    after = list(range(1, len(symbols) + 1))
    before = list(range(-1, len(symbols) - 1))
    heap = [(merges[pair], place) for place, pair in enumerate(pairwise(symbols)) if pair in merges]
    heapify(heap)
    while heap:
        new, place = heappop(heap)
        right = after[place]
        if right >= len(symbols) or merges.get((symbols[place], symbols[right])) != new:
            continue
        symbols[place], symbols[right] = new, _GONE
        after[place] = after[right]
        if after[place] < len(symbols):
            before[after[place]] = place
        for left in (before[place], place):
            if left >= 0 and after[left] < len(symbols):
                pair = symbols[left], symbols[after[left]]
                if pair in merges:
                    heappush(heap, (merges[pair], left))
    return [symbol for symbol in symbols if symbol != _GONE]

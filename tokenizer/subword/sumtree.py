"""A persistent sequence of leaves that knows the sums of their sizes, for texts and their counts.

A B-tree with wide nodes, as editors use for their text ("rope", "sum tree"): each leaf is measured
once, by a tuple of whole numbers (characters, bytes, line ends, tokens, whatever the user of the
tree wants to seek by), and each node keeps the numbers of its children in columns. Finding the
leaf at an offset of any measure and replacing some leaves by others touch one node of each level.

A tree never changes: `splice` returns another one that shares all nodes but those few, so a tree
can be kept as a snapshot for nothing and read from any thread.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeVar

# The widest and the narrowest that a node gets (the root, or the last of a build, can be narrower).
MAX_CHILDREN = 32
MIN_CHILDREN = 8

Leaf = TypeVar("Leaf")
Sizes = tuple[int, ...]
Columns = tuple[tuple[int, ...], ...]


class SumTree(Generic[Leaf]):
    """An immutable sequence of one or more leaves. Leaves must not change either.

    `measure` gives the sizes of a leaf, always equally many, none negative. What finds a leaf
    returns three things: its number, from 0; the leaf; and the sums of the sizes of all leaves
    before it, by measure.
    """

    __slots__ = ("_measure", "_root", "totals")

    totals: Sizes
    """The sum of the sizes of all leaves, by measure. Not to be written to."""

    def __init__(self, measure: Callable[[Leaf], Sizes], leaves: Iterable[Leaf]) -> None:
        """Raises ValueError when there are no leaves: an empty text is one empty leaf."""
        children = tuple(leaves)
        if not children:
            raise ValueError("a SumTree has at least one leaf")
        self._plant(measure, _chunked(children, _measured(measure, children), 0))

    def _plant(self, measure: Callable[[Leaf], Sizes], nodes: Sequence[_Node]) -> None:
        while len(nodes) > 1:
            nodes = _chunked(tuple(nodes), _columns(nodes), nodes[0].height + 1)
        root = nodes[0]
        while root.height and len(root.children) == 1:
            root = root.children[0]
        self._measure = measure
        self._root = root
        self.totals = root.totals[:-1]

    def __len__(self) -> int:
        return self._root.totals[-1]

    def find(self, measure: int, offset: int) -> tuple[int, Leaf, Sizes]:
        """The leaf in which `offset` stands, the one to the right of two; the last one at the end.

        `offset` counts in the measure with that number.
        """
        return self._descend(measure, offset, bisect_right)

    def find_end(self, measure: int, offset: int) -> tuple[int, Leaf, Sizes]:
        """As `find`, but the first leaf that reaches `offset`: the one to the left of two.

        With line ends as the measure, it is the leaf that holds the `offset`th line end.
        """
        return self._descend(measure, offset, bisect_left)

    def find_index(self, index: int) -> tuple[int, Leaf, Sizes]:
        """The leaf with that number, from 0; the last one beyond the end."""
        return self._descend(-1, index, bisect_right)

    def _descend(
        self, measure: int, offset: int, bisect: Callable[[list[int], int], int]
    ) -> tuple[int, Leaf, Sizes]:
        node = self._root
        before = [0] * len(node.columns)
        while True:
            columns = node.columns
            ends = list(accumulate(columns[measure]))
            child = bisect(ends, offset)
            if child == len(ends):
                child -= 1
            if child > 0:
                offset -= ends[child - 1]
                before = [
                    sum(column[:child], start)
                    for start, column in zip(before, columns, strict=True)
                ]
            if not node.height:
                index = before.pop()
                return index, node.children[child], tuple(before)
            node = node.children[child]

    def leaves(self, start: int = 0, stop: int | None = None) -> Iterator[Leaf]:
        """The leaves with numbers from `start` up to, not with, `stop`."""
        stop = len(self) if stop is None else min(stop, len(self))
        if start < stop:
            yield from self._root.leaves(start, stop)

    def splice(self, start: int, stop: int, leaves: Iterable[Leaf]) -> SumTree[Leaf]:
        """A tree in which `leaves` stand instead of those numbered `start` up to `stop`.

        Costs the logarithm of the number of leaves, plus the number of leaves put in. Raises
        ValueError when no leaf would be left.
        """
        tree: SumTree[Leaf] = SumTree.__new__(SumTree)
        tree._plant(self._measure, self._spliced(start, stop, tuple(leaves)))
        return tree

    def _spliced(self, start: int, stop: int, leaves: tuple[Leaf, ...]) -> list[_Node]:
        if len(leaves) == 1 and stop == start + 1 <= len(self):
            return [self._root.set(start, leaves[0], (*self._measure(leaves[0]), 1))]
        if leaves:
            return self._root.splice(start, stop, leaves, _measured(self._measure, leaves))
        if start == 0 and stop >= len(self):
            raise ValueError("a SumTree has at least one leaf")
        return self._root.splice(start, stop, (), ((),) * len(self._root.columns))


def _measured(measure: Callable[[Leaf], Sizes], leaves: tuple[Leaf, ...]) -> Columns:
    """The sizes of leaves in columns; the number of leaves is the last measure."""
    return (*zip(*map(measure, leaves), strict=True), (1,) * len(leaves))


class _Node:
    """Up to `MAX_CHILDREN` children: nodes one level below, or leaves at height 0."""

    __slots__ = ("children", "columns", "height", "totals")

    def __init__(self, children: tuple[Any, ...], columns: Columns, height: int) -> None:
        self.children = children
        self.columns = columns
        """For each measure the children's sizes; the last measure is the number of leaves."""
        self.height = height
        self.totals = tuple(map(sum, columns))

    def leaves(self, start: int, stop: int) -> Iterator[Any]:
        if not self.height:
            yield from self.children[start:stop]
            return
        for child in self.children:
            if start < (count := child.totals[-1]):
                yield from child.leaves(max(start, 0), min(stop, count))
            start -= count
            stop -= count
            if stop <= 0:
                return

    def splice(
        self, start: int, stop: int, leaves: tuple[Any, ...], columns: Columns
    ) -> list[_Node]:
        """The nodes, of the same height, that this node becomes: at least one, perhaps empty."""
        if not self.height:
            return self.replace(start, stop, leaves, columns)
        ends = list(accumulate(self.columns[-1]))
        first = min(bisect_right(ends, start), len(ends) - 1)
        last = max(first, bisect_left(ends, stop))
        base = ends[first - 1] if first else 0
        child = self.children[first]
        nodes: list[_Node] = child.splice(
            start - base, min(stop, ends[first]) - base, leaves, columns
        )
        if last > first:
            none = ((),) * len(columns)
            nodes += self.children[last].splice(0, stop - ends[last - 1], (), none)
        # A node that became too narrow is joined with a neighbour, here or beside the range.
        if min(map(len, [node.children for node in nodes])) < MIN_CHILDREN:
            if last + 1 < len(self.children):
                last += 1
                nodes.append(self.children[last])
            elif first:
                first -= 1
                nodes.insert(0, self.children[first])
            nodes = _joined(nodes)
        return self.replace(first, last + 1, tuple(nodes), _columns(nodes))

    def set(self, index: int, leaf: Any, sizes: Sizes) -> _Node:
        """The node with another leaf: what `splice` does, faster, for the most frequent case."""
        place = index
        if self.height:
            ends = list(accumulate(self.columns[-1]))
            place = bisect_right(ends, index)
            start = ends[place - 1] if place else 0
            leaf = self.children[place].set(index - start, leaf, sizes)
            sizes = leaf.totals
        columns = []
        for column, size in zip(self.columns, sizes, strict=True):
            changed = list(column)
            changed[place] = size
            columns.append(tuple(changed))
        children = (*self.children[:place], leaf, *self.children[place + 1 :])
        return _Node(children, tuple(columns), self.height)

    def replace(
        self, first: int, stop: int, children: tuple[Any, ...], columns: Columns
    ) -> list[_Node]:
        """Put other children in place of some; a node that gets too wide becomes several."""
        new_columns = tuple(
            [
                column[:first] + new + column[stop:]
                for column, new in zip(self.columns, columns, strict=True)
            ]
        )
        new_children = self.children[:first] + children + self.children[stop:]
        return _chunked(new_children, new_columns, self.height)


def _chunked(children: tuple[Any, ...], columns: Columns, height: int) -> list[_Node]:
    """Nodes of the given children, as few as can be and equally wide; an empty one for none."""
    count = len(children)
    if count <= MAX_CHILDREN:
        return [_Node(children, columns, height)]
    parts = -(-count // MAX_CHILDREN)
    bounds = [count * part // parts for part in range(parts + 1)]
    return [
        _Node(children[start:stop], tuple([column[start:stop] for column in columns]), height)
        for start, stop in pairwise(bounds)
    ]


def _columns(nodes: Sequence[_Node]) -> Columns:
    return tuple(zip(*[node.totals for node in nodes], strict=True))


def _joined(nodes: Sequence[_Node]) -> list[_Node]:
    """The same nodes, with each that is too narrow joined to the one before or after it."""
    joined = list(nodes[:1])
    for node in nodes[1:]:
        before = joined[-1]
        if min(len(before.children), len(node.children)) >= MIN_CHILDREN:
            joined.append(node)
        elif not node.height:
            width = len(before.children)
            joined[-1:] = before.replace(width, width, node.children, node.columns)
        else:
            # Those that had no neighbour below the one node have one now.
            children = _joined(before.children + node.children)
            joined[-1:] = _chunked(tuple(children), _columns(children), node.height)
    return joined

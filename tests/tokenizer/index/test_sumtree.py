"""A `SumTree` behaves as a plain list of leaves does, however it is spliced."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subword.sumtree import MAX_CHILDREN, MIN_CHILDREN, SumTree, _Node


def measure(leaf: str) -> tuple[int, int]:
    return len(leaf), leaf.count("\n")


def check(tree: SumTree[str], leaves: list[str]) -> None:
    assert list(tree.leaves()) == leaves
    assert len(tree) == len(leaves)
    assert tree.totals == (len("".join(leaves)), "".join(leaves).count("\n"))
    check_shape(tree._root, is_root=True)


def check_shape(node: _Node, is_root: bool = False) -> None:
    """Every node is as wide as it should be, all leaves are equally deep, the sums are right."""
    assert len(node.children) <= MAX_CHILDREN
    if not is_root:
        assert len(node.children) >= MIN_CHILDREN
    assert node.totals == tuple(map(sum, node.columns))
    if node.height:
        assert node.columns == tuple(zip(*[child.totals for child in node.children], strict=True))
        assert {child.height for child in node.children} == {node.height - 1}
        for child in node.children:
            check_shape(child)


leaf_lists = st.lists(st.sampled_from(["a", "bc", "\n", "d\ne\n"]), max_size=6)
many_leaves = st.integers(1, 3000).map(lambda n: ["ab", "\n", "cde"] * (n // 3) + ["x"] * (n % 3))
splices = st.lists(
    st.tuples(st.integers(0, 10**4), st.integers(0, 10**4), leaf_lists | many_leaves), max_size=12
)


@given(many_leaves, splices)
@settings(max_examples=60, deadline=None)
def test_splices_as_a_list_and_leaves_old_trees_alone(
    leaves: list[str], splices: list[tuple[int, int, list[str]]]
) -> None:
    tree = SumTree(measure, leaves)
    snapshots = [(tree, list(leaves))]
    for a, b, new in splices:
        start, stop = sorted((a % (len(leaves) + 1), b % (len(leaves) + 1)))
        if not new and stop - start == len(leaves):
            with pytest.raises(ValueError, match="at least one leaf"):
                tree.splice(start, stop, new)
            continue
        leaves[start:stop] = new
        tree = tree.splice(start, stop, new)
        snapshots.append((tree, list(leaves)))
    for snapshot, expected in snapshots:
        check(snapshot, expected)


@given(st.lists(st.sampled_from(["a", "bc\n", "", "\n\n"]), min_size=1, max_size=200))
@settings(max_examples=60, deadline=None)
def test_finds_the_leaf_at_any_offset(leaves: list[str]) -> None:
    tree = SumTree(measure, leaves)
    for number in (0, 1):
        ends = list(accumulate(measure(leaf)[number] for leaf in leaves))
        for offset in range(ends[-1] + 1):
            last = len(leaves) - 1
            after = next((n for n, end in enumerate(ends) if offset < end), last)
            reaching = next(n for n, end in enumerate(ends) if offset <= end)
            for found, index in (
                (tree.find(number, offset), after),
                (tree.find_end(number, offset), reaching),
            ):
                before = "".join(leaves[:index])
                assert found == (index, leaves[index], (len(before), before.count("\n")))
                assert tree.find_index(index) == found


@pytest.mark.parametrize("start", [0, 40, 4000, 9990, 9999])
def test_leaves_of_a_range(start: int) -> None:
    leaves = [str(n) for n in range(10_000)]
    tree = SumTree(measure, leaves)
    for length in (0, 1, 5, 100, 5000, 20_000):
        assert list(tree.leaves(start, start + length)) == leaves[start : start + length]


def test_one_leaf_at_a_time_at_either_end() -> None:
    tree = SumTree(measure, ["0"])
    for n in range(1, 500):
        tree = tree.splice(n, n, [str(n)]).splice(0, 0, ["start"])
        tree = tree.splice(0, 1, [])
    check(tree, [str(n) for n in range(500)])
    for _ in range(499):
        tree = tree.splice(0, 1, [])
    check(tree, ["499"])
    check(tree.splice(0, 1, ["a", "b"]), ["a", "b"])


def test_refuses_to_be_empty() -> None:
    with pytest.raises(ValueError, match="at least one leaf"):
        SumTree(measure, [])

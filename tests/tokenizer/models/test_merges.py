"""Learning and applying merges, against the loop that recounts everything each round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword.models.merges import (
    _apply_long,
    _apply_short,
    apply_merges,
    learn_merges,
    merge_pair,
    merge_steps,
)

WORDS = st.lists(st.tuples(st.text("abc", max_size=12), st.integers(1, 4)), max_size=12)


def recounting(
    words: Sequence[tuple[Sequence[int], int]], rounds: int, first: int, ties: str
) -> list[tuple[int, ...]]:
    """BPE as the papers and minbpe write it: count all pairs, merge one, start again."""
    learnt: list[tuple[int, ...]] = []
    for id in range(first, first + rounds):
        counts: dict[tuple[int, int], int] = {}
        for word, weight in words:
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + weight
        if not counts:
            break
        best = max(counts.values())
        candidates = [pair for pair, count in counts.items() if count == best]
        pair = candidates[0] if ties == "first" else min(candidates)
        words = [(merge_pair(word, pair, id), weight) for word, weight in words]
        learnt.append((*pair, id, best))
    return learnt


@pytest.mark.parametrize("ties", ["first", "smallest"])
@given(words=WORDS, rounds=st.integers(0, 30))
def test_learns_what_recounting_learns(
    ties: str, words: list[tuple[str, int]], rounds: int
) -> None:
    rows = [(word.encode(), weight) for word, weight in words]
    learnt = learn_merges(rows, rounds, 256, ties)  # type: ignore[arg-type]
    assert [tuple(merge) for merge in learnt] == recounting(rows, rounds, 256, ties)


def test_stops_below_the_least_count() -> None:
    learnt = learn_merges([(b"abab", 1), (b"cd", 1)], 10, 256, min_count=2)
    assert [tuple(merge) for merge in learnt] == [(97, 98, 256, 2)]


def test_reports_progress() -> None:
    seen: list[tuple[int, int]] = []
    words = [(bytes([a, b]), 1) for a in range(256) for b in range(4)]
    learn_merges(words, 600, 256, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(256, 600), (512, 600)]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([6, 6, 6], [99, 6]),
        ([6, 6, 6, 6], [99, 99]),
        ([5, 6, 6, 7, 9, 1], [5, 99, 7, 9, 1]),
        ([6], [6]),
        ([], []),
    ],
)
def test_merges_from_left_to_right(ids: list[int], expected: list[int]) -> None:
    assert merge_pair(ids, (6, 6), 99) == expected


@given(words=WORDS, text=st.text("abc", max_size=200))
def test_both_ways_of_applying_agree(words: list[tuple[str, int]], text: str) -> None:
    learnt = learn_merges([(word.encode(), weight) for word, weight in words], 30, 256)
    merges = {(merge.left, merge.right): merge.id for merge in learnt}
    ids = list(text.encode())
    short = _apply_short(ids, merges)
    assert _apply_long(ids, merges) == short == apply_merges(ids, merges)
    assert [ids, *(after for _, after in merge_steps(ids, merges))][-1] == short

"""A piece that is one byte again and again, encoded without looking at each of them."""

from __future__ import annotations

from collections.abc import Mapping

# A symbol that stands so often side by side.
Run = tuple[bytes, int]


def encode_uniform(ranks: Mapping[bytes, int], byte: bytes, count: int) -> list[int] | None:
    """The ids of a piece that is one byte `count` times, as merging by rank gives them.

    Symbols that are alike are merged in pairs all at once, so the work grows with the number of
    ids alone. None where that can't be shown to be the order of merging one pair after the other,
    the lowest rank first and of equal ones the leftmost: where a pair that only comes up meanwhile
    has a lower rank. No merge that was learnt from a corpus has a lower rank than its parts.
    """
    runs: list[Run] = [(byte, count)]
    while (place := _lowest(ranks, runs)) is not None:
        index, is_inside = place
        merged = _inside(ranks, runs, index) if is_inside else _between(runs, index)
        if merged is None:
            return None
        runs = merged
    return [id for symbol, times in runs for id in [ranks[symbol]] * times]


def _lowest(ranks: Mapping[bytes, int], runs: list[Run]) -> tuple[int, bool] | None:
    """The run whose symbols merge next, or whose last one merges with the next run's first."""
    found: list[tuple[int, int, bool]] = []
    for index, (symbol, times) in enumerate(runs):
        if times > 1 and symbol + symbol in ranks:
            found.append((ranks[symbol + symbol], index, True))
        if index + 1 < len(runs) and symbol + runs[index + 1][0] in ranks:
            found.append((ranks[symbol + runs[index + 1][0]], index, False))
    if not found:
        return None
    _, index, is_inside = min(found, key=lambda each: (each[0], each[1], not each[2]))
    return index, is_inside


def _inside(ranks: Mapping[bytes, int], runs: list[Run], index: int) -> list[Run] | None:
    symbol, times = runs[index]
    new = symbol + symbol
    before, after = runs[index - 1 : index] if index else [], runs[index + 1 : index + 2]
    meanwhile = [new + symbol, new + new]
    meanwhile += [each + new for each, _ in before] + [new + each for each, _ in after]
    if any(ranks.get(pair, ranks[new] + 1) <= ranks[new] for pair in meanwhile):
        return None
    left = [(symbol, 1)] if times % 2 else []
    return [*runs[:index], (new, times // 2), *left, *runs[index + 1 :]]


def _between(runs: list[Run], index: int) -> list[Run]:
    (left, left_times), (right, right_times) = runs[index : index + 2]
    parts = [(left, left_times - 1), (left + right, 1), (right, right_times - 1)]
    return [*runs[:index], *(part for part in parts if part[1]), *runs[index + 2 :]]

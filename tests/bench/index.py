"""An edit and a build of a TokenIndex against counting the whole text again.

Against tiktoken's `encode_ordinary`, and toktok-rs (`batch_count`, one thread), the fastest count
of a whole text that can be installed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from statistics import median
from time import perf_counter
from typing import Any

import toktok

from subword import Encoding, TokenIndex, get_encoding

from .texts import MAKERS, text

SIZES = {"1 KB": 10**3, "10 KB": 10**4, "100 KB": 10**5, "1 MB": 10**6, "10 MB": 10**7}
ENCODINGS = ("cl100k_base", "o200k_base")
TYPED = "Please answer in one word. "


def typing(index: TokenIndex, place: float) -> Callable[[int], None]:
    """Type a sentence, one character an edit."""
    start = int(len(index) * place)

    def edit(number: int) -> None:
        index.edit(start + number, start + number, TYPED[number % len(TYPED)])

    return edit


def deleting(index: TokenIndex, place: float) -> Callable[[int], None]:
    """Press the backspace."""
    start = int(len(index) * place)

    def edit(number: int) -> None:
        index.edit(start - number - 1, start - number, "")

    return edit


def pasting(index: TokenIndex, place: float, pasted: str) -> Callable[[int], None]:
    start = int(len(index) * place)
    return lambda number: index.edit(start, start, pasted)


def cutting(index: TokenIndex, place: float, length: int) -> Callable[[int], None]:
    start = int(len(index) * place)
    return lambda number: index.edit(start, min(start + length, len(index)), "")


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    """Rows of: bench, case, size, ours_us, other, other_us, ratio (other's time to ours)."""
    kinds = ["English", "Chinese"] if quick else list(MAKERS)
    encodings = ENCODINGS[1:] if quick else ENCODINGS
    sizes = ["10 KB", "1 MB"] if quick else list(SIZES)
    for name in encodings:
        encoding = get_encoding(name)
        encoding.token_lengths  # noqa: B018 Made once for each encoding.
        for kind in kinds:
            for size in sizes:
                yield from _rows_of(encoding, kind, size, 30 if quick else 200)


def _rows_of(encoding: Encoding, kind: str, size: str, repeats: int) -> Iterable[dict[str, Any]]:
    whole = text(kind, SIZES[size])
    pasted = text(kind, 2 * 10**4)[-10_000:] if kind != "Chinese" else text(kind, 10**4)
    once = max(1, min(20, 10**7 // len(whole) // 20))
    engine = encoding._engine
    others = {
        "tiktoken": _median(lambda _: engine.encode_ordinary(whole), once),
        "toktok": _median(lambda _: toktok.batch_count([whole], encoding.name, threads=1), once),
    }
    built = _median(lambda _: TokenIndex(encoding, whole), once)
    case = f"{encoding.name} {kind}"
    yield _row(f"{case}, build", size, built, "tiktoken", others["tiktoken"])
    index = TokenIndex(encoding, whole)
    edits: dict[str, tuple[Callable[[TokenIndex], Callable[[int], None]], int]] = {
        "type at the start": (lambda index: typing(index, 0), repeats),
        "type in the middle": (lambda index: typing(index, 0.5), repeats),
        "type at the end": (lambda index: typing(index, 1), repeats),
        "backspace in the middle": (lambda index: deleting(index, 0.5), repeats),
        "paste 10 KB": (lambda index: pasting(index, 0.5, pasted), 5),
        "delete 10 KB": (lambda index: cutting(index, 0, len(pasted)), 1),
    }
    for name, (make, count) in edits.items():
        # An edit of a snapshot leaves the index as it was.
        ours = _median(make(index.snapshot()), count)
        for other, time in others.items():
            yield _row(f"{case}, {name}", size, ours, other, time)


def _median(call: Callable[[int], object], count: int) -> float:
    """The median time of a call, in microseconds, without the garbage collector's."""
    times: list[float] = []
    gc.collect()
    gc.disable()
    for number in range(count):
        started = perf_counter()
        call(number)
        times.append(perf_counter() - started)
    gc.enable()
    return median(times) * 1e6


def _row(case: str, size: str, ours: float, other: str, time: float) -> dict[str, Any]:
    return {
        "bench": "index",
        "case": case,
        "size": size,
        "ours_us": round(ours, 2),
        "other": other,
        "other_us": round(time, 2),
        "ratio": round(time / ours, 2),
    }

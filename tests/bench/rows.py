"""A row of a bench, and times of whole processes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any


def row(bench: str, case: str, size: str, ours: float, other: str, others: float) -> dict[str, Any]:
    """A comparison; both times in seconds."""
    return {
        "bench": bench,
        "case": case,
        "size": size,
        "ours_us": round(ours * 1e6, 2),
        "other": other,
        "other_us": round(others * 1e6, 2),
        "ratio": round(others / ours, 3),
    }


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    started = perf_counter()
    call()
    return perf_counter() - started


def process_time(command: list[str]) -> float:
    """How long a command takes from start to end, in seconds."""
    null = subprocess.DEVNULL
    return seconds(lambda: subprocess.run(command, check=True, stdout=null, stderr=null))


def in_turns(first: Any, second: Any, times: int) -> tuple[float, float]:
    """The medians of two measurements, taken in turns so that both meet the same machine."""
    pairs = [(first(), second()) for _ in range(times)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)

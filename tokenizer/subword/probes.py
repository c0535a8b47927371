"""Trying a split pattern of one's own on texts that find its faults, before it meets the user's.

What is tried is the engine that will run the pattern. That one is linear in what it looks at for
one piece, or gives up after a number of steps; but a pattern that looks far ahead for each piece is
quadratic in the text all the same. Whether one is can't be told from looking. So texts four and
sixteen times as long are tried: where four times the text costs clearly more than four times the
processor's time, the pattern is refused. That is no proof. What gets through is bounded in a text
by the engine's steps, and by seconds where Python has to run it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

import tiktoken

from .patterns import SAMPLE

MAX_PATTERN = 10_000

# How long the runs in a text are; the last ones take a published pattern about 0.04 s.
_RUNS = (250, 1_000, 4_000, 16_000)
SECONDS = 2.0
# Four times the text is four times the time of a linear pattern, and sixteen of a quadratic one.
_GROWTH = 9.0
# Less time than this, in seconds, says nothing of growth.
_NOISE = 0.05
_TRIALS = 4

# Runs of one kind of character are what patterns backtrack on. What stands first is looked for in
# vain by those that look far ahead.
_KINDS = ("x'", "'s", "a1", "a ", "aA", "A", "a", "1", " ", "\n", " \n", "-", "漢", "é")

# The id of an empty piece: tiktoken's core fails on one that is no token.
EMPTY = 256
_BYTES = {bytes([byte]): byte for byte in range(256)} | {b"": EMPTY}


@lru_cache(maxsize=32)
def pattern_fault(pattern: str) -> str | None:
    """What keeps a pattern from being counted with by tiktoken's engine; None when nothing does."""
    if len(pattern) > MAX_PATTERN:
        return f"has {len(pattern):,} characters; {MAX_PATTERN:,} is the most"
    try:
        engine = tiktoken.Encoding(
            "probe", pat_str=pattern, mergeable_ranks=_BYTES, special_tokens={}
        )
    except ValueError as error:
        return f"can't be used: {' '.join(str(error).split())}"
    try:
        if fault := growth_fault(lambda text: engine.encode(text, disallowed_special=())):
            return fault
        ids = engine.encode(SAMPLE + _every_kind(), disallowed_special=())
        if EMPTY in (*ids, *engine.encode("")):
            return "matches where there is nothing, so that pieces are empty"
        if engine.decode(ids) != SAMPLE + _every_kind():
            return "does not match every text"
    except ValueError:
        return "takes too many steps on a short text"
    return None


def backtracking_fault(pattern: str) -> str | None:
    """What keeps a pattern from being run by another engine, as far as `regex` can read it.

    An engine of another maker may end the program's thread, and say so on standard error, where a
    pattern backtracks without end; `regex` can be told when to give up.
    """
    import regex

    if len(pattern) > MAX_PATTERN:
        return f"has {len(pattern):,} characters; {MAX_PATTERN:,} is the most"
    try:
        compiled = regex.compile(pattern, regex.V1)
        text = _runs(_RUNS[0])
        for _ in compiled.finditer(text, concurrent=False, timeout=SECONDS):
            pass
    except RecursionError:
        return "is nested too deeply"
    except TimeoutError:
        return f"takes more than {SECONDS:.0f} s on a text of {len(text):,} characters"
    except regex.error:
        pass
    return None


def growth_fault(split: Callable[[str], object], longest: int = _RUNS[-1]) -> str | None:
    """Why `split` takes too long on long texts; None when its time grows as the text does.

    `longest` is that of the runs in characters, for a `split` that is slow even when it is linear.
    """
    lengths = [run for run in _RUNS if run <= longest]
    shorter = ""
    for text in map(_runs, lengths):
        spent = _seconds(split, text)
        if spent > SECONDS:
            return f"takes more than {SECONDS:.0f} s on a text of {len(text):,} characters"
        if shorter and spent > _NOISE and _grows(split, shorter, text):
            return "takes longer and longer on long texts: it looks far ahead for each piece"
        shorter = text
    return None


def _grows(split: Callable[[str], object], shorter: str, longer: str) -> bool:
    """Whether four times the text takes far more than four times as long, whenever it is tried.

    The garbage of others and the machine's caches make one trial slow, not all of them.
    """
    trials = ((_seconds(split, shorter), _seconds(split, longer)) for _ in range(_TRIALS))
    return all(after > _GROWTH * before for before, after in trials)


def _seconds(split: Callable[[str], object], text: str) -> float:
    # The time of this thread alone: what else the machine does must not refuse a pattern.
    began = time.thread_time()
    split(text)
    return time.thread_time() - began


def _runs(length: int) -> str:
    return "".join(kind * (length // len(kind)) + "!" for kind in _KINDS)


@lru_cache(maxsize=1)
def _every_kind() -> str:
    """Characters of every block and category: each 37th of Unicode's, and all of the first 768."""
    codes = (*range(0x300), *range(0x300, 0xD800, 37), *range(0xE000, 0x110000, 37))
    return "".join(map(chr, codes))

"""Trying a foreign split pattern on texts that make bad ones slow, before it meets the user's.

A regular expression from a file can take exponential time. Which ones do can't be told from
looking; but those that backtrack without end do so on long runs of one kind of character.
"""

from __future__ import annotations

from .files import ModelError

# No published pattern takes a thousandth of this on all probes together.
SECONDS = 2.0

MAX_PATTERN = 10_000

_RUN = 2_000
_PROBES = [
    run * _RUN + end
    for run in ("a", "A", "aA", "1", " ", "\n", " \n", "-", "漢", "é", "a1", "a ", "'s", "x'")
    for end in ("", "!", "\0")
]


def refuse_slow_pattern(name: str, pattern: str) -> None:
    """Raise `ModelError` when a pattern takes very long on some text.

    A pattern that `regex` can't read is left to the engine that it was written for.
    """
    import regex

    if len(pattern) > MAX_PATTERN:
        raise ModelError(f"{name}: its split pattern has {len(pattern):,} characters")
    try:
        compiled = regex.compile(pattern, regex.V1)
    except regex.error:
        return
    except RecursionError:
        raise ModelError(f"{name}: its split pattern is nested too deeply") from None
    try:
        for probe in _PROBES:
            for _ in compiled.finditer(probe, concurrent=False, timeout=SECONDS):
                pass
    except TimeoutError:
        raise ModelError(
            f"{name}: its split pattern takes more than {SECONDS:.0f} s on a short text"
        ) from None

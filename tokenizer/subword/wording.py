"""How amounts, lists and whitespace are written, by the engine and all above it."""

from __future__ import annotations

from collections.abc import Sequence

SIGNS = str.maketrans({" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"})
"""What stands for whitespace that nobody would see."""


def with_signs(text: str) -> str:
    """A text in which nothing is unseen: whitespace has its sign, the rest its code point."""
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text.translate(SIGNS))


def amount(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def enumerated(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`. At least one."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

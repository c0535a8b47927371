"""The outline of a prompt: its messages and the sections in them, each with its tokens."""

from __future__ import annotations

from dataclasses import dataclass

from .counts import Counts
from .text import Text


@dataclass(frozen=True, eq=False)
class Part:
    """A message or a section of one."""

    name: str
    start: int
    """Where it begins in the file, in characters."""
    end: int
    tokens: int
    is_message: bool
    parent: Part | None = None


def outline(counts: Counts, text: Text) -> list[Part]:
    """The parts of a prompt in the order of the file, each after the one that it lies in.

    A prompt that is a single message without a role is not listed itself, only its sections.
    """
    parts: list[Part] = []
    messages = counts.prompt.messages
    if len(messages) > 1 or any(message.role for message in messages):
        parts += [
            Part(m.role or "message", m.start, m.end, count.total, is_message=True)
            for m, count in zip(messages, counts.by_message, strict=True)
        ]
    return sorted(parts, key=lambda part: (part.start, -part.end))

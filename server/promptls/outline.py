"""The outline of a prompt: its messages and the sections in them, each with its tokens."""

from __future__ import annotations

from dataclasses import dataclass

from .counts import Counts
from .formats.markdown import file_sections


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

    @property
    def cost(self) -> str:
        """Its tokens, as people read them."""
        return f"{self.tokens} {'token' if self.tokens == 1 else 'tokens'}"


def outline(counts: Counts) -> list[Part]:
    """The parts of a prompt in the order of the file, each after the one that it lies in.

    A prompt that is a single message without a role is not listed itself, only its sections.
    """
    parts: list[Part] = []
    messages = counts.prompt.messages
    is_listed = len(messages) > 1 or any(message.role for message in messages)
    for message, count in zip(messages, counts.by_message, strict=True):
        # The parts around the next section, from the outside inwards.
        around: list[Part] = []
        if is_listed:
            name = message.role or "message"
            around.append(Part(name, message.start, message.end, count.total, is_message=True))
            parts += around
        for start, end, title, _ in file_sections(message):
            while around and not (around[-1].start <= start and end <= around[-1].end):
                around.pop()
            parent = around[-1] if around else None
            around.append(Part(title, start, end, counts.in_file_range(start, end), False, parent))
            parts.append(around[-1])
    return sorted(parts, key=lambda part: (part.start, -part.end))

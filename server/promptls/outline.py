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


def outline(counts: Counts) -> list[Part]:
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
    for message in messages:
        for section in file_sections(message):
            parent = _innermost(parts, section.start, section.end)
            tokens = counts.in_file_range(section.start, section.end)
            parts.append(Part(section.title, section.start, section.end, tokens, False, parent))
    return sorted(parts, key=lambda part: (part.start, -part.end))


def _innermost(parts: list[Part], start: int, end: int) -> Part | None:
    """The last part that holds file[start:end]; parts come from the outside inwards."""
    return next((p for p in reversed(parts) if p.start <= start and end <= p.end), None)

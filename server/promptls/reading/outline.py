"""The outline of a prompt: its messages and the sections in them, each with its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..syntax.markdown import file_sections
from .amounts import Amount
from .reading import Reading


@dataclass(frozen=True, eq=False)
class Part:
    """One of several prompts in a file, a message, or a section of one."""

    name: str
    start: int
    """Where it begins in the file, in characters."""
    end: int
    amount: Amount
    is_section: bool = False
    parent: Part | None = None


def outline(reading: Reading) -> list[Part]:
    """The parts of a file in its order, each after the one that it lies in.

    A prompt that is a single message without a role is not listed itself, only its sections; nor
    is an empty turn that waits for the model.
    """
    parts: list[Part] = []
    if not reading.prompt.alternatives:
        parts += _parts(reading, 0, len(reading.counts), None)
    for each, amount in zip(reading.prompt.alternatives, reading.alternative_amounts, strict=True):
        prompt = Part(each.label, each.start, each.end, amount)
        parts += [prompt, *_parts(reading, each.first, each.stop, prompt)]
    return sorted(parts, key=lambda part: (part.start, -part.end))


def _parts(reading: Reading, first: int, stop: int, prompt: Part | None) -> Iterator[Part]:
    """The messages `first` up to `stop`, which lie in `prompt`, and their sections."""
    messages = reading.prompt.said[first:stop]
    amounts = reading.message_amounts[first:stop]
    is_listed = len(messages) > 1 or any(message.role for message in messages)
    for message, sent in zip(messages, amounts, strict=False):
        # The parts around the next section, from the outside inwards.
        around = [prompt] if prompt else []
        if is_listed:
            name = message.role or "message"
            around.append(Part(name, message.start, message.end, sent, False, prompt))
            yield around[-1]
        for start, end, title, _ in file_sections(message):
            while around and not (around[-1].start <= start and end <= around[-1].end):
                around.pop()
            parent = around[-1] if around else None
            amount = reading.choice.amount(reading.in_file_range(start, end))
            around.append(Part(title, start, end, amount, True, parent))
            yield around[-1]

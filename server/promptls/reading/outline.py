"""The outline of a prompt: its messages and the sections in them, each with its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..syntax.markdown import file_sections
from .amounts import Amount
from .counts import Counts


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


def outline(counts: Counts) -> list[Part]:
    """The parts of a file in its order, each after the one that it lies in.

    A prompt that is a single message without a role is not listed itself, only its sections; nor
    is an empty turn that waits for the model.
    """
    parts: list[Part] = []
    if not counts.alternatives:
        parts += _parts(counts, 0, len(counts.by_message), None)
    for each, amount in zip(counts.alternatives, counts.by_alternative, strict=True):
        prompt = Part(each.label, each.start, each.end, amount)
        parts += [prompt, *_parts(counts, each.first, each.stop, prompt)]
    return sorted(parts, key=lambda part: (part.start, -part.end))


def _parts(counts: Counts, first: int, stop: int, prompt: Part | None) -> Iterator[Part]:
    """The messages `first` up to `stop`, which lie in `prompt`, and their sections."""
    messages = counts.prompt.said[first:stop]
    amounts = counts.message_amounts[first:stop]
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
            amount = counts.amount(counts.in_file_range(start, end))
            around.append(Part(title, start, end, amount, True, parent))
            yield around[-1]

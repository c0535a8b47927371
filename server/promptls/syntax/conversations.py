"""Conversations that a file holds, of which one is sent at a time, and the prompt they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ..prompt import Alternative, Message, Passage, Placeholder, Problem, Uncounted
from .templates import Scan, render


class Turn(NamedTuple):
    """One message, before its placeholders are taken out."""

    role: str | None
    passage: Passage
    name: str | None = None
    """The name of who says it, which OpenAI's models are given, too."""
    goes_on: bool = False
    """Whether what is no text, such as an image, follows the text."""


class Conversation(NamedTuple):
    """What is sent at one time: one of the prompts of a file."""

    start: int
    end: int
    turns: list[Turn]
    label: str = ""
    beside: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


class Messages(NamedTuple):
    """The conversations of a file as parts of a `Prompt`; their names are those of its fields."""

    messages: tuple[Message, ...]
    placeholders: tuple[Placeholder, ...]
    problems: tuple[Problem, ...]
    alternatives: tuple[Alternative, ...]
    beside: tuple[Uncounted, ...]
    models: tuple[str, ...]


def assemble(conversations: Iterable[Conversation], scan: Scan) -> Messages:
    """The messages of all conversations of a file, which are alternatives if they are several."""
    found, placeholders, problems = list[Message](), list[Placeholder](), list[Problem]()
    alternatives, beside, models = list[Alternative](), list[str](), list[str]()
    for each in conversations:
        first = len(found)
        for turn in each.turns:
            rendering = render(turn.passage, scan(turn.passage.text))
            found.append(
                replace(rendering.message(turn.role), name=turn.name, goes_on=turn.goes_on)
            )
            placeholders += rendering.placeholders
            problems += rendering.problems
            beside += rendering.beside
        beside += each.beside
        models += each.models
        if each.turns:
            label = each.label or f"prompt {len(alternatives) + 1}"
            alternatives.append(Alternative(label, each.start, each.end, first, len(found)))
    return Messages(
        tuple(found),
        tuple(placeholders),
        tuple(problems),
        tuple(alternatives) if len(alternatives) > 1 else (),
        tally(beside),
        tuple(dict.fromkeys(models)),
    )


def tally(nouns: Iterable[str]) -> tuple[Uncounted, ...]:
    """How often each noun occurs."""
    return tuple(Uncounted(what, count) for what, count in Counter(nouns).items())

"""Conversations that a file holds, of which one is sent at a time, and the prompt they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ..passages import Passage
from ..prompt import Alternative, Message, Placeholder, Problem, Prompt, Uncounted
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
    uncounted: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


def assemble(
    conversations: Iterable[Conversation],
    scan: Scan,
    problems: Iterable[Problem] = (),
    uncounted: Iterable[str] = (),
) -> Prompt:
    """The prompt of a file that holds conversations: alternatives if they are several.

    `problems` are the file's own, and `uncounted` what it holds beside the conversations.
    """
    found, placeholders, problems = list[Message](), list[Placeholder](), [*problems]
    alternatives, nouns, models = list[Alternative](), list[str](), list[str]()
    for each in conversations:
        first = len(found)
        for turn in each.turns:
            rendering = render(turn.passage, scan(turn.passage.text))
            found.append(
                replace(rendering.message(turn.role), name=turn.name, goes_on=turn.goes_on)
            )
            placeholders += rendering.placeholders
            problems += rendering.problems
            nouns += rendering.uncounted
        nouns += each.uncounted
        models += each.models
        if each.turns:
            label = each.label or f"prompt {len(alternatives) + 1}"
            alternatives.append(Alternative(label, each.start, each.end, first, len(found)))
    return Prompt(
        tuple(found),
        placeholders=tuple(placeholders),
        problems=tuple(problems),
        is_chat=any(message.role for message in found),
        uncounted=tally((*nouns, *uncounted)),
        alternatives=tuple(alternatives) if len(alternatives) > 1 else (),
        models=tuple(dict.fromkeys(models)),
    )


def tally(nouns: Iterable[str]) -> tuple[Uncounted, ...]:
    """How often each noun occurs."""
    return tuple(Uncounted(what, count) for what, count in Counter(nouns).items())

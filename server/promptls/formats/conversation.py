"""Chat messages in JSON and YAML: `role` with `content`, which is a text or a list of parts.

Understood are OpenAI's chat completions and responses, its batch and fine-tuning lines, and
Anthropic's `system` beside `messages`. Images, files and tool calls are no text that is known to be
sent as it stands; they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..prompt import Message, Passage, Placeholder, Problem, joined
from .document import Mapping, Node, Scalar, Sequence, get, items, string, text
from .templates import Scan, render

_LISTS = ("messages", "input", "prompt", "completion")
_TEXTS = (("system", "system"), ("instructions", "system"), ("input", "user"), ("prompt", "user"))


class Turn(NamedTuple):
    """One message, before its placeholders are taken out."""

    role: str | None
    passage: Passage


def turns(node: Node | None) -> Iterator[Turn]:
    """The messages of a value, in the order of the file."""
    yield from sorted(_turns(node), key=lambda turn: turn.passage.start)


def messages(
    turns: Iterator[Turn], scan: Scan
) -> tuple[tuple[Message, ...], tuple[Placeholder, ...], tuple[Problem, ...]]:
    """The messages of a prompt with their placeholders taken out, these, and the problems."""
    found, placeholders, problems = list[Message](), list[Placeholder](), list[Problem]()
    for turn in turns:
        rendering = render(turn.passage, scan(turn.passage.text))
        found.append(rendering.message(turn.role))
        placeholders += rendering.placeholders
        problems += rendering.problems
    return tuple(found), tuple(placeholders), tuple(problems)


def _turns(node: Node | None) -> Iterator[Turn]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _message(item)
    elif isinstance(node, Mapping):
        if get(node, "role") is not None:
            yield from _message(node)
        elif get(node, "body") is not None:
            yield from _turns(get(node, "body"))
        else:
            yield from _conversation(node)


def _conversation(node: Mapping) -> Iterator[Turn]:
    for key, role in _TEXTS:
        value = get(node, key)
        passage = _content(value) if key == "system" else _text(value)
        if passage:
            yield Turn(role, passage)
    for key in _LISTS:
        for item in items(get(node, key)):
            yield from _message(item)


def _message(node: Node | None) -> Iterator[Turn]:
    passage = _content(get(node, "content"))
    if passage:
        yield Turn(string(get(node, "role")), passage)


def _content(node: Node | None) -> Passage | None:
    if isinstance(node, Sequence):
        parts = [passage for part in node.items if (passage := _part(part))]
        return joined(parts) if parts else None
    return _text(node)


def _part(node: Node) -> Passage | None:
    if isinstance(node, Scalar):
        return _text(node)
    is_result = string(get(node, "type")) == "tool_result"
    return _text(get(node, "text")) or (_text(get(node, "content")) if is_result else None)


def _text(node: Node | None) -> Passage | None:
    scalar = text(node)
    return scalar.passage if scalar else None

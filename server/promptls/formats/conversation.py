"""Chat messages in JSON and YAML: `role` with `content`, which is a text or a list of parts.

Understood are OpenAI's chat completions and responses, its batch and fine-tuning lines, and
Anthropic's `system` beside `messages`. How images, files, tools and tool calls become tokens is not
documented, so they count nothing; `uncounted` says what there is of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from subword.encodings import UnknownModelError, encoding_name_for_model

from ..prompt import Message, Passage, PassageBuilder, Placeholder, Problem, Uncounted, joined
from .document import Mapping, Node, Scalar, Sequence, entries, get, items, string, text
from .templates import Scan, render

_LISTS = ("messages", "input", "prompt", "completion")
_TEXTS = (("system", "system"), ("instructions", "system"), ("input", "user"), ("prompt", "user"))
_TOOLS = ("tools", "functions")
_SCHEMAS = (("response_format", "json_schema"), ("text", "format", "schema"), ("jsonSchema",))
# The types of messages and of their parts which are not, or not only, a text.
_KINDS = {
    "function_call": "tool call",
    "tool_use": "tool call",
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "input_audio": "audio clip",
    "document": "file",
    "file": "file",
    "input_file": "file",
}
_TEXT_PARTS = ("text", "input_text", "output_text", "tool_result")
# Items of OpenAI's responses that name no role.
_ROLES = {"function_call": "assistant", "function_call_output": "tool"}


class Turn(NamedTuple):
    """One message, before its placeholders are taken out."""

    role: str | None
    passage: Passage


def turns(node: Node | None) -> Iterator[Turn]:
    """The messages of a value, in the order of the file."""
    request = _request(node)
    found = chain(_texts(request), *map(_turn, _messages(request)))
    yield from sorted(found, key=lambda turn: turn.passage.start)


def uncounted(node: Node | None) -> Iterator[str]:
    """What a value gives the model beside the texts of its messages, one noun for each."""
    request = _request(node)
    yield from definitions(request)
    for message in _messages(request):
        yield from _beside(message)


def definitions(node: Node | None) -> Iterator[str]:
    """The tools and the response's schema among the parameters of a request."""
    for key in _TOOLS:
        yield from ["tool"] * len(items(get(node, key)))
    if any(get(node, *keys) for keys in _SCHEMAS):
        yield "response schema"


def is_continued(node: Node | None) -> bool:
    """Whether the model goes on with a last assistant message; OpenAI's models answer anew."""
    model = string(get(_request(node), "model"))
    try:
        return not (model and encoding_name_for_model(model))
    except UnknownModelError:
        return True


def no_messages(node: Node | None) -> Iterator[Problem]:
    """That a value, if it holds anything, has no place for messages."""
    request = _request(node)
    places = request.items if isinstance(request, Sequence) else [request]
    is_empty = isinstance(request, Mapping) and not request.entries
    if node and node.start < node.end and places and not (is_empty or any(map(_has_place, places))):
        what = "no messages were found here: they are an array, or stand in `messages` or `input`"
        yield Problem(node.start, node.start + 1, what, "empty")


def _has_place(node: Node | None) -> bool:
    return any(get(node, key) for key in ("role", "type", *_LISTS, *dict(_TEXTS)))


def tally(nouns: Iterable[str]) -> tuple[Uncounted, ...]:
    """How often each noun occurs."""
    return tuple(Uncounted(what, count) for what, count in Counter(nouns).items())


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


def _request(node: Node | None) -> Node | None:
    """What a line of a batch sends; everything else is what it is."""
    return get(node, "body") or node if get(node, "role") is None else node


def _messages(node: Node | None) -> list[Node]:
    if isinstance(node, Sequence):
        return node.items
    if node is None or get(node, "role") is not None:
        return [node] if node else []
    return [item for key in _LISTS for item in items(get(node, key))]


def _texts(node: Node | None) -> Iterator[Turn]:
    """The messages that a request gives as texts, beside its list of messages."""
    for key, role in _TEXTS if get(node, "role") is None else ():
        value = get(node, key)
        passage = _content(value) if key == "system" else _text(value)
        if passage:
            yield Turn(role, passage)


def _turn(node: Node) -> Iterator[Turn]:
    """A message; one that holds only what isn't counted has no text."""
    passage = _content(get(node, "content")) or _text(get(node, "output"))
    if passage is None and any(_beside(node)):
        passage = PassageBuilder("").passage(node.start, node.end)
    if passage:
        role = string(get(node, "role")) or _ROLES.get(string(get(node, "type")) or "")
        yield Turn(role, passage)


def _beside(message: Node) -> Iterator[str]:
    """What a message holds beside its text."""
    yield from ["tool call"] * len(items(get(message, "tool_calls")))
    if entries(get(message, "function_call")):
        yield "tool call"
    if noun := _KINDS.get(string(get(message, "type")) or ""):
        yield noun
    for part in items(get(message, "content")):
        for each in (part, *items(get(part, "content"))):
            kind = string(get(each, "type"))
            if kind and kind not in _TEXT_PARTS:
                yield _KINDS.get(kind, "part")


def _content(node: Node | None) -> Passage | None:
    if isinstance(node, Sequence):
        return _joined(map(_part, node.items))
    return _text(node)


def _part(node: Node) -> Passage | None:
    if isinstance(node, Scalar):
        return _text(node)
    if string(get(node, "type")) == "tool_result":
        result = get(node, "content")
        return _text(result) or _joined(_text(get(part, "text")) for part in items(result))
    return _text(get(node, "text"))


def _joined(passages: Iterable[Passage | None]) -> Passage | None:
    parts = [passage for passage in passages if passage]
    return joined(parts) if parts else None


def _text(node: Node | None) -> Passage | None:
    scalar = text(node)
    return scalar.passage if scalar else None

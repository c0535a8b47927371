"""Conversations written with a model's own markers around each turn, as ChatML and Harmony are.

A marker is structure where it begins or ends a turn: an opener at the text's start or after the
last turn, a closer with nothing but another opener or the end behind it, or the last one that ends
a line. The same marker inside a body is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..passages import Passage, passage
from ..prompt import Placeholder, Problem, Prompt
from ..source_map import Span
from .blocks import left_open
from .templates import parse_template, render, scan_values

# The roles, in any family's word, of which the model writes the messages.
_ANSWERS = frozenset(("assistant", "model", "CHATBOT"))


class TurnMarkers(NamedTuple):
    """How a family of models marks the turns of a chat."""

    family: str
    """What people call it."""
    opener: re.Pattern[str]
    """Ends where the body begins. Its group `role`, or else the name of its group, is the role."""
    closers: tuple[str, ...]
    must_close: bool = True
    """Whether an opener without a closer before it is a mistake."""


def role_of(opener: re.Match[str]) -> str:
    """The role of the turn that an opener begins."""
    role = opener.groupdict().get("role", opener.lastgroup)
    return (role or "").strip()


def parse_turns(text: str, markers: TurnMarkers) -> Prompt:
    """The prompt of a text that is written with such markers."""
    closers = markers.closers
    openers = list(markers.opener.finditer(text))
    if not openers:
        return parse_template(text, scan_values)
    messages, structure = [], []
    placeholders: list[Placeholder] = []
    problems = list(_outside(text, 0, openers[0].start()))
    for index, match in enumerate(openers):
        is_last = index + 1 == len(openers)
        region_end = len(text) if is_last else openers[index + 1].start()
        body, closer = _body(text, match.end(), region_end, closers)
        structure.append(Span(match.start(), match.end()))
        if is_last and closer is None:
            body, closer = _half_typed(text, body, closers)
            problems += _outside(text, closer.end if closer else len(text), len(text))
        if closer:
            structure.append(closer)
        elif not is_last and markers.must_close:
            problems.append(left_open(*match.span(), "this turn", closers[0]))
        rendering = render(body, scan_values(body.text))
        messages.append(rendering.message(role_of(match)))
        placeholders += rendering.placeholders
    return Prompt(
        tuple(messages),
        placeholders=tuple(placeholders),
        structure=tuple(structure),
        problems=tuple(problems),
        is_chat=True,
        markers=markers.family,
        has_open_turn=closer is None and role_of(match) in _ANSWERS,
    )


def _outside(text: str, start: int, end: int) -> Iterator[Problem]:
    if text[start:end].strip("\ufeff \t\r\n"):
        yield Problem(start, end, "this stands outside all turns and is not counted", "unsent")


def _half_typed(text: str, body: Passage, closers: tuple[str, ...]) -> tuple[Passage, Span | None]:
    """A last turn that is closed at a line's end, with the beginning of another one behind it."""
    for closer in closers:
        at = text.rfind(closer + "\n", body.start)
        if at < 0:
            at = text.rfind(closer + "\r\n", body.start)
        if at >= 0:
            return passage(text, body.start, at), Span(at, at + len(closer))
    return body, None


def _body(text: str, start: int, end: int, closers: tuple[str, ...]) -> tuple[Passage, Span | None]:
    """A turn's body and its closing marker, if it has one."""
    region = text[start:end].rstrip()
    for closer in closers:
        if region.endswith(closer):
            at = start + len(region) - len(closer)
            return passage(text, start, at), Span(at, at + len(closer))
    return passage(text, start, end), None

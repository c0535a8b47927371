"""Jinja's macros: what they send, and where.

A macro sends nothing where it is defined. Where one that has only text and values in it is called,
its text is sent; what any other one sends is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...passages import passage
from ...text import Edit
from ..templates import Tag, line_feeds, removals
from .values import Call, Constant

# More than this, in characters, is not written out for all calls together: a text that calls a long
# macro again and again sends a quadratic amount.
_MOST_SENT = 1 << 20


class Macro(NamedTuple):
    """A macro that has been read."""

    start: int
    """Where its body begins, in characters of the text."""
    end: int
    parameters: tuple[str, ...]
    defaults: Mapping[str, Constant | None]
    first_tag: int
    """The number of the tag that opens it; those of its body follow."""
    last_tag: int
    """The number of the tag that closes it."""


class Macros:
    """The macros of a template and the tags that call them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._macros: dict[str, list[Macro]] = {}
        self._mentions: dict[int, set[str]] = {}
        self._calls: dict[int, Call] = {}
        self._left = _MOST_SENT

    def define(self, name: str, macro: Macro) -> None:
        self._macros.setdefault(name, []).append(macro)

    def mention(self, tag: int, name: str) -> None:
        """Note that a tag looks a name up."""
        self._mentions.setdefault(tag, set()).add(name)

    def call(self, tag: int, call: Call) -> None:
        """Note that a tag sends what a call returns."""
        self._calls[tag] = call

    def applied(self, tags: list[Tag]) -> tuple[list[Tag], list[Edit], int]:
        """The tags with what calls send, the bodies to take out, how many calls aren't counted."""
        if not self._macros:
            return tags, [], 0
        sent = list(tags)
        inside = set[int]()
        macros = [macro for each in self._macros.values() for macro in each]
        for macro in macros:
            inside.update(range(macro.first_tag + 1, macro.last_tag))
        # Which one of several with one name is called isn't known here.
        simple = {
            name: macro
            for name, (macro, *others) in self._macros.items()
            if not others and self._is_simple(macro, tags)
        }
        uncounted = 0
        for number, names in self._mentions.items():
            if number in inside or not names & self._macros.keys():
                continue
            call = self._calls.get(number)
            called = simple.get(call.name) if call else None
            body = self._body(called, call, tags) if called and call else None
            if body is None:
                uncounted += 1
            else:
                text, has_values = body
                kind = tags[number].kind if has_values else "tag"
                sent[number] = tags[number]._replace(kind=kind, text=text)
        for number in inside:
            if tags[number].is_output:
                sent[number] = tags[number]._replace(kind="tag", name="", text=None)
        removed = [Edit(macro.start, macro.end) for macro in macros]
        return sent, sorted(removed), uncounted

    def _is_simple(self, macro: Macro, tags: Sequence[Tag]) -> bool:
        """Whether a macro has only text and values in it, and calls no other one."""
        numbers = range(macro.first_tag + 1, macro.last_tag)
        return all(
            (tags[number].is_output or tags[number].kind == "comment")
            and not self._mentions.get(number, set()) & self._macros.keys()
            for number in numbers
        )

    def _body(self, macro: Macro, call: Call, tags: Sequence[Tag]) -> tuple[str, bool] | None:
        """What a call sends, and whether values come on top; None if that would be too much."""
        self._left -= macro.end - macro.start
        if self._left < 0:
            return None
        arguments = dict(_arguments(macro, call))
        has_values = False
        filled: list[Tag] = []
        for tag in tags[macro.first_tag + 1 : macro.last_tag]:
            text = tag.text
            if tag.is_output and text is None:
                constant = arguments.get(tag.name)
                has_values |= constant is None
                text = str(constant.value) if constant else ""
            start, end = tag.start - macro.start, tag.end - macro.start
            filled.append(tag._replace(start=start, end=end, text=text))
        self._left -= sum(len(tag.text or "") for tag in filled)
        if self._left < 0:
            return None
        body = self._text[macro.start : macro.end]
        edits = sorted([*removals(body, filled), *line_feeds(body)])
        text = passage(body, 0, len(body)).edited(edits).text
        text = text.lstrip() if tags[macro.first_tag].trims_right else text
        return (text.rstrip() if tags[macro.last_tag].trims_left else text), has_values


def _arguments(macro: Macro, call: Call) -> Iterator[tuple[str, Constant | None]]:
    """The parameters and what they are, None where that isn't known."""
    yield from macro.defaults.items()
    yield from zip(macro.parameters, call.positional, strict=False)
    yield from call.named.items()

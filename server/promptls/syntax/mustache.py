"""Mustache templates: `{{value}}`, `{{{value}}}`, `{{#section}}`, `{{>partial}}`, `{{=<% %>=}}`.

Read as the Mustache specification says: a tag other than a value that is alone on its line takes
the line away, and a tag can change the delimiters of those that follow. A section is sent if its
name is something, an inverted one if it is nothing. What follows a tag that can't be read is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..conditions import Condition, Not, Subject, Truth
from .blocks import Block, Blocks, Fault, left_open
from .templates import Tag, Template

_DELIMITERS = re.compile(r"=\s*(?P<open>[^\s=]+)\s+(?P<close>[^\s=]+)\s*=\Z")
# Longer ones are no delimiters that somebody has written.
_LONGEST_DELIMITERS = 100


def scan(text: str) -> Template:
    """The tags of a Mustache template, up to the first that can't be read."""
    blocks = Blocks()
    tags: list[Tag] = []
    try:
        for tag in _tags(text, blocks):
            tags.append(tag)
    except Fault as fault:
        return Template(tags, [], [fault.problem], blocks.branches)
    return Template(tags, [], blocks.left_open(), blocks.branches)


def _tags(text: str, blocks: Blocks) -> Iterator[Tag]:
    opener, closer = "{{", "}}"
    at = 0
    while (start := text.find(opener, at)) >= 0:
        inner = start + len(opener)
        # The values that are not escaped, as `{{{x}}}`.
        ending = "}" + closer if text.startswith("{", inner) else closer
        close = text.find(ending, inner)
        if close < 0:
            raise Fault(*left_open(start, inner, opener, ending))
        at = close + len(ending)
        inside = text[inner:close].strip()
        if inside.startswith("="):
            delimiters = _DELIMITERS.match(inside) if len(inside) < _LONGEST_DELIMITERS else None
            if delimiters is None:
                raise Fault(start, at, "this names no two delimiters, as {{=<% %>=}} does")
            opener, closer = delimiters["open"], delimiters["close"]
        yield _classify(start, at, inside, blocks)


def _classify(start: int, end: int, inside: str, blocks: Blocks) -> Tag:
    sigil, name = inside[:1], inside[1:].strip()
    alone = Tag(start, end, "tag", stands_alone=True)
    if sigil in ("#", "^"):
        subject = _subject(name, blocks.open)
        condition: Condition = Truth(subject) if sigil == "#" else Not(Truth(subject))
        # What is in a section is looked up in its value first.
        inner = subject if sigil == "#" else _scope(blocks.open)
        blocks.begin(name, start, end, condition).scope = inner
        return alone._replace(uses=_root(name))
    if sigil in ("<", "$"):
        blocks.begin(name, start, end).scope = _scope(blocks.open)
        return alone
    if sigil == "/":
        blocks.expect(name, start, end)
        blocks.finish(start, end)
        return alone
    if sigil == "!":
        return alone._replace(kind="comment")
    if sigil in (">", "="):
        return alone._replace(kind="partial" if sigil == ">" else "tag")
    name = name if sigil in ("{", "&") else inside
    # Inside a section a name is looked up in the section's value first.
    kind = "local" if blocks.open or name == "." else "variable"
    return Tag(start, end, kind, name, _root(name))


def _subject(name: str, around: list[Block]) -> Subject:
    return (*_scope(around), *(name.split(".") if name.strip(".") else (name,)))


def _scope(around: list[Block]) -> Subject:
    return around[-1].scope if around else ()


def _root(name: str) -> tuple[str, ...]:
    root = name.partition(".")[0]
    return (root,) if root else ()

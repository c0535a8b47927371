"""Mustache templates: `{{value}}`, `{{{value}}}`, `{{#section}}`, `{{>partial}}`, `{{=<% %>=}}`.

Read as the Mustache specification says: a tag other than a value that is alone on its line takes
the line away, and a tag can change the delimiters of those that follow.
"""

from __future__ import annotations

import re

from ..prompt import Problem, Prompt, passage
from . import Format
from .templates import Blocks, Reach, Tag, Template, render

_DELIMITERS = re.compile(r"=\s*(?P<open>[^\s=]+)\s+(?P<close>[^\s=]+)\s*=?\Z")


def parse(text: str) -> Prompt:
    rendering = render(passage(text, 0, len(text)), scan(text))
    return Prompt(
        "mustache",
        (rendering.message(None),),
        placeholders=rendering.placeholders,
        problems=rendering.problems,
    )


def scan(text: str) -> Template:
    """The tags of a Mustache template."""
    tags: list[Tag] = []
    problems: list[Problem] = []
    blocks, reach = Blocks(), Reach(text)
    opener, closer = "{{", "}}"
    at = 0
    while (start := text.find(opener, at)) >= 0:
        inner = start + len(opener)
        ending = "}" + closer if text.startswith("{", inner) else closer
        close = reach.find(re.compile(re.escape(ending)), inner)
        if close is None:
            problems.append(reach.unclosed(start, opener, ending))
            at = inner
            continue
        at = close.end()
        inside = text[inner : close.start()].strip()
        tags.append(_classify(start, at, inside, blocks))
        delimiters = _DELIMITERS.match(inside[:100])
        if delimiters:
            opener, closer = delimiters["open"], delimiters["close"]
    return Template(tags, [], sorted(problems + blocks.close_all()))


def _classify(start: int, end: int, inside: str, blocks: Blocks) -> Tag:
    sigil, name = inside[:1], inside[1:].strip()
    alone = Tag(start, end, "tag", stands_alone=True)
    if sigil in ("#", "^", "<", "$"):
        blocks.begin(name, start, end)
        return alone._replace(uses=_root(name) if sigil in "#^" else ())
    if sigil == "/":
        blocks.finish(name, start, end)
        return alone
    if sigil == "!":
        return alone._replace(kind="comment")
    if sigil in (">", "="):
        return alone._replace(kind="partial" if sigil == ">" else "tag")
    name = name if sigil in ("{", "&") else inside
    # Inside a section a name is looked up in the section's value first.
    kind = "local" if blocks.open or name == "." else "variable"
    return Tag(start, end, kind, name, _root(name))


def _root(name: str) -> tuple[str, ...]:
    root = name.partition(".")[0]
    return (root,) if root else ()


FORMAT = Format(
    name="mustache",
    parse=parse,
    patterns=("*.mustache",),
    language_ids=("mustache",),
)

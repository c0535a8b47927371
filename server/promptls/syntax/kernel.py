"""Semantic Kernel's own templates: `{{$x}}`, `{{ns.fn $x}}` and `{{'words'}}`.

As TemplateTokenizer.cs reads them; quotes in a tag protect what closes it.
"""

from __future__ import annotations

import re

from ..prompt import Problem
from ..text import Edit
from .blocks import left_open
from .templates import Tag, Template

_MARK = re.compile(r"\{\{|\}\}|['\"]")
_QUOTES = {quote: re.compile(rf"\\['\"\\]|{quote}") for quote in "'\""}
_ESCAPED = re.compile(r"\\(?P<character>['\"\\])")
_NAME = re.compile(r"\$(?P<name>[^\W\d]\w*)")
_WORDS = re.compile(r"\s+")


def scan(text: str) -> Template:
    """The tags of Semantic Kernel's own language; quotes in a tag protect what closes it."""
    tags, words, problems = list[Tag](), list[Edit](), list[Problem]()
    start = text.find("{{")
    while start >= 0:
        start, end = _tag(text, start)
        if end is None:
            problems.append(left_open(start, start + 2, "{{", "}}"))
            break
        inside = text[start + 2 : end - 2].strip()
        # Empty braces are text.
        if inside[:1] in ("'", '"'):
            words.append(Edit(start, end, _ESCAPED.sub(r"\g<character>", inside[1:-1])))
        elif inside:
            tags.append(_kernel_tag(start, end, inside))
            if inside[0] == "$" and _WORDS.search(inside):
                what = "Semantic Kernel takes one variable here and refuses what follows it"
                problems.append(Problem(start, end, what, "syntax"))
        start = text.find("{{", end)
    return Template(tags, words, problems)


def _tag(text: str, start: int) -> tuple[int, int | None]:
    """Where the tag really begins that begins here or later, and where it ends, if it does."""
    at = start + 1
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark.group() == "{{":
            # The last braces before the end are those that count.
            start, at = mark.start(), mark.start() + 1
        elif mark.group() == "}}":
            return start, mark.end()
        else:
            closing = next(
                (m for m in _QUOTES[mark.group()].finditer(text, at) if m.group() == mark.group()),
                None,
            )
            if closing is None:
                break
            at = closing.end()
    return start, None


def _kernel_tag(start: int, end: int, inside: str) -> Tag:
    uses = tuple(dict.fromkeys(match["name"] for match in _NAME.finditer(inside)))
    is_value = _NAME.fullmatch(inside) is not None
    name = inside[1:] if is_value else _WORDS.split(inside, maxsplit=1)[0]
    return Tag(start, end, "variable" if is_value else "local", name, uses)

"""Promptfile (`.prompt`): messages in `<System>`, `<User>`, `<Assistant>` and the like.

A tag opens at the start of a line and is closed alone on its line; text outside is a comment.
`${name}` is a placeholder. The header is YAML between `---` lines at the file's start.
"""

from __future__ import annotations

import re

from ..prompt import Passage, Placeholder, Problem, Prompt, Span, passage
from . import Format
from .front_matter import read_front_matter
from .templates import Tag, Template, render

_TAG = re.compile(
    r"^<(?P<open>System|User|Assistant|Block|Functions|Function)(?:[ \t][^<>\r\n]*)?>"
    r"(?:[ \t]*(?:\r?\n|\Z))?"
    r"|^[ \t]*</(?P<close>System|User|Assistant|Block|Functions|Function)>[ \t]*\r?$",
    re.MULTILINE,
)
_SIGN = re.compile(r"^<(?:System|User|Assistant)\b", re.MULTILINE)
_VARIABLE = re.compile(r"\$\{[ \t]*(?P<name>[^\W\d][\w.-]{0,99})[ \t]*\}")


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    problems = list(front_matter.problems)
    messages, structure = [], []
    placeholders: list[Placeholder] = []
    opener: re.Match[str] | None = None

    def add(opener: re.Match[str], end: int) -> None:
        body = passage(text, opener.end(), end)
        rendering = render(body, _scan(body))
        placeholders.extend(rendering.placeholders)
        messages.append(rendering.message(opener["open"].lower()))

    for tag in _TAG.finditer(text, front_matter.body_start):
        if tag["open"] and opener is None:
            opener = tag
            structure.append(Span(*tag.span()))
        elif opener and tag["close"] == opener["open"]:
            structure.append(Span(*tag.span()))
            add(opener, tag.start())
            opener = None
    if opener:
        message = (
            f"<{opener['open']}> is never closed with </{opener['open']}> on a line of its own"
        )
        span = opener.start(), opener.end("open") + 1
        problems.append(Problem(*span, message, "unclosed"))
        add(opener, len(text))
    return Prompt(
        "promptfile",
        tuple(messages),
        header=front_matter.header,
        placeholders=tuple(placeholders),
        structure=tuple(structure),
        problems=tuple(problems),
        is_chat=True,
    )


def _scan(body: Passage) -> Template:
    tags = [
        Tag(match.start(), match.end(), "variable", match["name"], (match["name"].split(".")[0],))
        for match in _VARIABLE.finditer(body.text)
    ]
    return Template(tags, [], [])


FORMAT = Format(
    name="promptfile",
    parse=parse,
    patterns=("*.prompt",),
    language_ids=("dotprompt",),
    accepts=lambda text: _SIGN.search(text) is not None,
)

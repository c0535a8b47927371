"""Chat messages in JSON Lines: one conversation or request on each line, each a prompt of its own;
or one message on each line, which are one conversation.

A line that cannot be read is a problem of its own; the other lines count. What lines record is
finished: no model goes on with the last of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..prompt import Problem, Prompt
from ..syntax.conversations import Conversation, assemble
from ..syntax.json_document import read_json
from ..syntax.requests import conversations, holds_messages, is_bare, no_messages
from ..syntax.templates import scan_values
from . import Format
from .openai_messages import looks_like_messages

_LINE = re.compile(r"(?P<line>[^\r\n]*)(?:\r\n|\r|\n|\Z)")
# How many lines are read to tell whether a file holds messages.
_HEAD = 10


def parse(text: str) -> Prompt:
    found, problems, strangers = list[Conversation](), list[Problem](), list[Problem]()
    is_one = True
    for number, (start, end) in _lines(text):
        tree = read_json(text, start, end)
        problems += tree.problems
        root = tree.root
        if not holds_messages(root):
            strangers += () if tree.problems else no_messages(root)
        here = [each for each in conversations(root) if each.turns or each.uncounted]
        is_one = is_one and (is_bare(root) or not here)
        several = len(here) > 1
        found += (
            each._replace(label=f"line {number}" + (f", prompt {n}" if several else ""))
            for n, each in enumerate(here, 1)
        )
    # A line of another kind is no fault in a file that has messages.
    problems += () if found else strangers
    prompts = [_together(found)] if is_one and found else found
    # What lines record is finished: no model goes on with the last of them.
    return replace(assemble(prompts, scan_values, problems), is_chat=True, is_continued=False)


def _lines(text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """The lines that aren't empty, each with its number, counted from 1."""
    for number, line in enumerate(_LINE.finditer(text), 1):
        if line["line"]:
            yield number, line.span("line")


def _together(messages: list[Conversation]) -> Conversation:
    """Messages on lines of their own as one conversation."""
    return Conversation(
        messages[0].start,
        messages[-1].end,
        [turn for each in messages for turn in each.turns],
        "",
        tuple(noun for each in messages for noun in each.uncounted),
    )


def _accepts(text: str) -> bool:
    """Whether one of the first lines holds messages."""
    for count, (_, (start, end)) in enumerate(_lines(text)):
        if count == _HEAD:
            break
        if looks_like_messages(text[start:end]):
            return True
    return False


FORMAT = Format(
    name="openai-jsonl",
    parse=parse,
    patterns=("*.messages.jsonl", "*.jsonl", "*.ndjson"),
    own_patterns=("*.messages.jsonl",),
    language_ids=("jsonl", "ndjson"),
    accepts=_accepts,
)

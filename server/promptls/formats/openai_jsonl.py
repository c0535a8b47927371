"""OpenAI messages in JSON Lines: one conversation, request or message on each line.

A line that cannot be read is a problem of its own; the other lines count. What lines record is
finished: no model goes on with the last of them.
"""

from __future__ import annotations

import re

from ..prompt import Problem, Prompt
from . import Format
from .conversation import Turn, messages, no_messages, tally, turns, uncounted
from .json_document import read_json
from .openai_messages import looks_like_messages
from .templates import scan_values

_LINE = re.compile(r"[^\r\n]+")


def parse(text: str) -> Prompt:
    found: list[Turn] = []
    beside: list[str] = []
    problems: list[Problem] = []
    # A line of another kind is no fault in a file that has messages.
    is_alike = looks_like_messages(text)
    for line in _LINE.finditer(text):
        document = read_json(text, line.start(), line.end())
        problems += document.problems
        if not (is_alike or problems):
            problems += no_messages(document.root)
        found += turns(document.root)
        beside += uncounted(document.root)
    all_messages, placeholders, _ = messages(iter(found), scan_values)
    return Prompt(
        "openai-jsonl",
        all_messages,
        placeholders=placeholders,
        problems=tuple(problems),
        is_chat=True,
        is_continued=False,
        beside=tally(beside),
    )


FORMAT = Format(
    name="openai-jsonl",
    parse=parse,
    patterns=("*.messages.jsonl", "*.jsonl", "*.ndjson"),
    own_patterns=("*.messages.jsonl",),
    language_ids=("jsonl", "ndjson"),
    accepts=looks_like_messages,
)

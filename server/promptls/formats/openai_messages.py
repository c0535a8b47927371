"""OpenAI messages in JSON: an array of messages, or an object that holds one.

Each message's content counts as it is decoded. `{{name}}` is taken for a placeholder.
"""

from __future__ import annotations

import re

from ..prompt import Prompt
from . import Format
from .conversation import is_continued, messages, no_messages, tally, turns, uncounted
from .json_document import read_json
from .templates import scan_values

_MESSAGE = re.compile(r'"role"\s*:\s*"(?:system|user|assistant|developer|tool|function|model)"')


def parse(text: str) -> Prompt:
    document = read_json(text)
    # A file that is taken for messages by its name only may hold something else.
    missing = () if looks_like_messages(text) else no_messages(document.root)
    found, placeholders, problems = messages(turns(document.root), scan_values)
    return Prompt(
        "openai-messages",
        found,
        placeholders=placeholders,
        problems=(*(document.problems or missing), *problems),
        is_chat=True,
        is_continued=is_continued(document.root),
        beside=tally(uncounted(document.root)),
    )


def looks_like_messages(text: str) -> bool:
    """Whether a JSON text holds chat messages."""
    is_json = text[:1000].lstrip("\ufeff \t\r\n").startswith(("{", "["))
    return is_json and '"content"' in text and _MESSAGE.search(text) is not None


FORMAT = Format(
    name="openai-messages",
    parse=parse,
    patterns=("*.messages.json", "*.prompt.json", "*.json"),
    own_patterns=("*.messages.json", "*.prompt.json"),
    language_ids=("json", "jsonc"),
    accepts=looks_like_messages,
)

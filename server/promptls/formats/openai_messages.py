"""Chat messages in JSON or YAML: a list of them, or a request to OpenAI, Anthropic or Gemini that
holds one (`messages`, `input` with `instructions`, `system`, `contents`). Of a list of requests or
of lists, each is a prompt.

Each message's content counts as it is decoded. `{{name}}` is taken for a placeholder.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..prompt import Placeholder, Prompt
from ..syntax import jinja
from ..syntax.conversations import assemble
from ..syntax.json_document import is_json, read_json
from ..syntax.nodes import Tree
from ..syntax.requests import conversations, holds_messages, is_continued, no_messages
from ..syntax.templates import scan_values
from ..syntax.yaml_document import read_yaml
from . import Format

_HINT = re.compile(r'"(?:role|contents|input|prompt)"\s*:')
_YAML_HINT = re.compile(
    r"^[ -]*role[ ]*:[ ]*[\"']?(?:system|user|assistant|developer)\b", re.MULTILINE
)
_YAML_LIST = re.compile(r"^(?:messages[ ]*:|-)", re.MULTILINE)
_STRING_OR_TAG = re.compile(
    r'"(?:[^"\\\r\n]|\\.){0,100000}"|(?P<value>\{\{[^{}\r\n]{0,300}\}\})'
    r"|(?P<block>\{%[^{}\r\n]{0,300}%\})"
)
# How much of a file is read to tell whether it holds messages, in characters.
_HEAD = 1 << 14


def parse(text: str) -> Prompt:
    tree, tags = _read(text), tuple[Placeholder, ...]()
    if tree.problems and is_json(text):
        # promptfoo fills in a template before it reads the JSON, so tags can stand for values.
        masked, tags = _masked(text)
        tree = read_json(masked) if tags else tree
    # A file that is taken for messages by its name only may hold something else.
    missing = () if holds_messages(tree.root) else no_messages(tree.root)
    prompt = assemble(conversations(tree.root), scan_values, tree.problems or missing)
    return replace(
        prompt,
        placeholders=tuple(sorted((*prompt.placeholders, *tags))),
        is_chat=True,
        is_continued=is_continued(tree.root),
    )


def looks_like_messages(text: str) -> bool:
    """Whether a JSON text holds chat messages, or a request that has some."""
    if not (is_json(text) and _HINT.search(text)):
        return False
    return holds_messages(read_json(text, 0, min(len(text), _HEAD)).root)


def accepts(text: str) -> bool:
    """Whether a file holds chat messages, in JSON or in YAML."""
    if is_json(text):
        return looks_like_messages(text)
    if not (_YAML_HINT.search(text) and _YAML_LIST.search(text)):
        return False
    return holds_messages(read_yaml(text, 0, min(len(text), _HEAD)).root)


def _read(text: str) -> Tree:
    is_yaml = not is_json(text) and _YAML_LIST.search(text) is not None
    return read_yaml(text) if is_yaml else read_json(text)


def _masked(text: str) -> tuple[str, tuple[Placeholder, ...]]:
    """A text with empty strings for the values that tags stand for, as long as before."""
    parts, tags, at = list[str](), list[Placeholder](), 0
    for match in _STRING_OR_TAG.finditer(text):
        if not (match["value"] or match["block"]):
            continue
        start, end = match.span()
        parts += (text[at:start], ('""' if match["value"] else "").ljust(end - start))
        at = end
        tags += (
            Placeholder(start, end, tag.name, tag.kind, tag.uses)
            for tag in jinja.scan(match.group()).tags
        )
    return "".join((*parts, text[at:])), tuple(tags)


FORMAT = Format(
    name="openai-messages",
    parse=parse,
    patterns=("*.messages.json", "*.prompt.json", "*.json", "*.yaml", "*.yml"),
    own_patterns=("*.messages.json", "*.prompt.json"),
    language_ids=("json", "jsonc", "yaml"),
    accepts=accepts,
    precedence=7,
)

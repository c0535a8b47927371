"""promptfoo's configuration: the prompts that stand in it, each an alternative to the others.

A prompt is a text, an object with `raw`, or a chat in JSON or YAML inside the text; `file://` and
names of files are references, whose files are prompts of their own. Prompts are Nunjucks templates,
which have Jinja's tags. `providers` name the models. As promptfoo reads them: prompts/index.ts and
prompts/utils.ts (`normalizeInput`, `maybeFilePath`), providers/shared.ts (`parseChatPrompt`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ..passages import Passage
from ..prompt import Prompt
from ..syntax import jinja
from ..syntax.conversations import Conversation, Turn, assemble
from ..syntax.json_document import read_json
from ..syntax.models import named_models
from ..syntax.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    Tree,
    entries,
    get,
    items,
    sample_values,
    string,
    text_scalar,
)
from ..syntax.requests import definitions, turns, uncounted
from ..syntax.yaml_document import read_yaml, read_yaml_or_json
from . import Format
from .openai_messages import looks_like_messages

_REFERENCE = re.compile(
    r"(?:file|exec|https?|langfuse|portkey|helicone)://|exec:"
    r"|[\w./*@\\-]+\.(?:txt|md|j2|json|jsonl|ya?ml|csv|[cm]?[jt]s|py)(?::\w+)?\Z"
)
_YAML_CHAT = re.compile(r"\s*-[ ]+role[ ]*:")
# What may stand between a provider's name and its model's, and providers that name no model.
_KINDS = frozenset(
    (
        *("chat", "completion", "completions", "messages", "responses", "converse", "realtime"),
        *("embedding", "embeddings", "text-generation", "assistant", "deployment"),
    )
)
_NO_MODELS = frozenset(("file", "exec", "python", "http", "https", "echo", "package", "ws", "wss"))


class Reference(NamedTuple):
    """A prompt that stands in a file of its own, and where that is named."""

    path: str
    """As it is written; `*` stands for anything."""
    label: str
    start: int
    end: int


def references(text: str) -> tuple[Reference, ...]:
    """The files that a configuration names as its prompts."""
    prompts = _prompts(get(read_yaml_or_json(text).root, "prompts"))
    return tuple(each for each in prompts if isinstance(each, Reference))


def parse(text: str) -> Prompt:
    tree = read_yaml_or_json(text)
    root = tree.root
    prompts = list(_prompts(get(root, "prompts")))
    providers = list(_providers(get(root, "providers") or get(root, "targets")))
    own = [each for each in prompts if isinstance(each, Conversation)]
    tests = items(get(root, "tests"))
    samples = dict(sample_values(get(root, "defaultTest", "vars")))
    samples.update(sample_values(get(tests[0], "vars")) if tests else ())
    uncounted = chain(
        ["prompt file"] * (len(prompts) - len(own)),
        *(definitions(config) for _, config in providers),
    )
    return replace(
        assemble(own, jinja.scan_related, tree.problems, uncounted),
        samples=tuple(samples.items()),
        models=named_models(*(name for name, _ in providers)),
    )


def _prompts(node: Node | None) -> Iterator[Conversation | Reference]:
    """The prompts, as they stand here or by the name of their file."""
    listed = node.items if isinstance(node, Sequence) else [node] if node else []
    if isinstance(node, Mapping) and get(node, "raw") is None and get(node, "id") is None:
        # Its old form: a table of file = label.
        for key, value in entries(node):
            yield Reference(key, string(value) or key, value.start, value.end)
        return
    for prompt in listed:
        raw = prompt if isinstance(prompt, Scalar) else get(prompt, "raw") or get(prompt, "id")
        scalar = text_scalar(raw)
        label = string(get(prompt, "label")) or ""
        if scalar and _REFERENCE.match(scalar.value[:1000]):
            yield Reference(scalar.value, label or scalar.value, prompt.start, prompt.end)
        elif scalar:
            yield conversation_in(scalar.passage, label)


def conversation_in(passage: Passage, label: str = "") -> Conversation:
    """A prompt's text, which can itself be a chat in JSON or YAML."""
    tree = _chat(passage.text)
    found, nouns = [Turn(None, passage)], tuple[str, ...]()
    if tree:
        inner = turns(tree.root)
        found = [turn._replace(passage=turn.passage.seen_through(passage)) for turn in inner]
        nouns = tuple(uncounted(tree.root))
    return Conversation(passage.start, passage.end, found, _short(label), nouns)


def _chat(text: str) -> Tree | None:
    if looks_like_messages(text):
        return read_json(text)
    return read_yaml(text) if _YAML_CHAT.match(text) else None


def _short(label: str) -> str:
    """A label on one line, as long as a line can show."""
    line = " ".join(label[:200].split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def _providers(node: Node | None) -> Iterator[tuple[str | None, Node | None]]:
    """The model and the configuration of each provider."""
    for provider in node.items if isinstance(node, Sequence) else [node] if node else []:
        name, config = string(provider), get(provider, "config")
        if name is None and isinstance(provider, Mapping):
            inner = provider.entries[0] if provider.entries else None
            name = string(get(provider, "id")) or (inner[0] if inner else None)
            config = config or (get(inner[1], "config") if inner else None)
        yield string(get(config, "model")) or _model(name or ""), config


def _model(provider: str) -> str | None:
    """The model that a provider's id names, such as the last part of `openai:chat:gpt-4o`."""
    kind, *rest = provider.split(":")
    if kind in _NO_MODELS or not rest:
        return None
    return ":".join(rest[1:] if rest[0] in _KINDS and len(rest) > 1 else rest)


FORMAT = Format(
    name="promptfoo",
    parse=parse,
    patterns=("promptfooconfig*.yaml", "promptfooconfig*.yml", "promptfooconfig*.json"),
)

"""promptfoo's configuration: the prompts that stand in it, each an alternative to the others.

A prompt is a text, an object with `raw`, or a chat in JSON inside the text; `file://` and names of
files are references. Prompts are Nunjucks templates, which have Jinja's tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..prompt import Passage, Prompt
from . import Format, jinja
from .conversation import Turn, definitions, messages, tally, turns, uncounted
from .document import Node, Scalar, Sequence, get, items, sample_values, text
from .json_document import read_json
from .openai_messages import looks_like_messages
from .yaml_document import read_yaml

_REFERENCE = re.compile(
    r"(?:file|exec|https?)://|[\w./*@\\-]+\.(?:txt|md|j2|json|jsonl|ya?ml|csv|[cm]?[jt]s|py)(?::\w+)?\Z"
)


def parse(text: str) -> Prompt:
    is_json = text[:1000].lstrip("\ufeff \t\r\n").startswith("{")
    document = read_json(text) if is_json else read_yaml(text)
    root = document.root
    prompts = list(_prompts(get(root, "prompts")))
    found, placeholders, problems = messages(chain(*map(turns_in, prompts)), jinja.scan)
    configurations = [get(provider, "config") for provider in items(get(root, "providers"))]
    tests = items(get(root, "tests"))
    samples = dict(sample_values(get(root, "defaultTest", "vars")))
    samples.update(sample_values(get(tests[0], "vars")) if tests else ())
    return Prompt(
        "promptfoo",
        found,
        placeholders=placeholders,
        problems=(*document.problems, *problems),
        samples=tuple(samples.items()),
        is_chat=any(message.role for message in found),
        beside=tally(
            chain(*map(uncounted_in, prompts), *map(definitions, configurations)),
        ),
    )


def _prompts(node: Node | None) -> Iterator[Passage]:
    for prompt in node.items if isinstance(node, Sequence) else [node] if node else []:
        raw = prompt if isinstance(prompt, Scalar) else get(prompt, "raw")
        scalar = text(raw)
        if scalar and not _REFERENCE.match(scalar.value[:1000]):
            yield scalar.passage


def turns_in(passage: Passage) -> Iterator[Turn]:
    """The messages of a prompt's text, which can itself be a chat in JSON."""
    if looks_like_messages(passage.text):
        for turn in turns(read_json(passage.text).root):
            yield turn._replace(passage=turn.passage.seen_through(passage))
    else:
        yield Turn(None, passage)


def uncounted_in(passage: Passage) -> Iterator[str]:
    """What a prompt's text that is a chat in JSON gives the model beside the messages' texts."""
    if looks_like_messages(passage.text):
        yield from uncounted(read_json(passage.text).root)


FORMAT = Format(
    name="promptfoo",
    parse=parse,
    patterns=("promptfooconfig*.yaml", "promptfooconfig*.yml", "promptfooconfig*.json"),
)

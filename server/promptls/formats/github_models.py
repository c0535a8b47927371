"""GitHub Models' `.prompt.yml`: YAML with `messages`, in which `{{name}}` is a placeholder."""

from __future__ import annotations

from dataclasses import replace

from ..prompt import Prompt
from ..syntax.conversations import assemble
from ..syntax.nodes import get, items, sample_values
from ..syntax.requests import conversations, is_continued, no_messages
from ..syntax.templates import scan_values
from ..syntax.yaml_document import read_yaml
from . import Format, langchain, semantic_kernel


def parse(text: str) -> Prompt:
    tree = read_yaml(text)
    problems = tree.problems or no_messages(tree.root)
    data = items(get(tree.root, "testData"))
    return replace(
        assemble(conversations(tree.root), scan_values, problems),
        samples=tuple(sample_values(data[0])) if data else (),
        is_chat=True,
        is_continued=is_continued(tree.root),
    )


def _accepts(text: str) -> bool:
    """Whether it isn't one of the others' files, which bear such names, too."""
    return not (semantic_kernel.accepts(text) or langchain.accepts(text))


FORMAT = Format(
    name="github-models",
    parse=parse,
    patterns=("*.prompt.yml", "*.prompt.yaml"),
    accepts=_accepts,
)

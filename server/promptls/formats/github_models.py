"""GitHub Models' `.prompt.yml`: YAML with `messages`, in which `{{name}}` is a placeholder."""

from __future__ import annotations

from ..prompt import Prompt
from ..syntax.conversations import assemble
from ..syntax.nodes import get, items, sample_values
from ..syntax.requests import conversations, is_continued, no_messages
from ..syntax.templates import scan_values
from ..syntax.yaml_document import read_yaml
from . import Format, langchain, semantic_kernel


def parse(text: str) -> Prompt:
    document = read_yaml(text)
    found = assemble(conversations(document.root), scan_values)
    data = items(get(document.root, "testData"))
    return Prompt(
        "github-models",
        found.messages,
        placeholders=found.placeholders,
        problems=(*(document.problems or no_messages(document.root)), *found.problems),
        samples=tuple(sample_values(data[0])) if data else (),
        is_chat=True,
        is_continued=is_continued(document.root),
        beside=found.beside,
        alternatives=found.alternatives,
        models=found.models,
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

"""GitHub Models' `.prompt.yml`: YAML with `messages`, in which `{{name}}` is a placeholder."""

from __future__ import annotations

from ..prompt import Prompt
from . import Format
from .conversation import is_continued, messages, no_messages, tally, turns, uncounted
from .document import get, items, sample_values
from .templates import scan_values
from .yaml_document import read_yaml


def parse(text: str) -> Prompt:
    document = read_yaml(text)
    found, placeholders, problems = messages(turns(document.root), scan_values)
    data = items(get(document.root, "testData"))
    return Prompt(
        "github-models",
        found,
        placeholders=placeholders,
        problems=(*(document.problems or no_messages(document.root)), *problems),
        samples=tuple(sample_values(data[0])) if data else (),
        is_chat=True,
        is_continued=is_continued(document.root),
        beside=tally(uncounted(document.root)),
    )


FORMAT = Format(name="github-models", parse=parse, patterns=("*.prompt.yml", "*.prompt.yaml"))

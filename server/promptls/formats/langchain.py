"""LangChain's prompts in YAML or JSON: `_type` prompt, few_shot or chat.

`template_format` says what the templates are: f-string by default, else jinja2 or mustache. Of a
few-shot prompt, prefix, the example's template and suffix count once each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..prompt import Prompt
from . import Format, format_strings, jinja, mustache
from .conversation import Turn, messages, tally
from .document import Mapping, Node, entries, get, items, string, text
from .json_document import read_json
from .templates import Scan
from .yaml_document import read_yaml

_SIGN = re.compile(
    r"""^[^\S\n]*(?:[{,][^\S\n]*)?["']?_type["']?\s*:\s*["']?(?:prompt|few_shot|chat)\b""", re.M
)
_SCANS: dict[str, Scan] = {"jinja2": jinja.scan, "mustache": mustache.scan}
_ROLE = re.compile(r"(?P<role>\w+?)_?(?:message)?(?:_?prompt_?template)?\Z", re.IGNORECASE)


def parse(text: str) -> Prompt:
    is_json = text[:1000].lstrip("\ufeff \t\r\n").startswith("{")
    document = read_json(text) if is_json else read_yaml(text)
    root = document.root
    scan = _SCANS.get(_template_format(root) or "", format_strings.scan)
    turns = sorted(_turns(root), key=lambda turn: turn.passage.start)
    found, placeholders, problems = messages(iter(turns), scan)
    return Prompt(
        "langchain",
        found,
        placeholders=placeholders,
        problems=(*document.problems, *problems),
        inputs=_inputs(root),
        is_chat=string(get(root, "_type")) == "chat",
        beside=tally(["example"] * len(items(get(root, "examples")))),
    )


def _turns(node: Node | None, role: str | None = None) -> Iterator[Turn]:
    for key in ("prefix", "template", "suffix"):
        scalar = text(get(node, key))
        if scalar:
            yield Turn(role, scalar.passage)
    if isinstance(get(node, "example_prompt"), Mapping):
        yield from _turns(get(node, "example_prompt"))
    for message in items(get(node, "messages")):
        of_message = _role(message)
        content = text(get(message, "content"))
        if content:
            yield Turn(of_message, content.passage)
        yield from _turns(get(message, "prompt"), of_message)


def _role(message: Node) -> str | None:
    name = string(get(message, "role")) or string(get(message, "_type")) or ""
    match = _ROLE.match(name)
    return match["role"].lower() if match else None


def _template_format(node: Node | None) -> str | None:
    """The first format that is named; a chat names it at each of its messages."""
    nodes = [node, get(node, "example_prompt")]
    nodes += [get(message, "prompt") for message in items(get(node, "messages"))]
    formats = (string(get(each, "template_format")) for each in nodes)
    return next((each for each in formats if each), None)


def _inputs(node: Node | None) -> tuple[str, ...] | None:
    declared = get(node, "input_variables")
    if declared is None:
        return None
    names = [string(item) for item in items(declared)]
    names += [key for key, _ in entries(get(node, "partial_variables"))]
    example = get(node, "example_prompt", "input_variables")
    names += [string(item) for item in items(example)]
    return tuple(dict.fromkeys(name for name in names if name))


FORMAT = Format(
    name="langchain",
    parse=parse,
    patterns=("*.yaml", "*.yml", "*.json"),
    language_ids=("yaml", "json"),
    accepts=lambda text: _SIGN.search(text) is not None,
)

"""LangChain's prompts in YAML or JSON: `_type` prompt (which it need not say), few_shot or chat.

`template_format` says what the templates are: f-string by default, else jinja2 or mustache. Of a
few-shot prompt, prefix, the example's template and suffix count once each. Each prompt in a chain
is a prompt of its own. As langchain_core reads
them (prompts/loading.py, `load_prompt_from_config`): a file without `_type` is a prompt, and
`template_path` and the like name a file that holds the template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..prompt import Prompt
from ..syntax import format_strings, jinja, mustache
from ..syntax.conversations import Conversation, Turn, assemble
from ..syntax.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries,
    get,
    items,
    string,
    text_scalar,
)
from ..syntax.templates import Scan
from ..syntax.yaml_document import read_yaml_or_json
from . import Format

_TYPE = re.compile(
    r"""^[^\S\n]*(?:[{,][^\S\n]*)?["']?_type["']?\s*:\s*["']?(?:prompt|few_shot|chat)\b""", re.M
)
_TEMPLATE = re.compile(r"""(?:^|[{,])[ \t]*["']?template(?:_path)?["']?[ \t]*:""", re.M)
_SCANS: dict[str, Scan] = {"jinja2": jinja.scan, "mustache": mustache.scan}
_ROLE = re.compile(r"(?P<role>\w+?)_?(?:message)?(?:_?prompt_?template)?\Z", re.IGNORECASE)
_TEXTS = ("prefix", "template", "suffix")
# Keys and formats that only LangChain's PromptTemplate has, and those of Semantic Kernel's YAML.
_OWN_KEYS = frozenset(("output_parser", "partial_variables", "validate_template", "template_path"))
_OWN_FORMATS = frozenset(("f-string", "mustache"))
_OTHER_KEYS = frozenset(("description", "execution_settings", "messages", "prompts"))
_OTHER_FORMATS = frozenset(("semantic-kernel", "handlebars", "liquid"))
# What only a prompt has, and how deep in a chain one is looked for.
_SIGNS = (*_TEXTS, *(f"{key}_path" for key in _TEXTS), "example_prompt", "messages")
_DEEPEST = 20
_TYPES = ("prompt", "few_shot", "chat")
_HEAD = 1 << 14


def parse(text: str) -> Prompt:
    tree = read_yaml_or_json(text)
    root = tree.root
    prompts = list(_prompts(root)) or ([("", root)] if root else [])
    first = prompts[0][1] if prompts else None
    scan = _SCANS.get(_template_format(first) or "", format_strings.scan)
    return replace(
        assemble((_conversation(label, node) for label, node in prompts), scan, tree.problems),
        inputs=_inputs(first) if len(prompts) == 1 else None,
        is_chat=string(get(first, "_type")) == "chat",
    )


def _prompts(node: Node | None, path: str = "", depth: int = 0) -> Iterator[tuple[str, Node]]:
    """The prompts in a value, each with the keys that lead to it: itself, or those of a chain."""
    if node is None or depth > _DEEPEST:
        return
    if any(get(node, key) is not None for key in _SIGNS):
        yield path, node
        return
    for key, value in entries(node):
        yield from _prompts(value, f"{path}.{key}" if path else key, depth + 1)
    for number, item in enumerate(items(node), 1):
        yield from _prompts(item, f"{path} {number}".strip(), depth + 1)


def _conversation(label: str, node: Node) -> Conversation:
    turns = sorted(_turns(node), key=lambda turn: turn.passage.start)
    uncounted = ("example",) * len(items(get(node, "examples"))) + tuple(_files(node))
    return Conversation(node.start, node.end, turns, label, uncounted)


def accepts(text: str) -> bool:
    """Whether a text says `_type`, or has a template and what only LangChain has beside it."""
    if _TYPE.search(text):
        return True
    if not (_TEMPLATE.search(text) or '"_type"' in text):
        return False
    root = read_yaml_or_json(text, min(len(text), _HEAD)).root
    if any(string(get(node, "_type")) in _TYPES for _, node in _prompts(root)):
        return True
    if get(root, "template") is None and get(root, "template_path") is None:
        return False
    keys = {key for key, _ in entries(root)}
    language, variables = string(get(root, "template_format")), get(root, "input_variables")
    if language in _OTHER_FORMATS or keys & _OTHER_KEYS:
        return False
    if any(isinstance(item, Mapping) for item in items(variables)):
        return False
    names = any(isinstance(item, Scalar) for item in items(variables))
    is_listed = isinstance(variables, Sequence) and "name" not in keys
    return bool(names or is_listed or language in _OWN_FORMATS or keys & _OWN_KEYS)


def _turns(prompt: Node) -> Iterator[Turn]:
    """The texts of a prompt and of those within it, however deep, in no order."""
    waiting: list[tuple[Node | None, str | None]] = [(prompt, None)]
    while waiting:
        node, role = waiting.pop()
        for key in _TEXTS:
            scalar = text_scalar(get(node, key))
            if scalar:
                yield Turn(role, scalar.passage)
        within: list[tuple[Node | None, str | None]] = [(get(node, "example_prompt"), None)]
        for message in items(get(node, "messages")):
            of_message = _role(message)
            content = text_scalar(get(message, "content"))
            if content:
                yield Turn(of_message, content.passage)
            within.append((get(message, "prompt"), of_message))
        waiting += [each for each in within if isinstance(each[0], Mapping)]


def _files(node: Node | None) -> Iterator[str]:
    """The files in which templates and examples stand, which are not read here."""
    for key in (*_TEXTS, "example_prompt"):
        if string(get(node, f"{key}_path")):
            yield "template file"
    if string(get(node, "examples")):
        yield "file of examples"


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
    accepts=accepts,
    precedence=1,
)

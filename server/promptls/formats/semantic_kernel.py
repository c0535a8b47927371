"""Semantic Kernel: YAML with a `template`, or `skprompt.txt`; a chat if it has `<message>`.

As XmlPromptParser.cs reads a chat: what stands outside the elements is not sent, and a message is
trimmed and its entities are decoded. `template_format` is semantic-kernel (`{{$x}}` and
`{{ns.fn $x}}`), handlebars, liquid or jinja2; Liquid's tags look like Jinja's.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ..prompt import Edit, Message, Passage, Problem, Prompt, Span, passage
from . import Format, handlebars, jinja
from .document import Document, Node, get, items, string, text
from .templates import Reach, Scan, Tag, Template, render
from .yaml_document import read_yaml

_MESSAGE = re.compile(
    r"<message\b(?P<attributes>[^<>]*?)(?P<empty>/)?>|(?P<close></message\s*>)", re.IGNORECASE
)
_ROLE = re.compile(r"""\brole\s*=\s*["'](?P<role>[^"']*)["']""")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|\w{2,31});")
_TAG_END = re.compile(r"\}\}")
_NAME = re.compile(r"\$(?P<name>[^\W\d]\w*)")
_SIGN = re.compile(r"^template\s*:", re.MULTILINE)
_OTHER_SIGN = re.compile(r"^(?:template_format|input_variables)\s*:", re.MULTILINE)


def parse(text_: str) -> Prompt:
    if _SIGN.search(text_):
        document = read_yaml(text_)
        template = text(get(document.root, "template"))
        body = template.passage if template else passage(text_, 0, 0)
    else:
        document = Document([], [])
        body = passage(text_, 0, len(text_))
    scan = _SCANS.get(string(get(document.root, "template_format")) or "", scan_kernel)
    found = scan(body.text)
    rendering = render(body, found)
    messages, structure, problems = _messages(body, found)
    return Prompt(
        "semantic-kernel",
        messages or (rendering.message(None),),
        placeholders=rendering.placeholders,
        structure=structure,
        problems=(*document.problems, *rendering.problems, *problems),
        inputs=_inputs(document.root),
        samples=tuple(_samples(document.root)),
        is_chat=bool(messages),
    )


def scan_kernel(text: str) -> Template:
    """The tags of Semantic Kernel's own language."""
    tags: list[Tag] = []
    problems: list[Problem] = []
    reach = Reach(text)
    at = 0
    while (start := text.find("{{", at)) >= 0:
        end = reach.find(_TAG_END, start + 2)
        if end is None:
            problems.append(reach.unclosed(start, "{{", "}}"))
            at = start + 2
            continue
        at = end.end()
        inside = text[start + 2 : end.start()].strip()
        uses = tuple(dict.fromkeys(match["name"] for match in _NAME.finditer(inside)))
        is_value = _NAME.fullmatch(inside) is not None
        name = inside[1:] if is_value else inside.partition(" ")[0]
        tags.append(Tag(start, at, "variable" if is_value else "local", name, uses))
    return Template(tags, [], problems)


_SCANS: dict[str, Scan] = {
    "handlebars": handlebars.scan,
    "liquid": jinja.scan,
    "jinja2": jinja.scan,
}


def _messages(
    body: Passage, template: Template
) -> tuple[tuple[Message, ...], tuple[Span, ...], tuple[Problem, ...]]:
    messages: list[Message] = []
    structure: list[Span] = []
    problems: list[Problem] = []
    opener: re.Match[str] | None = None
    for mark in _MESSAGE.finditer(body.text):
        if mark["empty"] or bool(mark["close"]) != bool(opener):
            continue
        structure.append(body.file_span(*mark.span()))
        if opener:
            messages.append(_message(body, template, opener, mark.start()))
        opener = None if mark["close"] else mark
    if opener:
        span = body.file_span(*opener.span())
        message = "this message is never closed with </message>"
        problems.append(Problem(*span, message, "unclosed"))
        messages.append(_message(body, template, opener, len(body.text)))
    return tuple(messages), tuple(structure), tuple(problems)


def _message(body: Passage, template: Template, opener: re.Match[str], end: int) -> Message:
    part = body.slice(opener.end(), end)
    entities = (
        Edit(match.start(), match.end(), html.unescape(match.group()))
        for match in _ENTITY.finditer(part.text)
    )
    rendering = render(part, template.part(opener.end(), end), entities)
    role = _ROLE.search(opener["attributes"])
    name = role["role"].lower() if role else None
    return rendering.message(name, trims=" \t\r\n\v\f\x85\xa0\u2028\u2029\u3000")


def _inputs(root: Node | None) -> tuple[str, ...] | None:
    declared = get(root, "input_variables")
    if declared is None:
        return None
    return tuple(name for item in items(declared) if (name := string(get(item, "name"))))


def _samples(root: Node | None) -> Iterator[tuple[str, str]]:
    for item in items(get(root, "input_variables")):
        name, default = string(get(item, "name")), string(get(item, "default"))
        if name and default is not None:
            yield name, default


FORMAT = Format(
    name="semantic-kernel",
    parse=parse,
    patterns=("skprompt.txt", "*.yaml", "*.yml"),
    own_patterns=("skprompt.txt",),
    language_ids=("yaml",),
    accepts=lambda text: bool(_SIGN.search(text) and _OTHER_SIGN.search(text)),
)

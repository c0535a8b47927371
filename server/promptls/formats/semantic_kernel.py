"""Semantic Kernel: YAML with a `template`, or `skprompt.txt`; a chat if it holds `<message>`.

As its own code reads them: a chat is XML (XmlPromptParser.cs, ChatPromptParser.cs): what stands
outside the `<message role="…">` elements is not sent, a message is trimmed and its entities are
decoded, and of one with `<text>`, `<image>`, `<audio>` or `<binary>` children only these are sent.
A text that is no valid XML is sent as one user message, as it stands. In Liquid (`system: …`,
LiquidPromptTemplate.cs) each role and colon begins a message. `template_format` is semantic-kernel,
handlebars, liquid or jinja2.

In Handlebars the helper `{{#message role="…"}}` makes a message of its block. As its Python code
does (handlebars_system_helpers.py): the helper writes a `<message>` element with the block's text
in it, encoded, and ChatHistory.from_rendered_prompt trims no message and makes a system message of
the text before the first one, a user message of other text between them. The .NET code's helper of
that name (KernelSystemHelpers.cs) writes `<system~>`, which is no message.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.entities import name2codepoint
from itertools import chain

from ..passages import Passage, joined, passage
from ..prompt import Message, Problem, Prompt
from ..source_map import Span
from ..syntax import handlebars, jinja, kernel
from ..syntax.conversations import tally
from ..syntax.handlebars.tokens import Parser, Value
from ..syntax.markup import Element, InvalidMarkup, read_elements
from ..syntax.models import named_models
from ..syntax.nodes import Node, Tree, entries, get, items, string, text_scalar
from ..syntax.templates import Rendering, Scan, Template, render
from ..syntax.yaml_document import read_yaml
from ..text import Edit
from . import Format

_ROLE = re.compile(r"(?P<role>system|assistant|user|function|developer):\s+")
_INTENDED = re.compile(r"<message\b[^<>]{0,200}\brole\s{0,9}=", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|(?P<name>\w{2,31}));")
_BEGIN = re.compile(r"\{\{~?#\s*(?P<call>message)(?=[\s~}])")
_END = re.compile(r"\{\{~?/\s*message\s*~?\}\}")
_KEY = re.compile(r"^(?P<key>[A-Za-z_]\w{0,40})[ \t]*:", re.MULTILINE)
_KEYS = frozenset(
    (
        *("name", "description", "template", "template_format", "input_variables"),
        *("output_variable", "execution_settings", "allow_dangerously_set_content"),
    )
)
# What stands for a value while the elements are read: a character for private use.
_VALUE = "\ue000"
_SPACE = " \t\r\n\v\f\x85\xa0\u2028\u2029\u3000"
_PARTS = {"text": None, "image": "image", "audio": "audio clip", "binary": "file"}


def parse(text: str) -> Prompt:
    if _has_template(text):
        tree = read_yaml(text)
        written = text_scalar(get(tree.root, "template"))
        body = written.passage if written else passage(text, 0, 0)
    else:
        tree = Tree([], [])
        body = passage(text, 0, len(text))
    language = string(get(tree.root, "template_format")) or ""
    template = _SCANS.get(language, kernel.scan)(body.text)
    blocks: list[Span] = []
    if language == "handlebars":
        template, blocks = _with_elements(body.text, template)
    rendering = render(body, template)
    chat = _Chat(rendering, [body.file_span(*block) for block in blocks])
    read = chat.read_liquid if language == "liquid" else chat.read
    read()
    settings = (value for _, value in entries(get(tree.root, "execution_settings")))
    return Prompt(
        tuple(chat.messages) or (rendering.message("user" if chat.problems else None),),
        placeholders=rendering.placeholders,
        structure=tuple(chat.structure),
        problems=(*tree.problems, *rendering.problems, *chat.problems),
        inputs=_inputs(tree.root),
        samples=tuple(_samples(tree.root)),
        is_chat=bool(chat.messages or chat.problems),
        uncounted=tally((*chat.uncounted, *rendering.uncounted)),
        models=named_models(*(string(get(each, "model_id")) for each in settings)),
    )


_SCANS: dict[str, Scan] = {
    "handlebars": handlebars.scan,
    "liquid": jinja.scan_related,
    "jinja2": jinja.scan,
}


class _Chat:
    """The messages of a text whose tags are taken out, and what is wrong with how they stand."""

    def __init__(self, rendering: Rendering, blocks: list[Span]) -> None:
        """`blocks` are the stretches of the file that the helper `message` makes messages."""
        self._rendering = rendering
        self._blocks = blocks
        self._whole = rendering.passage
        self.messages: list[Message] = []
        self.structure: list[Span] = []
        self.problems: list[Problem] = []
        self.uncounted: list[str] = []

    def read(self) -> None:
        """Read the elements; none if the text has no `<message`, or is no XML."""
        text = self._whole.text
        if "<message" not in text.lower():
            return
        try:
            elements = read_elements(self._without_values())
        except InvalidMarkup as error:
            if not _INTENDED.search(text):
                return
            span = self._whole.file_span(error.start, error.end)
            what = (
                f"this isn't valid XML ({error}), so Semantic Kernel sends the whole text as one "
                "user message"
            )
            self.problems.append(Problem(*span, what, "misread"))
            return
        at = 0
        for element in elements:
            if element.name.lower() == "message" and "role" in element.attributes:
                self._read_between(at, element.start)
                self._read_message(element)
                at = element.end
        self._read_between(at, len(text))

    def _read_between(self, start: int, end: int) -> None:
        """Text outside of the messages, which is sent where the helper is known."""
        part = self._whole.slice(start, end).stripped(_SPACE)
        if self._blocks and part.text:
            role = "user" if self.messages else "system"
            message = self._rendering.message(role, part, trims=_SPACE, needs_text=True)
            self.messages.append(message)

    def read_liquid(self) -> None:
        """Read the messages that begin with a role and a colon, wherever that stands."""
        text = self._whole.text
        marks = list(_ROLE.finditer(text))
        for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(text)], strict=False):
            self.structure.append(self._whole.file_span(*mark.span()))
            self._add(mark["role"], self._whole.slice(mark.end(), end).stripped(_SPACE))
        if not marks:
            self.read()

    def _read_message(self, element: Element) -> None:
        named = element.attributes["role"].lower()
        role = None if _VALUE in named else named
        parts = [part for part in element.children if part.name.lower() in _PARTS]
        parts = [part for part in parts if self._content(part).text]
        texts = [self._content(part) for part in parts if part.name.lower() == "text"]
        self.uncounted += [noun for part in parts if (noun := _PARTS[part.name.lower()])]
        first, last = element.inner
        self.structure += [
            self._whole.file_span(*edge)
            for edge in ((element.start, first), (last, element.end))
            if edge[0] < edge[1]
        ]
        if not parts:
            self._add(role, self._content(element))
        elif texts:
            self._add(role, joined(texts))
        else:
            self._add(role, self._whole.slice(first, first))

    def _add(self, role: str | None, content: Passage) -> None:
        trims = "" if self._blocks else _SPACE
        self.messages.append(self._rendering.message(role, content, trims=trims))

    def _content(self, element: Element) -> Passage:
        """What an element holds, trimmed and decoded; its markup is text, but for CDATA's own."""
        part = self._whole.slice(*element.inner)
        offset = element.inner[0]
        marks = [Edit(a - offset, b - offset) for a, b in element.cdata_marks]
        entities = (
            Edit(match.start(), match.end(), html.unescape(match.group()))
            for match in _ENTITY.finditer(part.text)
            if match["name"] is None or match["name"] in name2codepoint or match["name"] == "apos"
        )
        content = part.edited(sorted(chain(marks, entities)))
        return content if self._blocks else content.stripped(_SPACE)

    def _without_values(self) -> str:
        """The text with something harmless where what stands or will stand is encoded."""
        text, to_text = self._whole.text, self._whole.source.to_text
        parts, at = list[str](), 0
        for encoded in sorted((*self._rendering.values, *self._blocks)):
            start, end = max(to_text(encoded.start), at), to_text(encoded.end)
            parts += (text[at:start], _VALUE * (end - start))
            at = max(at, end)
        return "".join((*parts, text[at:]))


def _with_elements(text: str, template: Template) -> tuple[Template, list[Span]]:
    """The template whose outermost `message` blocks are elements, and what lies in these: text.

    A role that is a value, or that is missing, is written as a value is.
    """
    tags = list(template.tags)
    blocks: list[Span] = []
    opened: list[int] = []
    for index, tag in enumerate(tags):
        if begin := _BEGIN.match(text, tag.start, tag.end):
            opened.append(index)
            if len(opened) == 1:
                role = _role_in(text, begin.start("call")) or _VALUE
                tags[index] = tag._replace(text=f'<message role="{role}">')
        elif opened and _END.match(text, tag.start, tag.end):
            first = tags[opened.pop()]
            if not opened:
                blocks.append(Span(first.end, tag.start))
                tags[index] = tag._replace(text="</message>")
    if opened:
        # It is never closed, which is a finding of its own.
        tags[opened[0]] = template.tags[opened[0]]
    return template._replace(tags=tags), blocks


def _role_in(text: str, start: int) -> str | None:
    """The role that a tag gives as a string of letters."""
    role = Parser(text, start).tag(has_parameters=True).named.get("role")
    is_word = isinstance(role, Value) and isinstance(role.value, str) and role.value.isalnum()
    return str(role.value) if is_word and isinstance(role, Value) else None


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


def _has_template(text: str) -> bool:
    return any(match["key"] == "template" for match in _KEY.finditer(text))


def accepts(text: str) -> bool:
    """Whether YAML has a template and no other keys than PromptTemplateConfig.cs has."""
    keys = {match["key"] for match in _KEY.finditer(text)}
    return "template" in keys and len(keys) > 1 and keys <= _KEYS


FORMAT = Format(
    name="semantic-kernel",
    parse=parse,
    patterns=("skprompt.txt", "*.yaml", "*.yml"),
    own_patterns=("skprompt.txt",),
    language_ids=("yaml",),
    accepts=accepts,
    precedence=6,
)

"""dotprompt (`.prompt`): a YAML header, then a Handlebars template with `{{role "system"}}`.

As dotprompt's own readers do it (parse.ts, _parse.py): blank and `#` lines may precede the header;
an empty header, no line end after its last fence, or a BOM mean that there is none and that the
whole file is the template. The template is trimmed only if there is a header. Messages without
text are left out. A header that is no YAML stays one here and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ..passages import Passage, joined, passage
from ..prompt import Message, Prompt
from ..source_map import Span
from ..syntax import handlebars
from ..syntax.conversations import tally
from ..syntax.models import header_models
from ..syntax.nodes import (
    Mapping,
    Node,
    Tree,
    entries,
    get,
    given_values,
    string,
    written_values,
)
from ..syntax.requests import definitions
from ..syntax.templates import JS_SPACE, Rendering, Tag, Template, render
from ..syntax.yaml_document import read_yaml
from . import Format, continue_prompt, promptfile

_OPENING = re.compile(r"(?:(?:#[^\n]*|[ \t]*)\n)*---(?P<space>\s*)")
_CLOSING = re.compile(r"(?:\r\n|\r|\n)---(?P<space>\s*)")
_MARK = re.compile(
    r"""\{\{~?\s*(?:role\s+["'](?P<role>[a-z]+)["']|(?P<history>history)|(?P<part>media|section)\b)
    |<<<dotprompt:(?:role:(?P<raw_role>[a-z]+)|(?P<raw_history>history))>>>""",
    re.VERBOSE,
)
_RAW_MARK = re.compile(r"<<<dotprompt:(?:role:[a-z]+|history)>>>")
_HELPERS = ("role", "history", "media", "section")
_SIGN = re.compile(r"\{\{~?\s*role\b|<<<dotprompt:")
_TYPES = ("object", "array", "string", "boolean", "null", "number", "integer", "any")
_FIELD = re.compile(r"[^?(]+")


def parse(text: str) -> Prompt:
    header, body, tree = _header(text)
    template = _with_marks(handlebars.scan(body.text), body.text)
    rendering = render(body, template)
    defaults = entries(get(tree.root, "input", "default"))
    messages = _messages(rendering, list(_marks(body, template.tags)))
    return Prompt(
        tuple(messages),
        header=header,
        placeholders=rendering.placeholders,
        structure=tuple(mark.span for mark in _marks(body, template.tags) if mark.role),
        problems=(*tree.problems, *rendering.problems),
        inputs=_inputs(tree.root),
        samples=tuple(written_values(defaults, _as_javascript)),
        given=tuple(given_values(defaults)),
        is_chat=True,
        uncounted=tally(_uncounted(tree.root, body, template)),
        models=header_models(tree.root),
    )


def _header(text: str) -> tuple[Span | None, Passage, Tree]:
    opening = _OPENING.match(text)
    closing = None
    if opening and _has_line_end(opening["space"]):
        closings = _CLOSING.finditer(text, opening.end())
        closing = next((each for each in closings if _has_line_end(each["space"])), None)
    if opening is None or closing is None:
        return None, passage(text, 0, len(text)), Tree([], [])
    body = passage(text, closing.end(), len(text)).stripped(JS_SPACE)
    tree = read_yaml(text, opening.end(), closing.start())
    return Span(0, closing.end()), body, tree


def _has_line_end(space: str) -> bool:
    return "\n" in space or "\r" in space


def _with_marks(template: Template, text: str) -> Template:
    """The template with dotprompt's own helpers as tags, and its markers written by hand."""
    own = [
        tag._replace(kind="tag", name="", uses=tag.uses if tag.kind == "local" else ())
        if tag.name in _HELPERS and tag.is_output
        else tag
        for tag in template.tags
    ]
    marks = [Tag(match.start(), match.end(), "tag") for match in _RAW_MARK.finditer(text)]
    tags: list[Tag] = []
    for tag in sorted(own + marks):
        if not tags or tags[-1].end <= tag.start:
            tags.append(tag)
    return template._replace(tags=tags)


def _uncounted(root: Node | None, body: Passage, template: Template) -> Iterator[str]:
    yield from definitions(root)
    if get(root, "output", "schema"):
        yield "response schema"
    for tag in template.tags:
        mark = _MARK.match(body.text, tag.start, tag.end) if tag.kind != "comment" else None
        if mark and mark["part"] == "media":
            yield "media part"
        elif mark and (mark["history"] or mark["raw_history"]):
            yield "history"


class _Mark(NamedTuple):
    span: Span
    role: str | None
    """The role of the message that begins here; None where a message only gets another part."""


def _marks(body: Passage, tags: list[Tag]) -> Iterator[_Mark]:
    for tag in tags:
        mark = _MARK.match(body.text, tag.start, tag.end) if tag.kind != "comment" else None
        if mark:
            is_history = mark["history"] or mark["raw_history"]
            role = "model" if is_history else mark["role"] or mark["raw_role"]
            yield _Mark(body.file_span(tag.start, tag.end), role)


def _messages(rendering: Rendering, marks: list[_Mark]) -> Iterator[Message]:
    """The messages between the marks, those without text left out; one empty one if all are."""
    whole = rendering.passage
    role, parts, count = "user", list[Passage](), 0
    at, reach = 0, 0
    for mark in [*marks, None]:
        end = whole.source.to_text(mark.span.start) if mark else len(whole.text)
        part = whole.slice(at, end)
        if part.text.strip(JS_SPACE):
            parts.append(part)
        at = end
        if mark and not mark.role:
            # The text before another part doesn't end there.
            reach = mark.span.end
            continue
        if parts or (mark is None and not count):
            text = joined(parts) if parts else part.slice(0, 0)
            text = replace(text, end=max(text.end, reach))
            yield rendering.message(role, text, needs_text=True)
            count += 1
            parts = []
        role = mark.role if mark and mark.role else role


def _inputs(root: Node | None) -> tuple[str, ...] | None:
    """The fields of the schema (picoschema.ts); None where they aren't all seen here.

    A schema can be a name, or a file as in `${file:schema.json}`; `(*)` allows any field.
    """
    schema = get(root, "input", "schema")
    is_json_schema = string(get(schema, "type")) in _TYPES
    if not isinstance(schema, Mapping) or get(schema, "(*)") is not None:
        return None
    properties = get(schema, "properties")
    fields = entries(properties) if is_json_schema or properties else entries(schema)
    names = [match[0].strip() for name, _ in fields if (match := _FIELD.match(name))]
    names += [name for name, _ in entries(get(root, "input", "default"))]
    return tuple(dict.fromkeys(names))


def _as_javascript(value: object, text: str) -> str:
    """A value as Handlebars writes it."""
    return "" if value is None else text


def _accepts(text: str) -> bool:
    if _SIGN.search(text):
        return True
    others = promptfile.FORMAT.accepts, continue_prompt.FORMAT.accepts
    if any(accepts and accepts(text) for accepts in others):
        return False
    return _header(text)[0] is not None


FORMAT = Format(
    name="dotprompt",
    parse=parse,
    patterns=("*.prompt",),
    language_ids=("dotprompt",),
    accepts=_accepts,
    precedence=1,
)

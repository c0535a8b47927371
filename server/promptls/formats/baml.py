"""BAML: the prompts of functions, `prompt #"…"#`, and template strings.

As BAML's runtime renders them (jinja-runtime/src/lib.rs): the text is dedented and trimmed, is
a MiniJinja template with trim_blocks and lstrip_blocks, and `{{ _.role("user") }}` begins
a message, which is trimmed. `{{ ctx.output_format }}` becomes the output's description at run time.
Each function's prompt is one prompt; a template string is sent where a prompt calls it, which isn't
counted there, but shown on its own. A function's `client` is a provider and a model in quotes, or
the name of a `client<llm>`, whose options have the `model`, or in `strategy` the clients to try.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..passages import Passage, passage
from ..prompt import Alternative, Message, Placeholder, Problem, Prompt
from ..source_map import Span
from ..syntax import jinja
from ..syntax.blocks import left_open
from ..syntax.conversations import tally
from ..syntax.models import named_models
from ..syntax.templates import Rendering, Tag, Template, render
from ..text import Edit
from . import Format

_TEXT = re.compile(
    r"^[ \t]*(?:prompt|template_string[ \t]+(?P<name>\w+)(?:[ \t]*\([^)]{0,2000}\))?)"
    r'[ \t]*(?P<hashes>\#{1,10})"',
    re.MULTILINE,
)
_ROLE = re.compile(r"""\{\{-?\s*_\.(?:role|chat)\(\s*(?:role\s*=\s*)?["'](?P<role>\w+)["']""")
_SPACE = " \t\r\n\v\f"
_FUNCTION = re.compile(r"function\s+(?P<name>\w+)")
# `{{ Greeting(name) }}`: the only functions that BAML knows are template strings.
_CALL = re.compile(r"\w+\(")
_USE = re.compile(
    r"(?:^|\{)[ \t]*client[ \t]+(?:\"(?P<model>[^\"\n]{1,200})\"|(?P<name>[A-Za-z_][\w-]{0,99}))",
    re.MULTILINE,
)
_CLIENT = re.compile(r"^[ \t]*client<llm>[ \t]+(?P<name>[\w-]{1,100})[ \t]*\{", re.MULTILINE)
_MODEL = re.compile(
    r"(?:^|\{)[ \t]*model[ \t]+(?P<name>\"[^\"\n]{1,200}\"|[^\s\"]{1,200})", re.MULTILINE
)
_STRATEGY = re.compile(r"(?:^|\{)[ \t]*strategy[ \t]*\[(?P<names>[^\[\]]{0,2000})\]", re.MULTILINE)
_WORD = re.compile(r"[\w./:-]+")
_LINE = re.compile(r"[^\n]*")
_SPACES = re.compile(r"\s*")


def parse(text: str) -> Prompt:
    messages: list[Message] = []
    placeholders: list[Placeholder] = []
    problems: list[Problem] = []
    structure: list[Span] = []
    alternatives: list[Alternative] = []
    code: list[str] = []
    calls = 0
    at = 0
    while opener := _TEXT.search(text, at):
        code.append(text[at : opener.start("hashes")])
        closer = '"' + opener["hashes"]
        end = text.find(closer, opener.end())
        if end < 0:
            span = opener.start("hashes"), opener.end()
            problems.append(left_open(*span, "this text", closer))
            end = len(text)
        at = max(min(end + len(closer), len(text)), opener.end())
        body = _dedented(passage(text, opener.end(), end)).stripped(_SPACE)
        template = jinja.scan_related(body.text)
        rendering = render(body, _own_names(template), trim_blocks=True)
        roles = list(_roles(body, template.tags))
        first = len(messages)
        messages += _messages(rendering, roles)
        calls += sum(tag.is_output and _CALL.match(tag.name) is not None for tag in template.tags)
        if first < len(messages):
            label = _label(text, opener)
            alternatives.append(Alternative(label, body.start, body.end, first, len(messages)))
        placeholders += rendering.placeholders
        problems += rendering.problems
        structure += (span for span, _ in roles)
    code.append(text[at:])
    return Prompt(
        tuple(messages),
        placeholders=tuple(placeholders),
        structure=tuple(structure),
        problems=tuple(sorted(problems)),
        is_chat=any(message.role for message in messages),
        uncounted=tally(["template string"] * calls),
        alternatives=tuple(alternatives) if len(alternatives) > 1 else (),
        models=named_models(*_models("".join(code))),
    )


def _models(code: str) -> Iterator[str]:
    """The models of the clients that the functions use, as far as the file itself says them."""
    starts = list(_CLIENT.finditer(code))
    ends = [*(each.start() for each in starts[1:]), len(code)]
    clients = {
        start["name"]: code[start.end() : _end_of_block(code, start.end(), end)]
        for start, end in zip(starts, ends, strict=False)
    }
    # Each client once, since one that has others to try can name itself.
    todo = [use["model"] or use["name"] for use in _USE.finditer(code)][::-1]
    seen: set[str] = set()
    while todo:
        client = todo.pop()
        _, slash, model = client.partition("/")
        if slash:
            yield model
        elif client not in seen:
            seen.add(client)
            options = clients.get(client, "")
            strategy, named = _STRATEGY.search(options), _MODEL.search(options)
            if strategy:
                todo += _WORD.findall(strategy["names"])[::-1]
            elif named and not named["name"].startswith("env."):
                yield named["name"].strip('"')


def _end_of_block(code: str, start: int, end: int) -> int:
    """Where a block ends whose brace is closed at the start of a line; `end` if none is."""
    closer = code.find("\n}", start, end)
    return closer if closer >= 0 else end


def _label(text: str, opener: re.Match[str]) -> str:
    """The name of a template string, or of the function that a prompt stands in."""
    if opener["name"]:
        return opener["name"]
    start = text.rfind("function ", 0, opener.start())
    match = _FUNCTION.match(text, start) if start >= 0 else None
    return match["name"] if match else "prompt"


def _dedented(body: Passage) -> Passage:
    """Without the whitespace that all lines have at their start."""
    lines = list(_LINE.finditer(body.text))
    depth = min(
        (_depth(line.group()) for line in lines if line.group().strip()),
        default=0,
    )
    return body.edited(
        Edit(line.start(), min(line.start() + depth, line.end())) for line in lines if depth
    )


def _depth(line: str) -> int:
    spaces = _SPACES.match(line)
    return len(spaces.group()) if spaces else 0


def _own_names(template: Template) -> Template:
    """What BAML itself provides is no input."""
    tags = []
    for tag in template.tags:
        uses = tuple(name for name in tag.uses if name not in ("_", "ctx"))
        is_role = tag.name.startswith("_.")
        kind = (
            "tag" if is_role else "local" if tag.uses and not uses and tag.is_output else tag.kind
        )
        tags.append(tag._replace(uses=uses, kind=kind, name="" if is_role else tag.name))
    return template._replace(tags=tags)


def _roles(body: Passage, tags: list[Tag]) -> Iterator[tuple[Span, str]]:
    for tag in tags:
        match = _ROLE.match(body.text, tag.start, tag.end) if tag.name.startswith("_.") else None
        if match:
            yield body.file_span(tag.start, tag.end), match["role"]


def _messages(rendering: Rendering, roles: list[tuple[Span, str]]) -> Iterator[Message]:
    """The messages between the roles, those without text left out."""
    whole = rendering.passage
    if not roles:
        yield rendering.message(None)
        return
    role: str | None = None
    at = 0
    for span, following in [*roles, (None, None)]:
        end = whole.source.to_text(span.start) if span else len(whole.text)
        part = whole.slice(at, end)
        if part.text.strip(_SPACE):
            yield rendering.message(role, part, trims=_SPACE)
        at, role = end, following


FORMAT = Format(name="baml", parse=parse, patterns=("*.baml",), language_ids=("baml",))

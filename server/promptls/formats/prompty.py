"""`.prompty` files: a header, then messages that begin with lines such as `system:`.

As prompty 2.1 reads them: `---` (or `+++`) may follow blank lines; the header ends at the next such
mark, wherever that stands, and the body loses the whitespace at its start. The body is a Jinja2 or,
if the header says so, a Mustache template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..passages import passage
from ..prompt import Problem, Prompt
from ..source_map import Span
from ..syntax import jinja, mustache
from ..syntax.conversations import tally
from ..syntax.front_matter import header_left_open
from ..syntax.models import named_models
from ..syntax.nodes import (
    Mapping,
    Node,
    Sequence,
    entries,
    get,
    given_values,
    items,
    string,
    written_values,
)
from ..syntax.requests import definitions
from ..syntax.roles import render_lines, split_by_roles
from ..syntax.yaml_document import read_yaml
from . import Format

_OPENING = re.compile(r"\ufeff?\s*(?P<fence>---|\+\+\+)")
_CLOSING = re.compile(r"---|\+\+\+")


def parse(text: str) -> Prompt:
    opening = _OPENING.match(text)
    closing = opening and _CLOSING.search(text, opening.end())
    header, body_start, root = None, 0, None
    problems: list[Problem] = []
    if opening and closing:
        tree = read_yaml(text, opening.end(), closing.start())
        root = tree.root
        body_start = len(text) - len(text[closing.end() :].lstrip())
        header = Span(0, body_start)
        problems += tree.problems
        problems += _inside_a_line(text, closing)
    elif opening:
        problems.append(header_left_open(Span(*opening.span("fence"))))
    body = passage(text, body_start, len(text))
    template = mustache.scan(body.text) if _is_mustache(root) else jinja.scan(body.text)
    rendering = render_lines(body, template)
    messages, structure = split_by_roles(rendering)
    return Prompt(
        messages,
        header=header,
        placeholders=rendering.placeholders,
        structure=structure,
        problems=(*problems, *rendering.problems),
        inputs=_inputs(root),
        samples=tuple(dict(written_values(_samples(root), _as_python)).items()),
        given=tuple(dict(given_values(_samples(root))).items()),
        used=tuple(_bound_inputs(root)),
        is_chat=True,
        uncounted=tally(
            chain(
                definitions(root),
                definitions(get(root, "model", "parameters")),
                rendering.uncounted,
            )
        ),
        models=_models(get(root, "model")),
    )


def _models(model: Node | None) -> tuple[str, ...]:
    """The model: its name, or that of the configuration; a deployment bears a name of one's own."""
    configuration = get(model, "configuration")
    places = (model, get(model, "id"), get(model, "name"))
    keys = ("model", "name", "azure_deployment")
    names = [*places, *(get(configuration, key) for key in keys)]
    return named_models(*(string(name) for name in names))[:1]


def _inside_a_line(text: str, closing: re.Match[str]) -> Iterator[Problem]:
    before = text[text.rfind("\n", 0, closing.start()) + 1 : closing.start()]
    if before.strip():
        message = "prompty ends the header at this mark, though it stands inside a line"
        yield Problem(*closing.span(), message, "header")


def _is_mustache(root: Node | None) -> bool:
    template = get(root, "template")
    kinds = (
        template,
        get(template, "format"),
        get(template, "type"),
        get(template, "format", "kind"),
    )
    return any(string(kind) == "mustache" for kind in kinds)


def _inputs(root: Node | None) -> tuple[str, ...] | None:
    declared = get(root, "inputs")
    if declared is None:
        declared = get(root, "inputSchema", "properties")
    if not isinstance(declared, (Mapping, Sequence)):
        # Without a declaration, or in a file that isn't seen here, as `${file:inputs.json}` says.
        return None
    names = [key for key, _ in entries(declared)]
    names += [name for item in items(declared) if (name := string(get(item, "name")))]
    return tuple(names)


def _bound_inputs(root: Node | None) -> Iterator[str]:
    """The inputs that are used though the text doesn't name them (prompty, core/pipeline.py).

    Those that are given to tools, and threads: one that has no marker is put at the end.
    """
    for item in items(get(root, "inputSchema", "properties")):
        if string(get(item, "kind")) == "thread" and (thread := string(get(item, "name"))):
            yield thread
    for tool in (*items(get(root, "tools")), *(each for _, each in entries(get(root, "tools")))):
        bindings = get(tool, "bindings")
        for node in (*items(bindings), *(each for _, each in entries(bindings))):
            name = string(node) or string(get(node, "input"))
            if name:
                yield name


def _as_python(value: object, text: str) -> str:
    """A value as Jinja2 writes it."""
    return str(value) if value is None or isinstance(value, bool) else text


def _samples(root: Node | None) -> Iterator[tuple[str, Node]]:
    """The values of `sample`, and what the inputs give as their sample, example or default."""
    inputs = get(root, "inputs")
    named = [*entries(inputs), *((string(get(item, "name")) or "", item) for item in items(inputs))]
    for name, declaration in named:
        for key, value in entries(declaration):
            if name and key in ("default", "example", "sample"):
                yield name, value
    yield from entries(get(root, "sample"))


FORMAT = Format(name="prompty", parse=parse, patterns=("*.prompty",), language_ids=("prompty",))

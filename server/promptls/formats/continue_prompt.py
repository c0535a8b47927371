"""Continue's `.prompt` files: YAML before the first `---` line, `<system>`, then the user's text.

As Continue reads them (promptFiles/v1): what stands before `<system>` or after a second `---` line
is not sent, both messages are trimmed, and both are Handlebars templates.
"""

from __future__ import annotations

from ..passages import passage
from ..prompt import Placeholder, Problem, Prompt
from ..source_map import Span
from ..syntax import handlebars
from ..syntax.blocks import left_open
from ..syntax.templates import JS_SPACE, render
from ..syntax.yaml_document import read_yaml
from . import Format

_FENCE = "\n---\n"
_OPEN, _CLOSE = "<system>", "</system>"


def parse(text: str) -> Prompt:
    problems: list[Problem] = []
    header_end = text.find(_FENCE)
    start = header_end + len(_FENCE) if header_end >= 0 else 0
    end = text.find(_FENCE, start)
    if end < 0:
        end = len(text)
    else:
        message = "Continue does not send this second part"
        problems.append(Problem(end + 1, len(text), message, "unsent"))
    if start:
        problems = [*read_yaml(text, 0, header_end).problems, *problems]
    messages, structure = [], list[Span]()
    placeholders: list[Placeholder] = []
    for role, (part_start, part_end) in _parts(text, start, end, problems, structure):
        body = passage(text, part_start, part_end).stripped(JS_SPACE)
        rendering = render(body, handlebars.scan(body.text))
        placeholders += rendering.placeholders
        problems += rendering.problems
        messages.append(rendering.message(role))
    return Prompt(
        tuple(messages),
        header=Span(0, start) if start else None,
        placeholders=tuple(placeholders),
        structure=tuple(structure),
        problems=tuple(sorted(problems)),
        is_chat=True,
    )


def _parts(
    text: str, start: int, end: int, problems: list[Problem], structure: list[Span]
) -> list[tuple[str, Span]]:
    """The roles and where their text is."""
    opening = text.find(_OPEN, start, end)
    if opening < 0:
        return [("user", Span(start, end))]
    system_start = opening + len(_OPEN)
    structure.append(Span(opening, system_start))
    closing = text.find(_CLOSE, system_start, end)
    if closing < 0:
        problems.append(left_open(opening, system_start, _OPEN, _CLOSE))
        return [("system", Span(system_start, end))]
    structure.append(Span(closing, closing + len(_CLOSE)))
    return [
        ("system", Span(system_start, closing)),
        ("user", Span(closing + len(_CLOSE), end)),
    ]


FORMAT = Format(
    name="continue",
    parse=parse,
    patterns=("*.prompt",),
    language_ids=("dotprompt",),
    accepts=lambda text: _OPEN in text,
    precedence=3,
)

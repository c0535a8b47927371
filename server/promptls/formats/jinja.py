"""Jinja templates: `{{ value }}`, `{% statement %}`, `{# comment #}`, `{% raw %}`, `-` and `+`.

Read as Jinja2's lexer and parser do with their defaults: every line end becomes a line feed, one at
the template's end is not sent, and what follows a tag that can't be read is text. A macro sends its
text where it is called. A template whose first line is a role marker such as `system:` is a chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..passages import passage
from ..prompt import Prompt
from ..syntax.conversations import tally
from ..syntax.jinja import scan
from ..syntax.roles import first_is_marker, split_by_roles
from ..syntax.templates import line_feeds, render
from ..text import Edit
from . import Format


def parse(text: str) -> Prompt:
    template = scan(text)
    edits = [*line_feeds(text), *_final_line_end(text)]
    rendering = render(passage(text, 0, len(text)), template, edits)
    is_chat = first_is_marker(rendering)
    if is_chat:
        messages, structure = split_by_roles(rendering)
    else:
        messages, structure = (rendering.message(None),), ()
    return Prompt(
        messages,
        structure=structure,
        placeholders=rendering.placeholders,
        problems=rendering.problems,
        is_chat=is_chat,
        uncounted=tally(rendering.uncounted),
    )


def _final_line_end(text: str) -> Iterator[Edit]:
    last = re.compile(r"(?:\r\n|\r|\n)\Z").search(text, max(len(text) - 2, 0))
    if last:
        yield Edit(last.start(), last.end())


FORMAT = Format(
    name="jinja",
    parse=parse,
    patterns=("*.j2", "*.jinja", "*.jinja2"),
    language_ids=("jinja", "jinja-html", "jinja-md"),
)

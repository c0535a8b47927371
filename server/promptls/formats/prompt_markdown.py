"""`.prompt.md` files: an optional YAML header, then one user prompt in Markdown.

VS Code replaces `${file}`, `${selection}`, `${input:name}` and the like, but not in fenced code;
`#tool:x` and links are sent as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..prompt import Prompt, passage
from ..syntax.front_matter import read_front_matter
from ..syntax.markdown import fences
from ..syntax.models import header_models
from ..syntax.templates import Tag, Template, render
from . import Format

_VARIABLE = re.compile(
    r"\$\{(?P<name>file|fileBasename|fileBasenameNoExtension|fileDirname|fileWorkspaceFolder"
    r"|selection|selectedText|workspaceFolder|workspaceFolderBasename|workspaceRoot"
    r"|input:(?P<input>[^:{}\r\n]{1,100})(?::[^{}\r\n]*)?)\}"
)


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    body = passage(text, front_matter.body_start, len(text))
    rendering = render(body, scan(body.text))
    return Prompt(
        "prompt-markdown",
        (rendering.message("user"),),
        header=front_matter.header,
        placeholders=rendering.placeholders,
        problems=tuple(front_matter.problems),
        models=header_models(front_matter.document.root),
    )


def scan(text: str) -> Template:
    """The variables of a prompt's body."""
    return Template(list(_variables(text)), [], [])


def _variables(text: str) -> Iterator[Tag]:
    code = fences(text)
    fence = next(code, None)
    for match in _VARIABLE.finditer(text):
        while fence and fence.end <= match.start():
            fence = next(code, None)
        if fence is None or match.start() < fence.start:
            name = match["input"] or match["name"]
            # VS Code itself knows the others.
            uses = (name,) if match["input"] else ()
            yield Tag(match.start(), match.end(), "variable" if uses else "local", name, uses)


FORMAT = Format(
    name="prompt-markdown",
    parse=parse,
    patterns=("*.prompt.md",),
    language_ids=("prompt",),
)

"""`.prompt.md` files: an optional YAML header, then one user prompt in Markdown.

VS Code replaces `${file}`, `${selection}`, `${input:name}` and the like, but not in fenced code;
`#tool:x` and links are sent as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ..syntax.front_matter import edit_body, parse_with_header
from ..syntax.markdown import fences
from ..syntax.templates import Tag, Template
from . import Format

_VARIABLE = re.compile(
    r"\$\{(?P<name>file|fileBasename|fileBasenameNoExtension|fileDirname|fileWorkspaceFolder"
    r"|selection|selectedText|workspaceFolder|workspaceFolderBasename|workspaceRoot"
    r"|input:(?P<input>[^:{}\r\n]{1,100})(?::[^{}\r\n]*)?)\}"
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
    parse=partial(parse_with_header, role="user", scan=scan),
    edit=partial(edit_body, signs="`~${}"),
    patterns=("*.prompt.md",),
    language_ids=("prompt",),
)

"""Cursor's `.mdc` rules: a header that is nearly YAML, then the rule.

`globs: **/*.ts` is usual there and no valid YAML, so the header is skipped and not read.
"""

from __future__ import annotations

from ..prompt import Prompt, passage
from ..syntax.front_matter import read_front_matter
from . import Format


def parse(text: str) -> Prompt:
    front_matter = read_front_matter(text)
    problems = front_matter.problems if front_matter.header is None else ()
    body = passage(text, front_matter.body_start, len(text))
    return Prompt(
        "mdc", (body.message(None),), header=front_matter.header, problems=tuple(problems)
    )


FORMAT = Format(name="mdc", parse=parse, patterns=("*.mdc",), language_ids=("mdc",))

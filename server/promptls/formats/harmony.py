"""Harmony: `<|start|>role<|channel|>name<|message|>`, the message, `<|end|>`.

The other closers are `<|return|>` and `<|call|>`. A last turn that is open, even before its
`<|message|>`, is where the model answers. `{{name}}` is taken for a placeholder.
"""

from __future__ import annotations

import re

from ..prompt import Prompt
from ..syntax.turns import Turns, parse_turns
from . import Format

TURNS = Turns(
    "Harmony",
    re.compile(
        r"(?:(?<![^\r\n\ufeff])|(?<=<\|end\|>)|(?<=<\|return\|>)|(?<=<\|call\|>))<\|start\|>"
        r"(?P<role>[^\s<]*)(?![^\s<])[^\r\n<]*(?![^\r\n<])"
        r"(?:<\|(?:channel|constrain)\|>[^\r\n<]*(?![^\r\n<]))*(?:<\|message\|>|\s*\Z)"
    ),
    closers=("<|end|>", "<|return|>", "<|call|>"),
)


def parse(text: str) -> Prompt:
    return parse_turns("harmony", text, TURNS)


FORMAT = Format(name="harmony", parse=parse, patterns=("*.harmony",), language_ids=("harmony",))

"""Harmony: `<|start|>role<|channel|>name<|message|>`, the message, `<|end|>`.

The other closers are `<|return|>` and `<|call|>`. A last turn that is open, even before its
`<|message|>`, is where the model answers. `{{name}}` is taken for a placeholder.
"""

from __future__ import annotations

import re
from functools import partial

from ..syntax.turns import TurnMarkers, parse_turns
from . import Format

MARKERS = TurnMarkers(
    "Harmony",
    re.compile(
        r"(?:(?<![^\r\n\ufeff])|(?<=<\|end\|>)|(?<=<\|return\|>)|(?<=<\|call\|>))<\|start\|>"
        r"(?P<role>[^\s<]*)(?![^\s<])[^\r\n<]*(?![^\r\n<])"
        r"(?:<\|(?:channel|constrain)\|>[^\r\n<]*(?![^\r\n<]))*(?:<\|message\|>|\s*\Z)"
    ),
    closers=("<|end|>", "<|return|>", "<|call|>"),
)


FORMAT = Format(
    name="harmony",
    parse=partial(parse_turns, markers=MARKERS),
    patterns=("*.harmony",),
    language_ids=("harmony",),
)

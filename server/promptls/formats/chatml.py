"""ChatML: `<|im_start|>role`, a line end, the message, `<|im_end|>`.

A last turn that is open is where the model answers. `{{name}}` is taken for a placeholder.
"""

from __future__ import annotations

import re
from functools import partial

from ..syntax.turns import TurnMarkers, parse_turns
from . import Format

# An opener begins a line, or follows the closer of the turn before it; Phi-4 has a token of its own
# between the role and the message.
MARKERS = TurnMarkers(
    "ChatML",
    re.compile(
        r"(?:(?<![^\r\n\ufeff])|(?<=<\|im_end\|>))<\|im_start\|>"
        r"(?P<role>[^\s<]*)(?![^\s<])[^\r\n<]*(?:<\|im_sep\|>|\r\n|\r|\n|\Z)"
    ),
    closers=("<|im_end|>",),
)


FORMAT = Format(
    name="chatml",
    parse=partial(parse_turns, markers=MARKERS),
    patterns=("*.chatml",),
    language_ids=("chatml",),
)

r"""Lines as editors have them: they end at `\n`, `\r\n` and `\r`, and nowhere else.

`str.splitlines` also ends lines at U+2028, U+0085, form feeds and others, which no editor does.
"""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n|\r|\n")


def line_starts(text: str) -> list[int]:
    """The character at which each line begins. A text has one line more than it has line ends."""
    return [0, *(match.end() for match in LINE_END.finditer(text))]

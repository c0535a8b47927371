r"""Lines as editors have them: they end at `\n`, `\r\n` and `\r`, and nowhere else.

`str.splitlines` also ends lines at U+2028, U+0085, form feeds and others, which no editor does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

LINE_END = re.compile(r"\r\n|\r|\n")


def line_starts(text: str) -> list[int]:
    """The character at which each line begins. A text has one line more than it has line ends."""
    return [0, *(match.end() for match in LINE_END.finditer(text))]


def tokens_per_line(token_starts: Sequence[int], starts: Sequence[int]) -> list[int]:
    """How many tokens begin on each line, so that the counts add up to all tokens.

    Both arguments are ascending offsets in the same unit.
    """
    firsts = [bisect_left(token_starts, start) for start in starts]
    return [after - first for first, after in pairwise([*firsts, len(token_starts)])]

"""Patterns of `.gitignore` with many stars, at a cost that they can't drive up.

As one regular expression, each star may try every length while those after it try theirs: ten of
them never end. Here a path is taken part by part, and each star of a part is settled once.
Source: Git's documentation, gitignore.
"""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache

# Patterns with no more stars than this end soon enough as one regular expression.
FEW_STARS = 2


def fits(pattern: str, path: str) -> bool:
    """Whether a pattern fits a path itself, which ends with a slash if it is a folder."""
    pattern = pattern.removeprefix("!")
    if not pattern.endswith("\\ "):
        pattern = pattern.rstrip(" ")
    parts = path.removesuffix("/").split("/")
    if pattern.endswith("/"):
        if not path.endswith("/"):
            return False
        pattern = pattern.removesuffix("/")
    # Without a slash but at its end, a pattern fits at any depth.
    wanted = pattern.removeprefix("/").split("/") if "/" in pattern else ["**", pattern]
    # How many parts of the path can be taken by those of the pattern so far.
    reached = {0}
    for each in wanted:
        if len(each) > 1 and not each.strip("*"):
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            found = _part(each)
            reached = {n + 1 for n in reached if n < len(parts) and found.match(parts[n])}
    return len(parts) in reached


@lru_cache(maxsize=1024)
def _part(pattern: str) -> re.Pattern[str]:
    """A part between slashes as a regular expression in which a star that has fitted stays so.

    `fnmatch` writes those; it negates sets by `!` alone and has no backslash.
    """
    unescaped = re.sub(r"\\(.)", lambda m: f"[{m[1]}]" if m[1] in "*?[" else m[1], pattern)
    return re.compile(translate(unescaped.replace("[^", "[!")))

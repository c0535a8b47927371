"""How things are said so that they can be read: guesses, and signs for what can't be seen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

# What a terminal would act upon, reorder or swallow: control characters, line ends of any kind,
# directional marks, invisible characters and what is no character at all. Joiners stay, since
# they make one emoji of several.
UNSEEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """A text that is safe on a terminal: what can't be seen is written as `<U+202E>`."""
    return UNSEEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", text).replace("\t", "    ")


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message about a name that isn't known: `; did you mean budget?`."""
    close = get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else otherwise

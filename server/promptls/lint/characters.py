"""Classes of characters that rules look at, as the insides of regular expression sets.

They are spelled out rather than asked of `unicodedata`, whose tables differ between Pythons.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

TAGS = "\U000e0000-\U000e007f"
VARIATION_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
ZERO_WIDTH_JOINERS = "\u200c\u200d"
DIRECTION_MARKS = "\u200e\u200f\u061c"
# Soft hyphen, zero-width space, word joiner, invisible operators, byte order mark, deprecated
# format characters, and letters of no width.
OTHER_INVISIBLE = "\u00ad\u200b\u2060-\u2064\ufeff\u206a-\u206f\u180e\u3164\uffa0"
INVISIBLE = TAGS + VARIATION_SELECTORS + ZERO_WIDTH_JOINERS + DIRECTION_MARKS + OTHER_INVISIBLE

BIDI_CONTROLS = "\u202a-\u202e\u2066-\u2069"

# Hebrew, Arabic, Syriac, Thaana, N'Ko and the others that run from right to left.
RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"

# Scripts whose letters join or form ligatures, so that a joiner between them is spelling: Arabic
# and its kin, the scripts of India, Tibetan, Myanmar, Khmer and Mongolian.
JOINING = (
    "\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua840-\ua8ff\ua980-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010fff\U00011000-\U00011fff\U0001e900-\U0001e95f"
)

# Scripts without spaces between words, where a zero-width space marks where a line may end.
WITHOUT_SPACES = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1900-\u1aaf\ua9e0-\uaa7f"

# Chinese, Japanese and Korean, with their punctuation and fullwidth forms.
CJK = "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
CJK += "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

# What can begin or continue an emoji: pictographs, symbols, dingbats, and the keycaps' bases.
EMOJI = (
    "#*0-9\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2190-\u23ff\u2460-\u27bf\u2900-\u2bff\u3030"
    "\u303d\u3297\u3299\U0001f000-\U0001faff"
)
SKIN_TONES = "\U0001f3fb-\U0001f3ff"


def described(character: str) -> str:
    """A character by code point and name: `U+200B ZERO WIDTH SPACE`."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}{' ' if name else ''}{name}"


def touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of some spans, ascending and disjoint, has a part of [start, end)."""
    last = bisect_left(spans, (end,)) - 1
    return last >= 0 and spans[last][1] > start

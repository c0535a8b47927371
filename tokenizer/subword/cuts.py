r"""Where a text can be cut so that both sides, encoded apart, give the tokens of the whole.

Each rule is a pair of classes: a cut between a character of the left one and a character of the
right one is safe, whatever else stands in the text. No pattern looks behind, so what stands right
of a cut is split the same without what stands left of it, as soon as a piece always ends there.
Left of a cut, the pieces must not depend on what was cut away. So, for a rule to hold, no piece may
cross it, and no piece before it may have been longer or shorter for what follows:

- Only whitespace is looked at ahead of a piece (`(?!\S)`, `$`); after anything else, cutting the
  rest away changes nothing but where the longest match ends.
- `\p{N}` and `\p{L}` (gpt2, cl100k) are matched as far as they go, and what may follow them inside
  a piece (nothing; a contraction after letters in o200k) begins with `'`.
- Punctuation is followed in its piece by more of it, by letters (cl100k and o200k, one character
  only), by line ends (the same two) or `/` (o200k); never by numbers or other whitespace.
- A contraction (`'s`) is letters after `'`, which gpt2 and cl100k try first: there `'` never cuts.
- After a line end, cl100k and o200k go on with whitespace, or `/` (o200k, after punctuation).
  gpt2 gives the last of a whitespace run to what follows or not, by what that is: no cut.

The classes here are parts of the patterns' own, for which it is cheap to be sure, and which make
cuts every few characters in all that people write; every character left out is one without cuts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from .patterns import SPACES_BUT_LINE_ENDS, WHITESPACE

# Letters: Latin and Cyrillic, kana, Chinese characters and Korean syllables.
_L = "A-Za-zÀ-ÖØ-öø-ɏЀ-ҁҊ-ԯぁ-ゖァ-ヺ㐀-䶿一-鿿가-힣"
_N = "0-9"
# Punctuation and symbols of ASCII but the apostrophe, general ones, Chinese and full-width ones.
_P = (
    r"!-&(-/:-@\[-`{-~\u2010-\u2027\u2030-\u205e\u3001-\u3003\u3008-\u3011\u3014-\u301f"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_R = r"\r\n"
_W = SPACES_BUT_LINE_ENDS
_NOT_SPACE = f"^{WHITESPACE}"

# By split pattern: the sets of the character before a cut and of the character after it.
RULES = {
    "gpt2": [(_NOT_SPACE, WHITESPACE), (_L, _N + _P + "'"), (_N, _L + _P + "'"), (_P, _L + _N)],
    "cl100k": [
        (_NOT_SPACE, _W),
        (_R, _NOT_SPACE),
        (_L, _N + _P + _R + "'"),
        (_N, _L + _P + _R + "'"),
        (_P + "'", _N),
    ],
    "o200k": [
        (_NOT_SPACE, _W),
        (_R, _NOT_SPACE + "/"),
        (_L, _N + _P + _R),
        (_N, _L + _P + _R + "'"),
        (_P + "'", _N),
    ],
}


# How many characters are first searched for a cut.
_NEAR = 64


class SlicedText(Protocol):
    """What of a text can be read without having all of it in one string; `str` is one."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: slice, /) -> str: ...


@cache
def cut_regex(pattern_name: str | None) -> re.Pattern[str]:
    """Matches, empty, at each safe cut; nowhere for a pattern that isn't in `RULES`."""
    rules = RULES.get(pattern_name or "", [])
    return re.compile("|".join(f"(?<=[{left}])(?=[{right}])" for left, right in rules) or "(?!)")


class Cutter:
    """Finds safe cuts for one split pattern, none of them inside of one of `specials`.

    `reach` is how far from an edit, in characters, a cut can become safe or unsafe.
    """

    def __init__(self, pattern_name: str | None, specials: frozenset[str] = frozenset()) -> None:
        self._regex = cut_regex(pattern_name)
        self.reach = max(map(len, specials), default=1) - 1
        longest_first = sorted(map(re.escape, specials), key=len, reverse=True)
        self._special = re.compile("|".join(longest_first)) if specials else None

    def after(self, text: str, offset: int) -> int:
        """The first safe cut at or after an offset; the end of the text when there is none."""
        if self._special:
            return next(self.between(text, offset, len(text)), len(text))
        match = self._regex.search(text, offset)
        return match.start() if match else len(text)

    def around(self, text: SlicedText, start: int, end: int) -> tuple[int, str]:
        """The text from the last safe cut at or before `start` to the first at or after `end`.

        Returns where it begins, and the text itself. Reads little beyond it.
        """
        margin, width = self.reach + 1, _NEAR
        while True:
            base, stop = max(start - width, 0), min(end + width, len(text))
            window = text[base:stop]
            before = self.between(window, margin if base else 0, start - base + 1)
            sure = len(window) - (margin if stop < len(text) else 0)
            first = max(before, default=None if base else 0)
            last = next(
                self.between(window, end - base, sure), None if stop < len(text) else len(window)
            )
            if first is not None and last is not None:
                return base + first, window[first:last]
            width *= 4

    def unharmed(self, text: str, start: int, end: int) -> tuple[int, int]:
        """The cuts nearest to an edit that replaces `text[start:end]` and leaves them safe.

        They are the beginning and the end of the text when none are near.
        """
        start = max(start - self.reach, 0)
        for width in (_NEAR // 4, 4 * _NEAR):
            if before := list(self.between(text, max(start - width, 0), start)):
                break
        return before[-1] if before else 0, self.after(text, end + self.reach + 1)

    def between(self, text: str, start: int, stop: int) -> Iterator[int]:
        """The safe cuts from `start` up to, not with, `stop`."""
        # The character after a cut must be in sight.
        for match in self._regex.finditer(text, start, stop + 1):
            cut = match.start()
            if cut < stop and not (self._special and self._in_special(self._special, text, cut)):
                yield cut

    def has_special(self, text: str) -> bool:
        """Whether a text spells a special token."""
        return self._special is not None and self._special.search(text) is not None

    def _in_special(self, special: re.Pattern[str], text: str, cut: int) -> bool:
        """Whether a special token stands across `cut`, be it across others, too."""
        start = max(cut - self.reach, 0)
        match = special.search(text, start, cut + self.reach)
        if not match or match.start() >= cut:
            return False
        starts = range(match.start(), cut)
        matches = (special.match(text, start, cut + self.reach) for start in starts)
        return any(match.end() > cut for match in matches if match)

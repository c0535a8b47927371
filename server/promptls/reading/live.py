"""The counts of a document while it is edited: what did not change is not counted again.

A file that is its own prompt (plain text, Markdown without a header) has one index, which gets the
same edits as the text, so a keystroke costs the same in any file. Other formats are read again as
a whole, which decides what is a message now; then only what changed in a message is counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from subword import Encoding, TokenIndex
from subword.index import count_between

from ..formats import Format, detect
from ..prompt import Message
from ..settings import Settings
from ..text import Edit, Text
from .amounts import Amount
from .counts import Counts, VerbatimCounts
from .models import choose
from .ranges import Counter

# A file's format is told by its name and, where several share one, by how it begins.
_HEAD = 1 << 14

Progress = Callable[[int], object]


class Costly(Exception):
    """An update would encode more characters than it may at once. Nothing was changed."""


class _Counted(NamedTuple):
    """A message's text and its tokens."""

    text: str
    tokens: TokenIndex


class LiveCounts:
    """Counts that follow one document under one set of settings. One thread at a time."""

    def __init__(self, path: str, language_id: str, settings: Settings) -> None:
        self._path = path
        self._language_id = language_id
        self._settings = settings
        self._whole: TokenIndex | None = None
        self._messages: list[_Counted] = []
        self._counter: Counter | None = None
        self._encoding: Encoding | None = None

    def format_of(self, text: Text) -> Format:
        """The format of the document with that text."""
        return detect(self._path, text.slice(0, _HEAD), self._language_id)

    def update(
        self,
        text: Text,
        edits: Sequence[Edit],
        progress: Progress | None = None,
        most: int | None = None,
    ) -> Counts:
        """The counts of `text`, which is the text of the call before after `edits`.

        `progress` is told how many characters are done while a whole text is counted. Raises
        `Costly` when a file that is its own prompt has an edit that takes encoding more than
        `most` characters. Loads the encoding at the first call; raises LookupError or ValueError
        when the settings name one that can't be had.
        """
        file_format = self.format_of(text)
        if file_format.verbatim:
            choice = choose(self._settings)
            index = self._update_whole(choice.encoding, text, edits, progress, most)
            return VerbatimCounts(choice, index.snapshot(), text, file_format)
        self._whole = None
        prompt = file_format.parse(str(text))
        choice = choose(self._settings, prompt.models)
        if choice.encoding is not self._encoding:
            # The file names another model than before.
            self._messages, self._encoding, self._counter = [], choice.encoding, None
        indexes = self._update_messages(choice.encoding, prompt.messages)
        snapshots = [index.snapshot() for index in indexes]
        special = self._settings.special_tokens
        self._counter = self._counter or Counter(choice.encoding, special)
        return Counts(choice, special, prompt, snapshots, self._counter)

    def count_lines(self, text: Text, first: int, stop: int) -> list[Amount] | None:
        """The counts of some lines of a text that hasn't been counted, at the cost of those lines.

        None when the format is one that has to be read as a whole.
        """
        if not self.format_of(text).verbatim:
            return None
        choice = choose(self._settings)
        starts = text.line_starts(first, stop)
        if not starts:
            return []
        bounds = [*starts, text.line_start(first + len(starts))]
        special = self._settings.special_tokens
        return list(
            map(choice.amount, count_between(choice.encoding, Sliced(text), bounds, special))
        )

    def _update_whole(
        self,
        encoding: Encoding,
        text: Text,
        edits: Sequence[Edit],
        progress: Progress | None,
        most: int | None,
    ) -> TokenIndex:
        """The index of the whole text, which is the prompt."""
        self._messages = []
        index = self._whole
        if index is not None and index.encoding is encoding and index.incremental:
            return self._edit_whole(index.snapshot(), edits, most)
        # Each edit of the other kind would cost as much as all of them together; and a tokenizer
        # of the user's own may have changed on the disk.
        if most is not None and len(text) > most:
            raise Costly
        special = self._settings.special_tokens
        self._whole = TokenIndex(encoding, str(text), special, progress=progress)
        return self._whole

    def _edit_whole(self, index: TokenIndex, edits: Sequence[Edit], most: int | None) -> TokenIndex:
        # Until every edit is made the index is of neither text; if one fails, it is dropped.
        before, self._whole = self._whole, None
        for start, end, new_text in edits:
            if most is not None and index.encoded_anew(start, end) + len(new_text) > most:
                self._whole = before
                raise Costly
            index.edit(start, end, new_text)
        self._whole = index
        return index

    def _update_messages(self, encoding: Encoding, messages: Sequence[Message]) -> list[TokenIndex]:
        """The index of each message: the old one where nothing changed, or edited, or a new one."""
        unchanged = {counted.text: counted.tokens for counted in self._messages}
        same_place = len(messages) == len(self._messages)
        special = self._settings.special_tokens
        counted: list[_Counted] = []
        for number, message in enumerate(messages):
            index = unchanged.get(message.text)
            if index is None and same_place:
                old = self._messages[number]
                index = old.tokens.snapshot()
                index.edit(*difference(old.text, message.text))
            if index is None:
                index = TokenIndex(encoding, message.text, special)
            # A text that comes again, as an alias of YAML does, is counted once.
            unchanged[message.text] = index
            counted.append(_Counted(message.text, index))
        self._messages = counted
        return [each.tokens for each in counted]


class Sliced:
    """A text that can be sliced like a string."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __len__(self) -> int:
        return len(self._text)

    def __getitem__(self, place: slice, /) -> str:
        start, stop, _ = place.indices(len(self._text))
        return self._text.slice(start, stop)


def difference(old: str, new: str) -> Edit:
    """One edit that makes `new` of `old`, between what they begin and end with alike."""
    shorter = min(len(old), len(new))
    start = _longest(shorter, lambda n: old[:n] == new[:n])
    rest = shorter - start
    end = _longest(rest, lambda n: old[len(old) - n :] == new[len(new) - n :])
    return Edit(start, len(old) - end, new[start : len(new) - end])


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The highest number up to `most` that fits, where all lower ones fit, too.

    Comparing slices is so much faster than comparing characters one by one that looking at some
    of them several times doesn't matter.
    """
    return bisect_right(range(1, most + 1), 0, key=lambda n: 0 if fits(n) else 1)

"""Reads a document while it is edited: what did not change since the reading before is kept.

A file that is its own prompt (plain text, Markdown without a header) has one index, which gets the
same edits as the text, so a keystroke costs the same in any file. A header with a body is edited in
the body. Other formats are read again as a whole, which decides what is a message now; then only
what changed in a message is counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from subword import Encoding, TokenIndex
from subword.index import count_between

from ..formats import Format, detect
from ..prompt import Prompt
from ..settings import Settings
from ..text import Edit, Text
from .amounts import Amount
from .models import choose
from .ranges import Counter
from .reading import Reading

# A file's format is told by its name and, where several share one, by how it begins.
_HEAD = 1 << 14

Progress = Callable[[int], object]


class Costly(Exception):
    """An edit would encode more characters than it may at once."""


class Reader(NamedTuple):
    """Reads the texts that a document has, one after the other."""

    path: str
    language_id: str
    settings: Settings

    def format_of(self, text: Text) -> Format:
        """The format of the document with that text."""
        return detect(self.path, text.slice(0, _HEAD), self.language_id)

    def read(
        self,
        text: Text,
        before: Reading | None = None,
        edits: Sequence[Edit] = (),
        progress: Progress | None = None,
        most: int | None = None,
    ) -> Reading:
        """The reading of `text`, which is the text of the reading `before` after `edits`.

        `progress` is told how many characters are done while a whole text is counted. Raises
        `Costly` when more than `most` characters would have to be read or encoded. Loads the
        encoding at the first call; raises LookupError or ValueError when the settings name one
        that can't be had.
        """
        file_format = self.format_of(text)
        prompt, of_message = None, list[Edit]()
        if not file_format.verbatim:
            prompt, of_message = _edited(file_format, before, edits) or (None, of_message)
            if prompt is None and most is not None and len(text) > most:
                raise Costly
            prompt = prompt or file_format.parse(str(text))
        choice = choose(self.settings, prompt.models if prompt else ())
        if before and before.encoding is not choice.encoding:
            # The file names another model than before, or a tokenizer changed on the disk.
            before = None
        if prompt is None:
            index = self._index(choice.encoding, text, before, edits, progress, most)
            return Reading(text, self.path, file_format, self.settings, choice, None, [index])
        indexes = self._indexes(choice.encoding, prompt, before, of_message)
        counter = before.counter if before else None
        counter = counter or Counter(choice.encoding, self.settings.special_tokens)
        reading = Reading(
            text, self.path, file_format, self.settings, choice, prompt, indexes, counter
        )
        # Now, since one thread at a time may use what remembers the counts of the state before.
        _ = reading.ranges
        return reading

    def lines(self, text: Text, first: int, stop: int) -> list[Amount] | None:
        """The counts of some lines of a text that hasn't been read, at the cost of those lines.

        None when the format is one that has to be read as a whole.
        """
        if not self.format_of(text).verbatim:
            return None
        choice = choose(self.settings)
        starts = text.line_starts(first, stop)
        if not starts:
            return []
        bounds = [*starts, text.line_start(first + len(starts))]
        special = self.settings.special_tokens
        return [
            choice.amount(tokens)
            for tokens in count_between(choice.encoding, Sliced(text), bounds, special)
        ]

    def _index(
        self,
        encoding: Encoding,
        text: Text,
        before: Reading | None,
        edits: Sequence[Edit],
        progress: Progress | None,
        most: int | None,
    ) -> TokenIndex:
        """The index of a text that is the prompt."""
        known = before.counts[0] if before and before.format.verbatim else None
        if not isinstance(known, TokenIndex) or not known.incremental:
            # Each edit would cost as much as all of them together.
            if most is not None and len(text) > most:
                raise Costly
            return TokenIndex(encoding, str(text), self.settings.special_tokens, progress=progress)
        index = known.snapshot()
        for start, end, new_text in edits:
            if most is not None and index.encoded_anew(start, end) + len(new_text) > most:
                raise Costly
            index.edit(start, end, new_text)
        return index

    def _indexes(
        self, encoding: Encoding, prompt: Prompt, before: Reading | None, edits: Sequence[Edit]
    ) -> list[TokenIndex]:
        """The index of each message: the old one where nothing changed, or edited, or a new one.

        `edits` are those of the only message, where they are known.
        """
        is_near = before is not None and not before.format.verbatim
        old = list(_counted(before)) if before and is_near else []
        if edits and old:
            only = old[0][1].snapshot()
            for edit in edits:
                only.edit(*edit)
            return [only]
        unchanged = dict(old)
        same_place = len(prompt.messages) == len(old)
        indexes: list[TokenIndex] = []
        for number, message in enumerate(prompt.messages):
            index = unchanged.get(message.text)
            if index is None and same_place:
                text, known = old[number]
                index = known.snapshot()
                index.edit(*difference(text, message.text))
            if index is None:
                index = TokenIndex(encoding, message.text, self.settings.special_tokens)
            # A text that comes again, as an alias of YAML does, is counted once.
            unchanged[message.text] = index
            indexes.append(index)
        return indexes


def _edited(
    file_format: Format, before: Reading | None, edits: Sequence[Edit]
) -> tuple[Prompt, list[Edit]] | None:
    """The prompt after edits and those in its only message; None where it must be read whole."""
    if not (file_format.edit and before and before.format is file_format and edits):
        return None
    text, prompt, of_message = before.source, before.prompt, list[Edit]()
    assert isinstance(text, Text)
    for edit in edits:
        lines = _lines_around(text, edit.start, edit.end)
        text = text.edit(edit)
        lines += _lines_around(text, edit.start, edit.start + len(edit.text))
        to_text = prompt.messages[0].source.to_text
        of_message.append(Edit(to_text(edit.start), to_text(edit.end), edit.text))
        following = file_format.edit(prompt, edit, lines)
        if following is None:
            return None
        prompt = following
    return prompt, of_message


def _lines_around(text: Text, start: int, end: int) -> str:
    """The lines that text[start:end] touches, and those to which their line ends belong."""
    first, last = text.line_at(max(start - 1, 0)), text.line_at(end + 1)
    return text.slice(text.line_start(first), text.line_start(last + 1))


def _counted(reading: Reading) -> Iterator[tuple[str, TokenIndex]]:
    """The messages' texts, each with its index."""
    for message, count in zip(reading.prompt.messages, reading.counts, strict=True):
        if isinstance(count, TokenIndex):
            yield message.text, count


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

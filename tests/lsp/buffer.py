"""A document as its client has it: changed and looked into by the specification's words alone."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from random import Random
from typing import Any

from tests.lsp.expected import lines_of, units

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def joined(text: str) -> str:
    """The text with the halves of surrogate pairs that stand side by side as one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@dataclass
class Buffer:
    """The text of a document, and the position encoding that its client counts columns in."""

    text: str
    units: str
    language: str = "plaintext"
    version: int = 1

    def lines(self) -> list[tuple[int, int]]:
        """Where each line and its content end begin, in units."""
        bounds = []
        start = character = 0
        for content in lines_of(self.text):
            end = start + units(content, self.units)
            bounds.append((start, end))
            character += len(content)
            width = 2 if self.text.startswith("\r\n", character) else 1
            start, character = end + width, character + width
        return bounds

    def offset(self, position: dict[str, int]) -> int:
        """The unit that a position means, as the specification clamps it."""
        lines = self.lines()
        if position["line"] >= len(lines):
            return units(self.text, self.units)
        start, end = lines[position["line"]]
        return min(start + position["character"], end)

    def change(self, change: dict[str, Any]) -> None:
        """Take a content change of a `didChange`."""
        if "range" not in change:
            self.text = joined(change["text"])
            return
        start, end = self._span(change["range"])
        self.text = self._replaced([(start, max(start, end), change["text"])])

    def after(self, edits: list[dict[str, Any]]) -> str:
        """The text after the text edits of a workspace edit."""
        return self._replaced([(*self._span(each["range"]), each["newText"]) for each in edits])

    def _span(self, range_: dict[str, Any]) -> tuple[int, int]:
        return self.offset(range_["start"]), self.offset(range_["end"])

    def _replaced(self, spans: list[tuple[int, int, str]]) -> str:
        codec, width = CODECS[self.units]
        data = self.text.encode(codec, "surrogatepass")
        # From the end, so that none moves another.
        for start, end, new in sorted(spans, key=itemgetter(0, 1), reverse=True):
            data = data[: width * start] + new.encode(codec, "surrogatepass") + data[width * end :]
        return joined(data.decode(codec, "surrogatepass"))

    # Where somebody may be in it

    def some_position(self, random: Random) -> dict[str, int]:
        """Any position, now and then one beyond the end of its line or of the text."""
        lines = self.lines()
        line = random.randrange(len(lines) + (random.random() < 0.05))
        start, end = lines[min(line, len(lines) - 1)]
        beyond = 3 if random.random() < 0.1 else 0
        return self._snapped({"line": line, "character": random.randint(0, end - start + beyond)})

    def some_range(self, random: Random) -> dict[str, Any]:
        """Any range, mostly as one types; now and then its start is after its end."""
        start, end = self.some_position(random), self.some_position(random)
        if random.random() < 0.7:
            # Typing: on one line, a few units.
            end = self._snapped({**start, "character": start["character"] + random.randrange(4)})
        if random.random() < 0.97:
            start, end = sorted((start, end), key=itemgetter("line", "character"))
        return {"start": start, "end": end}

    def some_selection(self, random: Random) -> dict[str, Any]:
        """A range whose start is not after its end."""
        places = self.some_range(random).values()
        start, end = sorted(places, key=itemgetter("line", "character"))
        return {"start": start, "end": end}

    def _snapped(self, position: dict[str, int]) -> dict[str, int]:
        """In UTF-8, no client means half a character; in UTF-16 an editor can cut a pair."""
        if self.units != "utf-8":
            return position
        data = [*lines_of(self.text), ""][position["line"]].encode("utf-8", "surrogatepass")
        column = position["character"]
        while column < len(data) and 0x80 <= data[column] < 0xC0:
            column -= 1
        return {**position, "character": column}

"""What a request reads: one state of a document, of which nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from lsprotocol import types

from ..reading.outline import Part, outline
from ..reading.reading import Reading
from ..rules.checking import Checked, check
from ..settings import Settings
from ..text import Position, PositionEncoding, Text
from .client import Client


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A version of a document and what is known of it. Any thread may ask.

    Offsets are characters of the text; positions are the protocol's, in the client's encoding.
    """

    uri: str
    version: int
    text: Text
    reading: Reading
    client: Client = field(default_factory=Client)
    is_superseded: Callable[[], bool] = lambda: False
    """Whether the document has another text or other settings by now: what takes long may stop."""

    @property
    def settings(self) -> Settings:
        return self.reading.settings

    @cached_property
    def outline(self) -> list[Part]:
        """The messages and the sections."""
        return outline(self.reading)

    @cached_property
    def checked(self) -> Checked:
        """The findings. Raises `Superseded`."""
        return check(self.reading, self.is_superseded)

    def offset(self, position: types.Position) -> int:
        """The character that a position stands before."""
        place = Position(position.line, position.character)
        return self.text.offset_at(place, self.client.position_encoding)

    def span(self, range_: types.Range | None) -> tuple[int, int]:
        """The characters of a range; of the whole text for None."""
        if range_ is None:
            return 0, len(self.text)
        return self.offset(range_.start), self.offset(range_.end)

    def range(self, start: int, end: int) -> types.Range:
        """The range of text[start:end]."""
        return to_range(self.text, start, end, self.client.position_encoding)

    def positions(self, offsets: Iterable[int]) -> dict[int, types.Position]:
        """The positions of many offsets, by offset."""
        ascending = sorted(set(offsets))
        positions = self.text.positions_at(ascending, self.client.position_encoding)
        return {o: types.Position(*p) for o, p in zip(ascending, positions, strict=True)}


def to_range(text: Text, start: int, end: int, units: PositionEncoding) -> types.Range:
    """The range of the protocol for text[start:end], in characters; columns in `units`."""
    first, last = text.position_at(start, units), text.position_at(end, units)
    return types.Range(types.Position(*first), types.Position(*last))

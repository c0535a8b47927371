"""Open documents: the text that the editor has, its settings, and what is known of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.uris import to_fs_path

from ..reading.encodings import EncodingUnavailable
from ..reading.outline import Part
from ..reading.reader import Reader
from ..reading.reading import Reading
from ..rules.checking import Checked
from ..settings import Settings
from ..settings_files.files import NAMES
from ..text import Edit, Position, PositionEncoding, Text, join_pairs
from .found import Found
from .scheduling import Tasks

# A text up to this, in characters, is read and counted in a moment, whatever its format.
SHORT = 1 << 14

# A text longer than this is counted on a lane of its own, so that others need not wait, and its
# visible lines are counted by themselves meanwhile. In characters.
LARGE = 1 << 17


@dataclass
class Work:
    """What is being worked out for a document, for one state of its text and settings."""

    counts: asyncio.Task[Reading] | None = None
    checked: asyncio.Task[Checked] | None = None
    checking: asyncio.Future[Checked] | None = None
    """The job behind `checked`, once it has been given to a lane."""
    outline: asyncio.Future[list[Part]] | None = None
    counting: asyncio.Future[Reading] | None = None
    """The job behind `counts`, once it has been given to a lane."""
    is_shown: bool = False
    """Whether somebody looks at the document: the editor has asked for its hints."""
    reader: Reader | None = None
    before: Reading | None = None
    """What `reader` read last, which the edits since then are made in."""
    is_built: bool = False
    """Whether `reader` has read the whole text once."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One reading at a time, in the order of the edits."""


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass
class Document:
    """An open document and all that is known of it, which ends when it is closed.

    It is changed on the loop's thread alone; `text` never changes itself.
    """

    uri: str
    language_id: str
    version: int
    text: Text
    is_open: bool = True
    """Whether it is followed still. One that is opened anew under the same uri is another."""
    work: Work = field(default_factory=Work)
    tasks: Tasks = field(default_factory=Tasks)
    """What is done for it beside the requests."""
    settings: Settings = field(default_factory=Settings)
    editor_settings: Mapping[str, object] | None = None
    """What the editor says of this document alone."""
    override: str | None = None
    """The encoding or the model that a command asked for, for this document alone."""
    edits: list[Edit] = field(default_factory=list)
    """What changed since the counts were last brought up to date."""
    found: Found = field(default_factory=Found)
    """What `settings` were made of."""
    is_unsettled: bool = False
    """Whether looking for its settings takes so long that nothing waits for them any more."""
    is_overridden: bool = False
    """Whether a command asked for the encoding, for this document or for all."""
    unavailable: EncodingUnavailable | None = None
    """Why the encoding can't be had, once that was tried."""
    changed: int = 0
    """Grows with each change of the text or of the settings."""

    reported: tuple[str, list[types.Diagnostic]] = ("", [])
    """The id of the last report that was pulled, and what it held."""
    opened_version: int = 0
    configured: asyncio.Event = field(default_factory=_set_event)
    """Unset while the document's settings are being found."""
    asked: int = 0
    """How often they were looked for: only the latest result counts."""

    def __post_init__(self) -> None:
        self.opened_version = self.version

    def close(self) -> None:
        """End all that is done for it."""
        self.is_open = False
        self.tasks.cancel()
        # What waits for settings sees then that nothing comes any more.
        self.configured.set()

    @property
    def is_settings_file(self) -> bool:
        """Whether this is no prompt but says how prompts are counted."""
        return self.folder is not None and PurePath(self.path).name in NAMES

    @property
    def may_wait(self) -> bool:
        """Whether what isn't seen at once should wait for a pause.

        That is so after an edit, and for a large text, whose visible lines come first.
        """
        return self.version > self.opened_version or len(self.text) > LARGE

    @property
    def path(self) -> str:
        """The path of the file, or what the editor calls a document that has none."""
        try:
            return to_fs_path(self.uri) or unquote(urlsplit(self.uri).path)
        except ValueError:
            return self.uri

    @property
    def reader(self) -> Reader:
        """What reads its texts under its present settings."""
        return Reader(self.path, self.language_id, self.settings)

    @property
    def folder(self) -> Path | None:
        """The folder whose settings apply; None for a document that isn't on this disk."""
        path = self.path
        is_file = self.uri.startswith("file:") and path != self.uri and "\0" not in path
        return Path(path).parent if is_file else None

    def change(
        self,
        version: int,
        changes: Sequence[types.TextDocumentContentChangeEvent],
        encoding: PositionEncoding,
    ) -> None:
        """Apply the changes of one notification, in their order."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                edit = self.text.resolve(
                    Position(start.line, start.character),
                    Position(end.line, end.character),
                    change.text,
                    encoding,
                )
            else:
                edit = Edit(0, len(self.text), join_pairs(change.text))
            self.text = self.text.edit(edit)
            self.edits.append(edit)
        self.version = version
        self.changed += 1

    def offset(self, position: types.Position, encoding: PositionEncoding) -> int:
        """The character that a position of the protocol stands before."""
        return self.text.offset_at(Position(position.line, position.character), encoding)

    def range(self, start: int, end: int, encoding: PositionEncoding) -> types.Range:
        """The range of the protocol for text[start:end], in characters."""
        return to_range(self.text, start, end, encoding)


def to_range(text: Text, start: int, end: int, encoding: PositionEncoding) -> types.Range:
    """The range of the protocol for text[start:end], in characters."""
    return types.Range(to_position(text, start, encoding), to_position(text, end, encoding))


def to_position(text: Text, offset: int, encoding: PositionEncoding) -> types.Position:
    """The position of the protocol for a character offset."""
    return types.Position(*text.position_at(offset, encoding))


def to_span(text: Text, range_: types.Range | None, encoding: PositionEncoding) -> tuple[int, int]:
    """The characters of a range of the protocol; of the whole text for None."""
    if range_ is None:
        return 0, len(text)
    start, end = (
        text.offset_at(Position(position.line, position.character), encoding)
        for position in (range_.start, range_.end)
    )
    return start, end


def to_positions(
    text: Text, offsets: Iterable[int], encoding: PositionEncoding
) -> dict[int, types.Position]:
    """The positions of the protocol for many character offsets, by offset."""
    ascending = sorted(set(offsets))
    positions = text.positions_at(ascending, encoding)
    return {o: types.Position(*p) for o, p in zip(ascending, positions, strict=True)}

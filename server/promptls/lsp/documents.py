"""Open documents: the text that the editor has, its settings, and what is done for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from threading import Event
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.uris import to_fs_path

from ..reading.encodings import EncodingUnavailable
from ..reading.reader import Reader
from ..reading.reading import Reading
from ..settings import Settings
from ..settings_files.files import NAMES
from ..text import Edit, Position, PositionEncoding, Text, join_pairs
from .found import FoundSettings
from .scheduling import Tasks
from .snapshot import Snapshot

# A text up to this, in characters, is read and counted in a moment, whatever its format.
SHORT = 1 << 14

# A text longer than this is counted in a pool of its own, so that others need not wait, and its
# visible lines are counted by themselves meanwhile. In characters.
LARGE = 1 << 17

# More edits than this are not made in what was counted before.
_MOST_EDITS = 1000


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass
class Revision:
    """A document between two changes of its text or its settings."""

    number: int = 0
    """How many there were before."""
    superseded: Event = field(default_factory=Event)
    """Set when it is over, for work on any thread."""
    snapshot: asyncio.Task[Snapshot] | None = None
    """What is known of it, once that was asked for."""


@dataclass
class Counting:
    """The counts of a document under one set of settings, which follow its edits."""

    reader: Reader
    edits: list[Edit] = field(default_factory=list)
    """What changed since the text that was read last."""
    before: Reading | None = None
    """What was read last, which the edits are made in."""
    is_begun: bool = False
    is_built: bool = False
    """Whether the whole text was read once."""
    stopped: Event = field(default_factory=Event)
    """Set when nobody wants these counts any more, for work on any thread."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One reading at a time, in the order of the edits."""


@dataclass
class Document:
    """An open document and all that is done for it, which ends when it is closed.

    It is changed on the loop's thread alone; `text` never changes itself.
    """

    uri: str
    language_id: str
    version: int
    text: Text
    is_open: bool = True
    """Whether it is followed still. One that is opened anew under the same uri is another."""
    is_shown: bool = False
    """Whether somebody looks at it: the editor has asked for its hints."""
    tasks: Tasks = field(default_factory=Tasks)
    """What is done for it beside the requests."""
    revision: Revision = field(default_factory=Revision)
    reported: tuple[str, list[types.Diagnostic]] = ("", [])
    """The id of the last report that was pulled, and what it held."""

    settings: Settings = field(default_factory=Settings)
    found: FoundSettings = field(default_factory=FoundSettings)
    """What `settings` were made of."""
    editor_settings: Mapping[str, object] | None = None
    """What the editor says of this document alone."""
    override: str | None = None
    """The encoding or the model that a command asked for, for this document alone."""
    is_overridden: bool = False
    """Whether a command asked for the encoding, for this document or for all."""
    configured: asyncio.Event = field(default_factory=_set_event)
    """Unset while the document's settings are being found."""
    asked: int = 0
    """How often they were looked for: only the latest result counts."""
    editor_asked: int = 0
    """The latest of them that asked the editor: only its answer counts."""
    is_unsettled: bool = False
    """Whether looking for its settings takes so long that nothing waits for them any more."""
    unavailable: EncodingUnavailable | None = None
    """Why the encoding can't be had, once that was tried."""

    def __post_init__(self) -> None:
        self._opened_version = self.version
        self.counting = Counting(self.reader)

    def edit(
        self,
        version: int,
        changes: Sequence[types.TextDocumentContentChangeEvent],
        position_encoding: PositionEncoding,
    ) -> None:
        """Apply the changes of one notification, in their order."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                edit = self.text.resolve(
                    Position(start.line, start.character),
                    Position(end.line, end.character),
                    change.text,
                    position_encoding,
                )
            else:
                edit = Edit(0, len(self.text), join_pairs(change.text))
            self.text = self.text.edit(edit)
            self.counting.edits.append(edit)
        self.version = version
        # Edits that nobody wants counted must not pile up; to count anew is no more work than many.
        if not self.counting.is_begun or len(self.counting.edits) > _MOST_EDITS:
            self._count_anew()
        self._supersede()

    def configure(self, settings: Settings) -> None:
        """Give it other settings; what was counted is forgotten."""
        self.settings = settings
        self.unavailable = None
        self._count_anew()
        self._supersede()

    def close(self) -> None:
        """End all that is done for it."""
        self.is_open = False
        self.tasks.cancel()
        self.counting.stopped.set()
        self.revision.superseded.set()
        # What waits for settings sees then that nothing comes any more.
        self.configured.set()

    def _count_anew(self) -> None:
        self.counting.stopped.set()
        self.counting = Counting(self.reader)

    def _supersede(self) -> None:
        self.revision.superseded.set()
        self.revision = Revision(self.revision.number + 1)

    @property
    def reader(self) -> Reader:
        """What reads its texts under its present settings."""
        return Reader(self.path, self.language_id, self.settings)

    @property
    def is_settings_file(self) -> bool:
        """Whether this is no prompt but says how prompts are counted."""
        return self.folder is not None and PurePath(self.path).name in NAMES

    @property
    def may_wait(self) -> bool:
        """Whether what isn't seen at once should wait for a pause.

        That is so after an edit, and for a large text, whose visible lines come first.
        """
        return self.version > self._opened_version or len(self.text) > LARGE

    @property
    def path(self) -> str:
        """The path of the file, or what the editor calls a document that has none."""
        try:
            return to_fs_path(self.uri) or unquote(urlsplit(self.uri).path)
        except ValueError:
            return self.uri

    @property
    def folder(self) -> Path | None:
        """The folder whose settings apply; None for a document that isn't on this disk."""
        path = self.path
        is_file = self.uri.startswith("file:") and path != self.uri and "\0" not in path
        return Path(path).parent if is_file else None

"""The state of one connection: the editor, its documents and their settings, and the threads.

Everything here happens on the loop's thread. What takes a while is done in pools, on what never
changes, and comes back as values.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from ..lint.context import Superseded
from ..reading.amounts import Amount
from ..reading.encodings import CANNOT_COUNT, EncodingUnavailable, unavailable
from ..reading.reader import Costly, Progress
from ..reading.reading import Reading, read
from ..text import Text
from .client import Client
from .configuration import UNSETTLED, Configuration, problem_of
from .documents import LARGE, SHORT, Counting, Document, Revision
from .editor import Connection, Editor
from .progress import reporting
from .scheduling import Pool, Pools, Tasks
from .snapshot import Snapshot
from .transport import watch_parent

Result = TypeVar("Result")

# How long the count of a large text waits for its visible lines to be shown, in seconds: both
# would compete for the processor.
_HEAD_START = 0.02


class Listeners(NamedTuple):
    """What is called after something happened to a document."""

    changed: tuple[Callable[[Session, Document], object], ...] = ()
    """It was opened, edited or given other settings."""
    closed: tuple[Callable[[Session, Document], object], ...] = ()
    settled: tuple[Callable[[Session, Document], object], ...] = ()
    """Its settings were found, be they others or not, or turned out to be of no use."""


class VisibleLines(NamedTuple):
    """The counts of some lines of a text."""

    text: Text
    amounts: list[Amount]


class Session:
    """One connection."""

    def __init__(self, connection: Connection, listeners: Listeners | None = None) -> None:
        self.editor = Editor(connection)
        self.documents: dict[str, Document] = {}
        self.folders: list[Path] = []
        self.finished: asyncio.Future[int] | None = None
        """Ends the server together with the process that started it, if it must."""
        self.pools = Pools()
        self.tasks = Tasks()
        self.listeners = listeners or Listeners()
        self.shown_faults: dict[str, list[types.Diagnostic]] = {}
        """What is shown in settings files, by their uri."""
        self.configuration = Configuration(
            self.editor, self.documents, self.pools.settings, self.tasks, self._found_settings
        )

    @property
    def client(self) -> Client:
        """What the editor can do."""
        return self.editor.client

    def start(self, params: types.InitializeParams) -> None:
        """Begin with what the client says of itself."""
        self.editor.client = Client.of(params)
        uris = [each.uri for each in params.workspace_folders or ()] or [params.root_uri or ""]
        self.folders = [Path(path) for path in map(to_fs_path, uris) if path]
        options = params.initialization_options
        if isinstance(options, Mapping) and isinstance(options.get("settings"), Mapping):
            self.configuration.editor_settings = options["settings"]
        if self.finished and params.process_id:
            self.tasks.start(watch_parent(params.process_id, self.finished))

    def end(self) -> None:
        """Drop all work."""
        self.tasks.cancel()
        for document in self.documents.values():
            document.close()
        self.pools.close()

    # Documents

    def document(self, uri: str) -> Document:
        """The open document. Raises `JsonRpcInvalidParams` when it isn't open."""
        if document := self.documents.get(uri):
            return document
        raise JsonRpcInvalidParams("the document is not open")

    def open(self, document: Document) -> None:
        """Begin to follow a document, in place of one that a client opens a second time."""
        if before := self.documents.get(document.uri):
            before.close()
            # What was said of it goes only with a close.
            document.override, document.editor_settings = before.override, before.editor_settings
        self.documents[document.uri] = document
        if not document.is_settings_file:
            self.configuration.follow(document)
        self.did_change(document)

    def close(self, uri: str) -> None:
        """Forget a document."""
        if document := self.documents.pop(uri, None):
            document.close()
            self._tell(self.listeners.closed, document)

    def did_change(self, document: Document) -> None:
        """Tell who listens that a document has another text or other settings."""
        self._tell(self.listeners.changed, document)

    def _found_settings(self, document: Document, is_changed: bool) -> None:
        if is_changed:
            self.did_change(document)
        self._tell(self.listeners.settled, document)

    def _tell(
        self, listeners: tuple[Callable[[Session, Document], object], ...], document: Document
    ) -> None:
        for listener in listeners:
            listener(self, document)

    def show(self, document: Document) -> None:
        """Let what is worked out for a document that somebody looks at go before other work."""
        if not document.is_shown:
            document.is_shown = True
            self.pools.hasten(document.uri)

    # What is known of a document

    async def answer(
        self,
        document: Document,
        function: Callable[[Snapshot], Result],
        pool: Pool | None = None,
        take: Callable[[Document], Awaitable[Snapshot]] | None = None,
    ) -> Result | None:
        """What a function makes of a document's present state, in a pool or at once on the loop.

        None when it isn't open any more, or its encoding can't be had.
        """

        async def derive(snapshot: Snapshot) -> Result:
            if pool is None:
                return function(snapshot)
            return await pool.run(lambda: job(snapshot), document.uri, document.is_shown)

        def job(snapshot: Snapshot) -> Result:
            if snapshot.is_superseded():
                raise Superseded
            return function(snapshot)

        return await self.derive(document, derive, take)

    async def derive(
        self,
        document: Document,
        work: Callable[[Snapshot], Awaitable[Result]],
        take: Callable[[Document], Awaitable[Snapshot]] | None = None,
    ) -> Result | None:
        """The same of work that awaits. `take` gets a snapshot other than `self.snapshot`."""
        take = take or self.snapshot

        async def derive(document: Document) -> Result:
            return await work(await take(document))

        return await self._current(document, derive)

    async def visible_lines(self, document: Document, first: int, stop: int) -> VisibleLines | None:
        """The counts of some lines of a large text that isn't counted as a whole yet.

        None for all other documents, and for one that has to be read as a whole.
        """
        is_large = len(document.text) > LARGE and not document.is_settings_file
        if not is_large or not document.is_open or document.counting.is_built:
            return None

        async def count(document: Document) -> VisibleLines | None:
            job = partial(document.reader.lines, text := document.text, first, stop)
            amounts = await self.pools.counting.run(job, first=True)
            return None if amounts is None else VisibleLines(text, amounts)

        lines = await self._current(document, count)
        document.tasks.start(self._count_soon(document))
        return lines

    async def _count_soon(self, document: Document) -> None:
        """Begin to count a whole text once the answer about its visible lines is out."""
        await asyncio.sleep(_HEAD_START)
        if document.is_open:
            self._begin(document)

    async def _current(
        self, document: Document, work: Callable[[Document], Awaitable[Result]]
    ) -> Result | None:
        """The result of work on a document's present state: again if that changed meanwhile."""
        await document.configured.wait()
        while document.is_open and not document.is_settings_file:
            if document.is_unsettled:
                self._lacks(document, UNSETTLED)
                return None
            superseded = document.revision.superseded
            try:
                result = await work(document)
            except Superseded:
                continue
            except CANNOT_COUNT as error:
                # No counts are better than those of another encoding.
                if not superseded.is_set():
                    self._lacks(document, unavailable(error))
                    return None
            else:
                if not superseded.is_set():
                    return result
        return None

    def _lacks(self, document: Document, error: EncodingUnavailable) -> None:
        """Take note, and say, that a document can't be counted under its settings."""
        problem = problem_of(document, error)
        self.editor.say(problem["message"], types.MessageType.Error)
        if document.unavailable is None:
            document.unavailable = error
            self._tell(self.listeners.settled, document)

    async def snapshot(self, document: Document) -> Snapshot:
        """A document's present state. Raises `Superseded` if that isn't it any more by then."""
        return await asyncio.shield(self._begin(document))

    async def with_findings(self, document: Document) -> Snapshot:
        """The same; without a tokenizer, one that knows the findings that need none."""
        try:
            return await self.snapshot(document)
        except CANNOT_COUNT:
            text, revision, version = document.text, document.revision, document.version
            path, language_id, settings = document.reader
            job = partial(read, text, path, settings, language_id, needs_tokenizer=False)
            reading = await self.pools.checking.run(job, document.uri)
            is_superseded = revision.superseded.is_set
            return Snapshot(document.uri, version, text, reading, self.client, is_superseded)

    def _begin(self, document: Document) -> asyncio.Task[Snapshot]:
        revision = document.revision
        if revision.snapshot is None:
            revision.snapshot = self.tasks.start(self._take(document, document.counting, revision))
        return revision.snapshot

    async def _take(self, document: Document, counting: Counting, revision: Revision) -> Snapshot:
        async with counting.turn:
            is_superseded = revision.superseded.is_set
            if is_superseded():
                raise Superseded
            text, version = document.text, document.version
            reading = await self._read(document, counting, text)
            counting.is_built, counting.before = True, reading
            if not counting.stopped.is_set():
                # What a tokenizer gave up on may have been in the text before.
                document.unavailable = None
            return Snapshot(document.uri, version, text, reading, self.client, is_superseded)

    async def _read(self, document: Document, counting: Counting, text: Text) -> Reading:
        """Read a text where nobody has to wait long for it, nor it for others."""
        job = partial(counting.reader.read, text, counting.before, counting.edits)
        # If this fails, the next reads the whole.
        counting.is_begun, counting.edits, counting.before = True, [], None
        pool = self._pool_for(counting, text)
        if pool is self.pools.building:
            return await self._build(job, len(text), counting.stopped.is_set)
        most = SHORT if counting.is_built and pool is self.pools.counting else None
        try:
            return await pool.run(partial(job, most=most), document.uri, document.is_shown)
        except Costly:
            # Its edits turned out to take long.
            pool = self.pools.reading if len(text) <= LARGE else self.pools.building
            return await pool.run(job, document.uri, document.is_shown)

    def _pool_for(self, counting: Counting, text: Text) -> Pool:
        if len(text) <= SHORT:
            return self.pools.counting
        file_format = counting.reader.format_of(text)
        is_edited = counting.is_built and (file_format.verbatim or file_format.edit is not None)
        if is_edited or (file_format.verbatim and len(text) <= LARGE):
            return self.pools.counting
        return self.pools.reading if len(text) <= LARGE else self.pools.building

    async def _build(
        self, job: Callable[..., Reading], length: int, is_stopped: Callable[[], bool]
    ) -> Reading:
        """Read a large text as a whole, and show how far that is."""

        def build(progress: Progress) -> Reading:
            def advance(done: int) -> None:
                if is_stopped():
                    raise Superseded
                progress(done)

            return job(progress=advance)

        title = "Counting tokens"
        async with reporting(self.editor, self.tasks, title, length) as progress:
            return await self.pools.building.run(lambda: build(progress))

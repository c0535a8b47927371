"""The state of one connection: documents, settings and encodings, and what was worked out of them.

Everything here happens on the loop's thread. Counting and checking happen on lanes of their own,
on immutable texts, and come back as values.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from ..lint.context import Superseded
from ..reading.amounts import Amount
from ..reading.encodings import CANNOT_COUNT, EncodingUnavailable, unavailable
from ..reading.outline import Part, outline
from ..reading.reader import Costly, Progress, Reader
from ..reading.reading import Reading, read
from ..rules.checking import Checked, check
from ..text import Edit, Text
from .client import Client
from .configuration import UNSETTLED, Configuration, problem_of
from .documents import LARGE, SHORT, Document, Work
from .progress import reporting
from .scheduling import Lane, Tasks
from .transport import watch_parent

if TYPE_CHECKING:
    from .app import Server

Result = TypeVar("Result")

# More edits than this are not made in what was counted before.
_MOST_EDITS = 1000

# How long the count of a large text waits for its visible lines to be shown, in seconds: both
# would compete for the processor.
_HEAD_START = 0.02


class Outlined(NamedTuple):
    """A document's counts and its outline, of the same text."""

    counts: Reading
    parts: list[Part]


class Session:
    """One connection."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = Client()
        self.documents: dict[str, Document] = {}
        self.watches_parent = False
        self.folders: list[Path] = []
        self.configuration = Configuration(self)
        # Called after a document was opened, edited or given other settings; after it was closed.
        self.on_change: list[Callable[[Document], None]] = []
        self.on_close: list[Callable[[Document], None]] = []
        # Called after a document's encoding turned out not to be there.
        self.on_unavailable: list[Callable[[Document], None]] = []
        # What takes a moment, what is read as a whole, what takes seconds: each holds up its like.
        self.counting = Lane("counting")
        self.reading = Lane("reading", threads=2)
        self.building = Lane("building")
        self.checking = Lane("checking", behind=self.counting)
        self.comparing = Lane("comparing", threads=4)
        self._lanes = (self.counting, self.reading, self.building, self.checking, self.comparing)
        self.tasks = Tasks()
        self._said: set[str] = set()

    def start(self, params: types.InitializeParams) -> None:
        """Begin with what the client says of itself."""
        self.client = Client.of(params)
        uris = [each.uri for each in params.workspace_folders or ()] or [params.root_uri or ""]
        self.folders = [Path(path) for path in map(to_fs_path, uris) if path]
        options = params.initialization_options
        if isinstance(options, Mapping) and isinstance(options.get("settings"), Mapping):
            self.configuration.start(options["settings"])
        if self.watches_parent and params.process_id:
            self.tasks.start(watch_parent(params.process_id, self.server.protocol.finished))

    def end(self) -> None:
        """Drop all work."""
        self.tasks.cancel()
        for document in self.documents.values():
            document.close()
        for lane in (*self._lanes, self.configuration.reading):
            lane.close()

    # Documents

    def document(self, uri: str) -> Document:
        """The open document. Raises `JsonRpcInvalidParams` when it isn't open."""
        if document := self.documents.get(uri):
            return document
        raise JsonRpcInvalidParams("the document is not open")

    def open(self, document: Document) -> None:
        """Begin to follow a document."""
        self.documents[document.uri] = document
        if not document.is_settings_file:
            self.configuration.follow(document)
        self.changed(document)

    def close(self, uri: str) -> None:
        """Forget a document."""
        if document := self.documents.pop(uri, None):
            document.close()
            for listener in self.on_close:
                listener(document)

    def changed(self, document: Document) -> None:
        """Take note that a document's text or settings are others than before."""
        work = document.work
        work.counts = work.checked = work.outline = None
        # Edits that nobody wants counted must not pile up; to count anew is no more work than many.
        if work.reader is None or len(document.edits) > _MOST_EDITS:
            work.reader, work.is_built, document.edits = None, False, []
        for listener in self.on_change:
            listener(document)

    def reconfigured(self, document: Document) -> None:
        """Take note that a document has other settings; what was counted is forgotten."""
        document.changed += 1
        document.unavailable = None
        work = document.work
        work.reader, work.is_built = None, False
        self.changed(document)

    def refresh(self) -> None:
        """Ask the editor to ask again for what the settings decide."""
        client, server = self.client, self.server
        if client.refreshes_hints:
            server.workspace_inlay_hint_refresh(None)
        if client.refreshes_lenses:
            server.workspace_code_lens_refresh(None)
        if client.refreshes_semantic_tokens:
            server.workspace_semantic_tokens_refresh(None)
        if client.pulls_diagnostics and client.refreshes_diagnostics:
            server.workspace_diagnostic_refresh(None)

    def say(self, message: str, kind: types.MessageType) -> None:
        """Show the user a message, only once until the settings change."""
        if message not in self._said:
            self._said.add(message)
            self.server.window_show_message(types.ShowMessageParams(kind, message))

    def forget_what_was_said(self) -> None:
        """Say messages again: the settings changed, or the user wants to know."""
        self._said.clear()

    # What is known of a document

    async def counts(self, document: Document) -> Reading | None:
        """The counts of a document as it is now; None when its encoding can't be had.

        When this returns, and until the caller awaits again, they are those of `document.text`.
        """
        return await self._current(document, self._counts)

    async def checked(self, document: Document) -> Checked | None:
        """The reading and the findings of a document as it is now; None as for `counts`."""
        return await self._current(document, self._checked)

    async def derived(
        self, document: Document, derive: Callable[[Reading, Text], Result]
    ) -> Result | None:
        """What is worked out of a document's counts and text as they are now, off the loop.

        None as for `counts`.
        """
        while (counts := await self.counts(document)) is not None:
            changed, job = document.changed, partial(derive, counts, document.text)
            result = await self.comparing.run(job)
            if changed == document.changed:
                return result
        return None

    async def outline(self, document: Document) -> Outlined | None:
        """The counts and the outline of a document as it is now; None as for `counts`."""
        while (counts := await self.counts(document)) is not None:
            changed = document.changed
            try:
                parts = await asyncio.shield(self._outline(document, counts))
            except Superseded:
                continue
            if changed == document.changed:
                return Outlined(counts, parts)
        return None

    async def line_counts(self, document: Document, first: int, stop: int) -> list[Amount] | None:
        """The counts of some lines, at once also where a large text isn't counted as a whole yet.

        None as for `counts`, which waits for the whole.
        """
        await document.configured.wait()
        if document.is_open:
            self._show(document.work)
        if self._is_large_and_new(document):
            counts = await self._current(document, lambda d: self._count_lines(d, first, stop))
            self.tasks.start(self._count_soon(document))
            if counts is not None:
                return counts
        whole = await self.counts(document)
        return list(map(whole.choice.amount, whole.lines(first, stop))) if whole else None

    def _show(self, work: Work) -> None:
        """Let what is worked out for a document that somebody looks at go before other work."""
        if not work.is_shown:
            work.is_shown = True
            if work.counting:
                for lane in (self.counting, self.reading, self.building):
                    lane.hasten(work.counting)
            if work.checking:
                self.checking.hasten(work.checking)

    def _is_large_and_new(self, document: Document) -> bool:
        if len(document.text) <= LARGE or document.is_settings_file or not document.is_open:
            return False
        return not document.work.is_built

    async def _count_soon(self, document: Document) -> None:
        """Begin to count a whole text once the answer about its visible lines is out."""
        await asyncio.sleep(_HEAD_START)
        if document.is_open:
            self._counts(document)

    async def _current(
        self, document: Document, work: Callable[[Document], asyncio.Future[Result]]
    ) -> Result | None:
        """The result of work on a document's present state: again if that changed meanwhile."""
        await document.configured.wait()
        while document.is_open and not document.is_settings_file:
            if document.is_unsettled:
                self._lacks(document, UNSETTLED)
                return None
            changed = document.changed
            try:
                result = await asyncio.shield(work(document))
            except Superseded:
                continue
            except CANNOT_COUNT as error:
                # No counts are better than those of another encoding.
                if changed == document.changed:
                    self._lacks(document, unavailable(error))
                    return None
                continue
            # What was worked out of a document that is closed by now is nothing to build on.
            if changed == document.changed and document.is_open:
                return result
        return None

    def _lacks(self, document: Document, error: EncodingUnavailable) -> None:
        """Take note, and say, that a document can't be counted under its settings."""
        problem = problem_of(document, error)
        self.say(problem["message"], types.MessageType.Error)
        if document.unavailable is None:
            document.unavailable = error
            for listener in self.on_unavailable:
                listener(document)

    def _counts(self, document: Document) -> asyncio.Future[Reading]:
        work = document.work
        if work.counts is None:
            work.counts = self.tasks.start(self._count(document, work, document.changed))
        return work.counts

    async def _count(self, document: Document, work: Work, changed: int) -> Reading:
        async with work.turn:
            if changed != document.changed or not document.is_open:
                raise Superseded
            if work.reader is None:
                work.reader, work.before = document.reader, None
            reader, before = work.reader, work.before
            text, edits = document.text, document.edits
            # If this fails, the next reads the whole.
            document.edits, work.before = [], None
            lane = self._lane_for(reader, text, work.is_built)
            if lane is self.building:
                reading = await self._build(document, work, reader, before, edits)
            else:
                job = partial(reader.read, text, before, edits)
                reading = await self._read(job, len(text), work, lane)
            work.is_built = reader is work.reader
            if work.is_built:
                work.before = reading
            # What a tokenizer gave up on may have been in the text before.
            document.unavailable = None
            return reading

    def _lane_for(self, reader: Reader, text: Text, is_built: bool) -> Lane:
        """The lane in which nobody has to wait long for a count, nor it for others."""
        if len(text) <= SHORT:
            return self.counting
        if reader.format_of(text).verbatim and (is_built or len(text) <= LARGE):
            return self.counting
        return self.reading if len(text) <= LARGE else self.building

    async def _read(
        self, job: Callable[..., Reading], length: int, work: Work, lane: Lane
    ) -> Reading:
        """Read a text in a lane, or, if its edits turn out to take long, in one for such work."""
        most = SHORT if work.is_built and lane is self.counting else None
        try:
            work.counting = lane.run(partial(job, most=most), work.is_shown)
            return await work.counting
        except Costly:
            lane = self.reading if length <= LARGE else self.building
            work.counting = lane.run(job, work.is_shown)
            return await work.counting

    async def _build(
        self,
        document: Document,
        work: Work,
        reader: Reader,
        before: Reading | None,
        edits: list[Edit],
    ) -> Reading:
        """Count a large text as a whole, and show how far that is."""
        text = document.text

        def build(progress: Progress) -> Reading:
            def advance(done: int) -> None:
                if work.reader is not reader or not document.is_open:
                    raise Superseded
                progress(done)

            return reader.read(text, before, edits, advance)

        async with reporting(self, "Counting tokens", len(text)) as progress:
            return await self.building.run(lambda: build(progress))

    def _count_lines(
        self, document: Document, first: int, stop: int
    ) -> asyncio.Future[list[Amount] | None]:
        job = partial(document.reader.lines, document.text, first, stop)
        return self.counting.run(job, first=True)

    def _outline(self, document: Document, counts: Reading) -> asyncio.Future[list[Part]]:
        work = document.work
        if work.outline is None:
            changed = document.changed

            def job() -> list[Part]:
                if document.changed != changed:
                    raise Superseded
                return outline(counts)

            work.outline = self.checking.run(job)
        return work.outline

    def _checked(self, document: Document) -> asyncio.Future[Checked]:
        work = document.work
        if work.checked is None:
            work.checked = self.tasks.start(self._check(document, work, document.changed))
        return work.checked

    async def _check(self, document: Document, work: Work, changed: int) -> Checked:
        """The findings of what was counted; without a tokenizer, those that need none."""
        text, reader = document.text, document.reader
        try:
            reading: Reading | None = await asyncio.shield(self._counts(document))
        except CANNOT_COUNT:
            reading = None

        def job() -> Checked:
            if document.changed != changed:
                raise Superseded
            whole = reading or read(
                text, reader.path, reader.settings, reader.language_id, needs_tokenizer=False
            )
            return check(whole, lambda: document.changed != changed)

        work.checking = self.checking.run(job, work.is_shown)
        return await work.checking

"""The state of one connection: documents, settings and encodings, and what was worked out of them.

Everything here happens on the loop's thread. Counting and checking happen on lanes of their own,
on immutable texts, and come back as values.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.uris import to_fs_path

from ..amounts import Amount
from ..analysis import Analysis, analyse, check
from ..counts import Counts
from ..encodings import EncodingUnavailable, encoding_name
from ..findings import Finding
from ..live import LiveCounts, Progress
from ..models import choose
from ..outline import Part, outline
from ..rules import Superseded
from ..settings import Settings
from ..settings_files import checked_settings, settings_in, stamp
from ..text import Text, TextEdit
from .client import Client
from .documents import LARGE, SHORT, Document
from .progress import reporting
from .protocol import log_failure
from .scheduling import Lane
from .transport import watch_parent

if TYPE_CHECKING:
    from .app import Server

Result = TypeVar("Result")

# How long a document waits for the editor's settings before it is counted without, in seconds.
_PATIENCE = 2.0

# More edits than this are not made in what was counted before.
_MOST_EDITS = 1000

# How often settings files are looked at where the client can't watch them, in seconds.
_LOOK_EVERY = 2.0

# How long the count of a large text waits for its visible lines to be shown, in seconds: both
# would compete for the processor.
_HEAD_START = 0.02


class Checked(NamedTuple):
    """A document's analysis and what the rules found in it."""

    analysis: Analysis
    findings: list[Finding]


@dataclass
class _Work:
    """What is being worked out for a document, for one state of its text and settings."""

    counts: asyncio.Task[Counts] | None = None
    checked: asyncio.Future[Checked] | None = None
    outline: asyncio.Future[list[Part]] | None = None
    counting: asyncio.Future[Counts] | None = None
    """The job behind `counts`, once it has been given to a lane."""
    is_shown: bool = False
    """Whether somebody looks at the document: the editor has asked for its hints."""
    live: LiveCounts | None = None
    is_built: bool = False
    """Whether `live` has counted the whole text once."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One update of `live` at a time, in the order of the edits."""


class Session:
    """One connection."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = Client()
        self.documents: dict[str, Document] = {}
        self.watches_parent = False
        self.root: Path | None = None
        # Called after a document was opened, edited or given other settings; after it was closed.
        self.on_change: list[Callable[[Document], None]] = []
        self.on_close: list[Callable[[str], None]] = []
        # What is counted in a moment, what is read as a whole, and what takes seconds: each of
        # these lanes holds up only its like.
        self.counting = Lane("counting")
        self.reading = Lane("reading", threads=2)
        self.building = Lane("building")
        self.checking = Lane("checking", behind=self.counting)
        self.comparing = Lane("comparing", threads=4)
        self._lanes = (self.counting, self.reading, self.building, self.checking, self.comparing)
        # By document; None is for all.
        self._overrides: dict[str | None, str] = {}
        self._editor_settings: dict[str | None, Mapping[str, object]] = {}
        self._work: dict[str, _Work] = {}
        self._later: set[asyncio.Task[Any]] = set()
        self._said: set[str] = set()

    def start(self, params: types.InitializeParams) -> None:
        """Begin with what the client says of itself."""
        self.client = Client.of(params)
        folders = params.workspace_folders or []
        root = to_fs_path(folders[0].uri if folders else params.root_uri or "")
        self.root = Path(root) if root else None
        options = params.initialization_options
        if isinstance(options, Mapping) and isinstance(options.get("settings"), Mapping):
            self._editor_settings[None] = options["settings"]
        if self.watches_parent and params.process_id:
            self.later(watch_parent(params.process_id, self.server.protocol.finished))

    def end(self) -> None:
        """Drop all work."""
        for task in self._later:
            task.cancel()
        for lane in self._lanes:
            lane.close()

    def later(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Do something beside the requests. A failure that nobody waits for is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._later.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._later.discard(task)
        error = None if task.cancelled() else task.exception()
        # What whoever asked for the work is told needs no line in the log.
        if error is not None and not isinstance(error, (EncodingUnavailable, Superseded)):
            log_failure("background work", error)

    # Documents

    def document(self, uri: str) -> Document:
        """The open document. Raises `JsonRpcInvalidParams` when it isn't open."""
        if document := self.documents.get(uri):
            return document
        raise JsonRpcInvalidParams("the document is not open")

    def open(self, document: Document) -> None:
        """Begin to follow a document."""
        self.documents[document.uri] = document
        self._work[document.uri] = _Work()
        if self.client.has_configuration:
            document.configured.clear()
            self.later(self._ask_for_settings(document))
        self.configure(document)

    def close(self, uri: str) -> None:
        """Forget a document."""
        if self.documents.pop(uri, None):
            self._work.pop(uri, None)
            self._editor_settings.pop(uri, None)
            self._overrides.pop(uri, None)
            for listener in self.on_close:
                listener(uri)

    def changed(self, document: Document) -> None:
        """Take note that a document's text or settings are others than before."""
        work = self._work[document.uri]
        work.counts = work.checked = work.outline = None
        # Edits that nobody wants counted must not pile up; to count anew is no more work than many.
        if work.live is None or len(document.edits) > _MOST_EDITS:
            work.live, work.is_built, document.edits = None, False, []
        for listener in self.on_change:
            listener(document)

    # Settings

    def configure(self, document: Document) -> None:
        """Work out a document's settings anew, and forget what was counted with the old ones."""
        editor = self._editor_settings.get(document.uri, self._editor_settings.get(None, {}))
        settings, bad = checked_settings(editor, "the editor", Settings())
        if document.folder:
            document.settings_stamp = stamp(document.folder)
            settings, bad_in_file = settings_in(document.folder, settings)
            bad = [*bad, *bad_in_file]
        if not self.client.is_trusted:
            settings = replace(settings, encodings={})
        override = self._overrides.get(document.uri, self._overrides.get(None))
        document.settings = _with_encoding(settings, override)
        document.changed += 1
        work = self._work[document.uri]
        work.live, work.is_built = None, False
        for problem in bad:
            self.say(str(problem), types.MessageType.Warning)
        self.changed(document)

    async def follow_settings_files(self) -> None:
        """Look now and then whether a settings file has changed, for clients that don't watch."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            outdated = [d for d in list(self.documents.values()) if await self._is_outdated(d)]
            for document in outdated:
                if self.documents.get(document.uri) is document:
                    self.configure(document)
            if outdated:
                self.refresh()

    async def _is_outdated(self, document: Document) -> bool:
        folder = document.folder
        if folder is None:
            return False
        return await self.checking.run(lambda: stamp(folder)) != document.settings_stamp

    def configure_all(self) -> None:
        """Work out the settings of every document anew and have the editor ask again."""
        self._said.clear()
        for document in self.documents.values():
            self.configure(document)
        self.refresh()

    def override(self, uri: str | None, name: str | None) -> str:
        """Count a document (or all, with None) with another encoding; its name is returned.

        `name` is an encoding, a model, or None to go back to the settings. Raises
        `JsonRpcInvalidParams` when it is neither.
        """
        document = self.document(uri) if uri else None
        settings = document.settings if document else Settings()
        try:
            if name is None:
                self._overrides.pop(uri, None)
            else:
                self._overrides[uri] = encoding_name(_with_encoding(settings, name))
            if document is None:
                self.configure_all()
                return self._overrides.get(None) or choose(settings).encoding.name
            self.configure(document)
            self.refresh()
            return choose(document.settings).encoding.name
        except EncodingUnavailable as error:
            raise JsonRpcInvalidParams(str(error)) from None

    def set_editor_settings(self, settings: Mapping[str, object]) -> None:
        """Take over settings that the editor sent for all documents."""
        self._editor_settings[None] = settings
        self.configure_all()

    def ask_for_all_settings(self) -> None:
        """Ask the editor for the settings of every document anew."""
        self._said.clear()

        async def ask() -> None:
            await asyncio.gather(*map(self._ask_for_settings, list(self.documents.values())))
            self.refresh()

        self.later(ask())

    async def _ask_for_settings(self, document: Document) -> None:
        """Ask the editor for a document's settings; the document waits for them, for a while."""
        item = types.ConfigurationItem(scope_uri=document.uri, section="promptls")
        waiting = asyncio.get_running_loop().call_later(_PATIENCE, document.configured.set)
        try:
            params = types.ConfigurationParams([item])
            answer = await self.server.workspace_configuration_async(params)
        except JsonRpcException:
            # A client that can't say is one without settings.
            answer = None
        finally:
            waiting.cancel()
            document.configured.set()
        settings = answer[0] if answer else None
        if isinstance(settings, Mapping) and self.documents.get(document.uri) is document:
            known = self._editor_settings.get(document.uri, self._editor_settings.get(None, {}))
            self._editor_settings[document.uri] = settings
            if settings != known:
                self.configure(document)

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

    # What is known of a document

    async def counts(self, document: Document) -> Counts | None:
        """The counts of a document as it is now; None when its encoding can't be had.

        When this returns, and until the caller awaits again, they are those of `document.text`.
        """
        return await self._current(document, self._counts)

    async def checked(self, document: Document) -> Checked | None:
        """The analysis and the findings of a document as it is now; None as for `counts`."""
        return await self._current(document, self._checked)

    async def derived(
        self, document: Document, derive: Callable[[Counts, Text], Result]
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

    async def outline(self, document: Document) -> list[Part] | None:
        """The outline of a document as it is now; None as for `counts`."""
        while (counts := await self.counts(document)) is not None:
            changed = document.changed
            try:
                parts = await asyncio.shield(self._outline(document, counts))
            except Superseded:
                continue
            if changed == document.changed:
                return parts
        return None

    async def line_counts(self, document: Document, first: int, stop: int) -> list[Amount] | None:
        """The counts of some lines, at once also where a large text isn't counted as a whole yet.

        None as for `counts`, which waits for the whole.
        """
        await document.configured.wait()
        is_open = self.documents.get(document.uri) is document
        if is_open:
            self._show(self._work[document.uri])
        if is_open and len(document.text) > LARGE and not self._work[document.uri].is_built:
            counts = await self._current(document, lambda d: self._count_lines(d, first, stop))
            self.later(self._count_soon(document))
            if counts is not None:
                return counts
        whole = await self.counts(document)
        return list(map(whole.amount, whole.lines(document.text, first, stop))) if whole else None

    def _show(self, work: _Work) -> None:
        """Let what is worked out for a document that somebody looks at go before other work."""
        if not work.is_shown:
            work.is_shown = True
            if work.counting:
                self.counting.hasten(work.counting)
                self.reading.hasten(work.counting)
            if work.checked:
                self.checking.hasten(work.checked)

    async def _count_soon(self, document: Document) -> None:
        """Begin to count a whole text once the answer about its visible lines is out."""
        await asyncio.sleep(_HEAD_START)
        if self.documents.get(document.uri) is document:
            self._counts(document)

    async def _current(
        self, document: Document, work: Callable[[Document], asyncio.Future[Result]]
    ) -> Result | None:
        """The result of work on a document's present state: again if that changed meanwhile."""
        await document.configured.wait()
        while self.documents.get(document.uri) is document:
            changed = document.changed
            try:
                result = await asyncio.shield(work(document))
            except Superseded:
                continue
            except EncodingUnavailable as error:
                # No counts are better than those of another encoding.
                if changed == document.changed:
                    self.say(str(error), types.MessageType.Error)
                    return None
                continue
            # What was worked out of a document that is closed by now is nothing to build on.
            if changed == document.changed and self.documents.get(document.uri) is document:
                return result
        return None

    def _counts(self, document: Document) -> asyncio.Future[Counts]:
        work = self._work[document.uri]
        if work.counts is None:
            work.counts = self.later(self._count(document, work, document.changed))
        return work.counts

    async def _count(self, document: Document, work: _Work, changed: int) -> Counts:
        async with work.turn:
            if changed != document.changed or self._work.get(document.uri) is not work:
                raise Superseded
            live = work.live = work.live or LiveCounts(
                document.path, document.language_id, document.settings
            )
            text, edits = document.text, document.edits
            document.edits = []
            lane = self._lane_for(live, text, work.is_built)
            if lane is self.building:
                counts = await self._build(live, document, work, edits)
            else:
                work.counting = lane.run(lambda: live.update(text, edits), work.is_shown)
                counts = await work.counting
            work.is_built = live is work.live
            return counts

    def _lane_for(self, live: LiveCounts, text: Text, is_built: bool) -> Lane:
        """The lane in which nobody has to wait long for a count, nor it for others."""
        if len(text) <= SHORT:
            return self.counting
        if live.format_of(text).verbatim and (is_built or len(text) <= LARGE):
            return self.counting
        return self.reading if len(text) <= LARGE else self.building

    async def _build(
        self, live: LiveCounts, document: Document, work: _Work, edits: list[TextEdit]
    ) -> Counts:
        """Count a large text as a whole, and show how far that is."""
        text = document.text

        def update(progress: Progress) -> Counts:
            def advance(done: int) -> None:
                if work.live is not live or self.documents.get(document.uri) is not document:
                    raise Superseded
                progress(done)

            return live.update(text, edits, advance)

        async with reporting(self, "Counting tokens", len(text)) as progress:
            return await self.building.run(lambda: update(progress))

    def _count_lines(
        self, document: Document, first: int, stop: int
    ) -> asyncio.Future[list[Amount] | None]:
        text = document.text
        live = LiveCounts(document.path, document.language_id, document.settings)
        return self.counting.run(lambda: live.count_lines(text, first, stop), first=True)

    def _outline(self, document: Document, counts: Counts) -> asyncio.Future[list[Part]]:
        work = self._work[document.uri]
        if work.outline is None:
            changed = document.changed

            def job() -> list[Part]:
                if document.changed != changed:
                    raise Superseded
                return outline(counts)

            work.outline = self.checking.run(job)
        return work.outline

    def _checked(self, document: Document) -> asyncio.Future[Checked]:
        work = self._work[document.uri]
        if work.checked is None:
            text, settings, changed = document.text, document.settings, document.changed
            path, language_id = document.path, document.language_id

            def job() -> Checked:
                if document.changed != changed:
                    raise Superseded
                analysis = analyse(str(text), path, settings, language_id)
                findings = check(analysis.context(lambda: document.changed != changed))
                return Checked(analysis, findings)

            work.checked = self.checking.run(job, work.is_shown)
        return work.checked


def _with_encoding(settings: Settings, name: str | None) -> Settings:
    return (
        settings
        if name is None
        else replace(settings, encoding=name, model=None, is_commanded=True)
    )

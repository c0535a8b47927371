"""Which settings each open document has: the editor's, those of settings files, and a command's.

Files are looked at and read on a thread of their own: one on a dead network drive would hold up
every document. Requests wait for a document's settings, but not for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.uris import from_fs_path

from ..reading.encodings import EncodingUnavailable
from ..reading.families import family_of
from ..reading.models import choose
from ..settings import Settings
from .documents import Document
from .editor import Editor
from .found import FoundSettings, find_settings, outdated
from .rows import Problem
from .scheduling import Pool, Tasks

# How long a document waits for the editor's word before those of settings files count alone, in
# seconds: a client can declare that it answers, and not do so. A late answer counts all the same.
_ANSWER_WITHIN = 5.0

# How long requests wait for a document's settings before they are told that there is no count.
_SETTLED_WITHIN = 20.0

UNSETTLED = EncodingUnavailable(
    "The settings of this prompt can't be read: their folder doesn't answer. Nothing is counted "
    "until it does",
    setting="",
)

# How often settings files are looked at, in seconds. A client's watcher tells of those in its
# folders at once, but not of one above them, and not every client has a watcher.
_LOOK_EVERY = 2.0


class Configuration:
    """The settings of a connection's documents. Used on the loop's thread alone."""

    def __init__(
        self,
        editor: Editor,
        documents: Mapping[str, Document],
        pool: Pool,
        tasks: Tasks,
        on_found: Callable[[Document, bool], object],
    ) -> None:
        """`on_found` is told of a document whose settings were found, and whether they are new."""
        self._editor = editor
        self._documents = documents
        self._pool = pool
        self._tasks = tasks
        self._on_found = on_found
        # What holds for all documents that have nothing of their own.
        self.editor_settings: Mapping[str, object] = {}
        self.override: str | None = None

    def follow(self, document: Document) -> None:
        """Find the settings of a document that is new."""
        document.tasks.start(self._begin(document, asks=True))

    def set_editor_settings(self, settings: Mapping[str, object]) -> None:
        """Take over settings that the editor sent for all documents."""
        self.editor_settings = settings
        self.renew(asks=False)

    def renew(self, asks: bool) -> None:
        """Find the settings of every document anew; with `asks`, those of the editor, too."""
        self._editor.say_again()
        prompts = self._prompts()
        self._tasks.start(self._all([self._begin(each, asks) for each in prompts]))

    async def set_encoding(self, document: Document | None, name: str | None) -> str:
        """Count a document (or all, with None) with another encoding; its name is returned.

        `name` is an encoding, a model, or None to go back to the settings. Raises
        `JsonRpcInvalidParams` when it is neither.
        """
        owner = document or self
        settings = document.settings if document else Settings()
        try:
            if name is None:
                owner.override = None
            else:
                choice = choose(with_encoding(settings, name))
                # A model that an encoding only stands in for stays what is asked for.
                owner.override = choice.model or choice.encoding.name
            chosen = [document] if document else self._prompts()
            await self._all([self._begin(each, asks=False) for each in chosen])
            if document:
                return choose(document.settings).encoding.name
            for_all = with_encoding(settings, self.override)
            return choose(for_all).encoding.name
        except EncodingUnavailable as error:
            raise JsonRpcInvalidParams(str(error)) from None

    async def follow_files(self) -> None:
        """Look now and then whether a file that settings come from has changed."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            found = {id(each.found): (each.folder, each.found) for each in self._prompts()}
            job = partial(outdated, list(found.values()), self._editor.client.is_trusted)
            old = {id(each) for _, each in await self._pool.run(job)}
            changed = [each for each in self._prompts() if id(each.found) in old]
            if changed:
                self._editor.say_again()
                await self._all([self._begin(each, asks=False) for each in changed])

    def _prompts(self) -> list[Document]:
        return [each for each in self._documents.values() if not each.is_settings_file]

    async def _all(self, work: Iterable[Coroutine[Any, Any, bool]]) -> None:
        """Find the settings of documents that have some, and have the editor ask anew."""
        if any(await asyncio.gather(*work)):
            self._editor.refresh()

    def _begin(self, document: Document, asks: bool) -> Coroutine[Any, Any, bool]:
        """Work that finds a document's settings; requests wait for it from now on."""
        document.configured.clear()
        document.asked += 1
        return self._find(document, document.asked, asks)

    async def _find(self, document: Document, number: int, asks: bool) -> bool:
        """Whether a document has other settings now."""
        loop = asyncio.get_running_loop()
        waiting = loop.call_later(_SETTLED_WITHIN, self._do_without, document)
        try:
            if asks and self._editor.client.has_configuration:
                document.editor_asked = number
                asking = document.tasks.start(self._ask(document, number))
                await asyncio.wait([asking], timeout=_ANSWER_WITHIN)
            own = document.editor_settings
            editor = self.editor_settings if own is None else own
            is_trusted = self._editor.client.is_trusted
            job = partial(find_settings, editor, document.folder, is_trusted)
            found = await self._pool.run(job)
            if number != document.asked or not document.is_open:
                return False
            return self._take(document, found)
        finally:
            waiting.cancel()
            if number == document.asked:
                document.configured.set()

    def _do_without(self, document: Document) -> None:
        """Let requests go on without a count: one under other settings could be wrong."""
        document.is_unsettled = True
        document.configured.set()

    async def _ask(self, document: Document, number: int) -> None:
        """Ask the editor for a document's settings. An answer that comes late counts, too."""
        item = types.ConfigurationItem(scope_uri=document.uri, section="promptls")
        try:
            params = types.ConfigurationParams([item])
            answer = await self._editor.ask(types.WORKSPACE_CONFIGURATION, params)
        except JsonRpcException:
            # A client that can't say is one without settings.
            return
        settings = answer[0] if answer else None
        if not isinstance(settings, Mapping) or number != document.editor_asked:
            return
        document.editor_settings = settings
        # Unless the work that asked still waits, and nothing was looked for meanwhile without this.
        if document.configured.is_set() or number != document.asked:
            await self._all([self._begin(document, asks=False)])

    def _take(self, document: Document, found: FoundSettings) -> bool:
        """Let a document have the settings that were found; whether they are others than before."""
        before = (document.settings, document.found.tokenizers)
        settings = found.settings
        if not self._editor.client.is_trusted:
            settings = replace(settings, encodings={})
        override = document.override or self.override
        document.is_overridden = override is not None
        document.found = found
        for problem in found.bad:
            self._editor.say(str(problem), types.MessageType.Warning)
        settings = with_encoding(settings, override)
        is_changed = document.is_unsettled or before != (settings, found.tokenizers)
        document.is_unsettled = False
        if is_changed:
            document.configure(settings)
        self._on_found(document, is_changed)
        return is_changed


def with_encoding(settings: Settings, name: str | None) -> Settings:
    """The settings with another encoding, or a model's; as they are for None.

    A model that is known but has no tokenizer here is asked for as a model, which is stood in for.
    """
    if name is None:
        return settings
    if name not in settings.encodings and family_of(name):
        return replace(settings, encoding=None, model=name, is_commanded=True)
    return replace(settings, encoding=name, model=None, is_commanded=True)


def problem_of(document: Document, error: EncodingUnavailable) -> Problem:
    """What keeps a document from being counted, for a client that offers to change it."""
    found = document.found
    needs_trust = error.value in found.settings.encodings.keys() - document.settings.encodings
    is_in_file = found.file and not document.is_overridden and found.sets(error.setting)
    return Problem(
        message=_waits_for_trust(error.value) if needs_trust else str(error),
        setting=error.setting,
        value=error.value,
        source=from_fs_path(str(found.file.path)) if found.file and is_in_file else None,
        needs_trust=needs_trust,
    )


def _waits_for_trust(name: str) -> str:
    return f"{name} is a tokenizer that a file of this workspace brings: trust it to count with it"

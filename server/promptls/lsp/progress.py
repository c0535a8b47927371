"""Progress of long work, shown by clients that can."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .editor import Editor
from .scheduling import Tasks

# Work that is done sooner than this shows no progress, in seconds.
_GRACE = 0.3


@asynccontextmanager
async def reporting(
    editor: Editor, tasks: Tasks, title: str, amount: int
) -> AsyncIterator[Callable[[int], object]]:
    """Gives a function that is told, from any thread, how much of `amount` is done."""
    if not editor.client.shows_progress:
        yield lambda _: None
        return
    loop = asyncio.get_running_loop()
    bar = _Bar(editor, title, amount)
    tasks.start(bar.begin())
    try:
        yield lambda done: loop.call_soon_threadsafe(bar.report, done)
    finally:
        bar.end()


class _Bar:
    """One progress bar of the client."""

    def __init__(self, editor: Editor, title: str, amount: int) -> None:
        self._editor = editor
        self._title = title
        self._amount = amount
        self._token = str(uuid.uuid4())
        self._is_shown = self._is_over = False
        self._percentage = 0

    async def begin(self) -> None:
        await asyncio.sleep(_GRACE)
        if self._is_over:
            return
        params = types.WorkDoneProgressCreateParams(self._token)
        try:
            await self._editor.ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        except JsonRpcException:
            return
        if not self._is_over:
            self._is_shown = True
            self._send(types.WorkDoneProgressBegin(self._title, percentage=self._percentage))

    def report(self, done: int) -> None:
        percentage = 100 * done // max(self._amount, 1)
        if percentage > self._percentage:
            self._percentage = percentage
            if self._is_shown and not self._is_over:
                self._send(types.WorkDoneProgressReport(percentage=percentage))

    def end(self) -> None:
        self._is_over = True
        if self._is_shown:
            self._send(types.WorkDoneProgressEnd())

    def _send(
        self,
        value: types.WorkDoneProgressBegin
        | types.WorkDoneProgressReport
        | types.WorkDoneProgressEnd,
    ) -> None:
        self._editor.notify(types.PROGRESS, types.ProgressParams(self._token, value))

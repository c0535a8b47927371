"""Where work runs: tasks on the loop, and pools of threads beside it, each for work of a length.

pygls's own pool also reads standard input, so a slow job there would hold up the next keystroke.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import Any, NamedTuple, TypeVar

from ..lint.context import Superseded
from ..reading.encodings import CANNOT_COUNT
from .protocol import log_failure

Result = TypeVar("Result")


class Tasks:
    """Work on the loop beside the requests, which ends with whoever owns it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._by_kind: dict[str, asyncio.Task[Any]] = {}

    def start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Do something. A failure that nobody waits for is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def restart(self, kind: str, work: Coroutine[Any, Any, object]) -> None:
        """Do something in place of what was begun before of the same kind."""
        if task := self._by_kind.get(kind):
            task.cancel()
        self._by_kind[kind] = self.start(work)

    def cancel(self) -> None:
        """End what runs."""
        for task in self._running:
            task.cancel()

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        # What whoever asked for the work is told needs no line in the log.
        if error is not None and not isinstance(error, (*CANNOT_COUNT, Superseded)):
            log_failure("background work", error)


class _Job(NamedTuple):
    work: Callable[[], Any]
    result: Future[Any]
    owner: str


class Pool:
    """Threads, by default one, that do their jobs in the order in which they were given.

    Jobs that somebody waits for go before all others. One that runs is not interrupted: what takes
    long has a pool of its own. A job begins when the pool `behind` has none, or soon after: both
    would compete for the processor.
    """

    LONGEST_YIELD = 0.1
    """How long a job waits for those of the pool that its own is behind, in seconds."""

    def __init__(self, name: str, threads: int = 1, behind: Pool | None = None) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"promptls-{name}")
        self._behind = behind
        self._is_idle = Event()
        self._is_idle.set()
        # A thread that is begun while others are busy keeps the loop waiting until it runs.
        self._executor.submit(int)
        self._waiting: deque[_Job] = deque()
        self._lock = Lock()

    def run(
        self, work: Callable[[], Result], owner: str = "", first: bool = False
    ) -> asyncio.Future[Result]:
        """Give a job; its result comes on the calling loop. Cancelling a waiting job drops it."""
        job = _Job(work, Future(), owner)
        with self._lock:
            self._is_idle.clear()
            if first:
                self._waiting.appendleft(job)
            else:
                self._waiting.append(job)
        # As many turns as jobs: each does the one that is then the first.
        self._executor.submit(self._do_first)
        return asyncio.wrap_future(job.result)

    def hasten(self, owner: str) -> None:
        """Let the jobs of an owner go before all others that wait."""
        with self._lock:
            # The sort is stable: their order among each other stays.
            self._waiting = deque(sorted(self._waiting, key=lambda job: job.owner != owner))

    def close(self) -> None:
        """Drop what waits; what runs is not waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _do_first(self) -> None:
        if self._behind:
            self._behind._is_idle.wait(self.LONGEST_YIELD)
        with self._lock:
            work, result, _ = self._waiting.popleft()
        if result.set_running_or_notify_cancel():
            try:
                result.set_result(work())
            except BaseException as error:  # noqa: BLE001 — whoever waits is told, whatever it is.
                result.set_exception(error)
        with self._lock:
            if not self._waiting:
                self._is_idle.set()


class Pools:
    """The threads of one connection; what takes long holds up only its like."""

    def __init__(self) -> None:
        self.counting = Pool("counting")
        """Counts that take a moment: of short texts, and of edits."""
        self.reading = Pool("reading", threads=2)
        """Counts of texts that are read as a whole."""
        self.building = Pool("building")
        """Counts of large texts as a whole, which take seconds."""
        self.checking = Pool("checking", behind=self.counting)
        """Findings, fixes and outlines."""
        self.comparing = Pool("comparing", threads=4)
        """What a request works out of the counts."""
        self.settings = Pool("settings")
        """Settings files: one on a dead network drive holds up no document that has its own."""

    def hasten(self, owner: str) -> None:
        """Let what is worked out for an owner go before other work."""
        for pool in vars(self).values():
            pool.hasten(owner)

    def close(self) -> None:
        """Drop what waits; what runs is not waited for."""
        for pool in vars(self).values():
            pool.close()

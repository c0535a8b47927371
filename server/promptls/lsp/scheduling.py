"""Where work runs: counting and checking each have a thread; the loop only keeps state.

pygls's own pool also reads standard input, so a slow job there would hold up the next keystroke.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def void(_: object) -> None:
    """Drop a value that a callback must not return."""


class Lane:
    """Threads, by default one, that do their jobs in the order in which they were given."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"promptls-{name}")

    def run(self, job: Callable[[], Result]) -> asyncio.Future[Result]:
        """Give a job; its result comes on the calling loop. Cancelling a waiting job drops it."""
        return asyncio.get_running_loop().run_in_executor(self._executor, job)

    def close(self) -> None:
        """Drop what waits; what runs is not waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)

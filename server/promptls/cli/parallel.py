"""Work on many files with every core, in their order, with few of them in memory at a time."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..reading.encodings import CANNOT_COUNT, load_encoding
from .inputs import Failure, Source
from .terminal import with_progress

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")

# Less work than this, in bytes, is done sooner by one process than others are started. A forked
# process has the encoding already; one that starts anew loads it for a few tenths of a second.
_WORTH_FORKING = 2_000_000
_WORTH_SPAWNING = 30_000_000

# What a worker is given at a time: large enough that handing it over costs nothing, small enough
# that the workers finish together.
_BATCH_BYTES = 500_000
_BATCH_FILES = 100


def map_sources(
    work: Callable[[Source], T], sources: Sequence[Source], what: str
) -> Iterator[T | Failure]:
    """The result of `work` for each source, in their order; a `Failure` for one that raises.

    `work` must be a function that another process can import, or a `partial` of one; `what` is
    what people call it.
    """
    return with_progress(_mapped(work, sources), len(sources), what)


def _mapped(work: Callable[[Source], T], sources: Sequence[Source]) -> Iterator[T | Failure]:
    work_safely = partial(_guarded, work)
    cores = _cores()
    size = sum(source.size for source in sources)
    forks = sys.platform == "linux"
    if cores == 1 or len(sources) == 1 or size < (_WORTH_FORKING if forks else _WORTH_SPAWNING):
        yield from map(work_safely, sources)
        return
    if forks:
        # What is loaded now, all workers have; most folders need one encoding.
        with suppress(LookupError, ValueError):
            load_encoding(sources[0].settings)
    pool = _pool(cores, forks)
    try:
        yield from _in_order(pool, partial(_work_on, work_safely), _batches(sources), 4 * cores)
    finally:
        pool.shutdown(cancel_futures=True)


def _guarded(work: Callable[[Source], T], source: Source) -> T | Failure:
    try:
        return work(source)
    except CANNOT_COUNT as error:
        return Failure(f"{source.name}: {error}")
    except Exception as error:  # noqa: BLE001 — a fault of ours must not lose the other files.
        # The error's own message may hold prompt text.
        kind = type(error).__name__
        return Failure(f"{source.name}: promptls failed with {kind}; please report this")


def _pool(cores: int, forks: bool) -> ProcessPoolExecutor:
    """Processes, since threads would wait for each other: half of the work is Python's own."""
    # Those who count one file need not wait for these.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Forking is safe here, since no thread has been started yet.
    context = multiprocessing.get_context("fork" if forks else "spawn")
    pool = ProcessPoolExecutor(cores, context, initializer=_ignore_interrupts)
    with _interrupts_held():
        # The first task starts the workers.
        pool.submit(int)
    return pool


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C back meanwhile: in the middle of a fork, Python can lose it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[list[Source]], list[T]],
    batches: Iterator[list[Source]],
    ahead: int,
) -> Iterator[T]:
    """The results of the batches, with at most `ahead` of them handed out or waiting."""
    waiting: deque[Future[list[T]]] = deque()
    for batch in batches:
        waiting.append(pool.submit(work, batch))
        if len(waiting) >= ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def _work_on(work: Callable[[Source], T], batch: list[Source]) -> list[T]:
    return list(map(work, batch))


def _batches(sources: Sequence[Source]) -> Iterator[list[Source]]:
    batch: list[Source] = []
    size = 0
    for source in sources:
        batch.append(source)
        size += source.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

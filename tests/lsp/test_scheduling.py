"""Pools: what somebody waits for goes first, and long work of one document holds up no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event

import pytest
from tests.lsp.wire import Wire, span

from promptls.lsp.scheduling import Pool

# Far longer than anything takes; a test that waits so long has failed.
LONG = 60


class Busy:
    """A pool whose thread is busy until `finish`, and the jobs that were done in it."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.done: list[str] = []
        self._finish = Event()
        begun = Event()

        def wait() -> None:
            begun.set()
            self._finish.wait(LONG)

        self.first = pool.run(wait)
        assert begun.wait(LONG)

    def give(self, name: str, first: bool = False) -> asyncio.Future[None]:
        return self.pool.run(lambda: self.done.append(name), name, first)

    async def finish(self, *jobs: asyncio.Future[None]) -> list[str]:
        self._finish.set()
        await asyncio.gather(self.first, *jobs)
        return self.done


def in_a_pool(check: Callable[[Busy], asyncio.Future[None] | object]) -> None:
    async def run() -> None:
        busy = Busy(Pool("test"))
        await check(busy)  # type: ignore[misc]
        busy.pool.close()

    asyncio.run(run())


def test_jobs_are_done_in_the_order_in_which_they_were_given() -> None:
    async def check(busy: Busy) -> None:
        assert await busy.finish(*map(busy.give, "abc")) == ["a", "b", "c"]

    in_a_pool(check)


def test_what_somebody_waits_for_goes_first() -> None:
    async def check(busy: Busy) -> None:
        jobs = busy.give("a"), busy.give("b"), busy.give("c", first=True)
        assert await busy.finish(*jobs) == ["c", "a", "b"]

    in_a_pool(check)


def test_a_job_can_be_hastened_while_it_waits() -> None:
    async def check(busy: Busy) -> None:
        jobs = busy.give("a"), busy.give("b"), busy.give("c")
        busy.pool.hasten("b")
        assert await busy.finish(*jobs) == ["b", "a", "c"]
        busy.pool.hasten("a")

    in_a_pool(check)


def test_a_cancelled_job_is_dropped() -> None:
    async def check(busy: Busy) -> None:
        jobs = busy.give("a"), busy.give("b")
        jobs[0].cancel()
        await asyncio.sleep(0)
        assert await busy.finish(jobs[1]) == ["b"]

    in_a_pool(check)


def test_the_error_of_a_job_comes_to_whoever_waits() -> None:
    async def check(busy: Busy) -> None:
        failing = busy.pool.run(lambda: 1 // 0)
        await busy.finish()
        with pytest.raises(ZeroDivisionError):
            await failing

    in_a_pool(check)


def test_a_pool_behind_another_begins_when_that_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptls.lsp.scheduling.Pool.LONGEST_YIELD", LONG)

    async def check(busy: Busy) -> None:
        behind = Pool("behind", behind=busy.pool)
        jobs = behind.run(lambda: busy.done.append("behind")), busy.give("a"), busy.give("b")
        assert await busy.finish(*jobs) == ["a", "b", "behind"]
        behind.close()

    in_a_pool(check)


def test_a_small_document_is_answered_before_a_long_one_that_came_earlier() -> None:
    long = "{% if a %}Say {{ b.c | d('e') }}.{% endif %}\n" * 2500
    with Wire() as wire:
        wire.start("vscode")
        wire.open("file:///workspace/long.j2", long)
        wire.open("file:///workspace/small.txt", "Say hello.\n")
        asked = []
        for name in ("long.j2", "small.txt"):
            uri = {"uri": f"file:///workspace/{name}"}
            params = {"textDocument": uri, "range": span((0, 0), (9, 0))}
            asked.append(wire.ask("textDocument/inlayHint", params))
        for each in asked:
            wire.response(each)
        answered = [m["id"] for m in wire.messages if m.get("id") in asked and "method" not in m]
        assert answered == asked[::-1]

"""An edit in a long run without a safe cut is counted where it holds up no other document."""

from __future__ import annotations

from threading import Event

import pytest
from tests.lsp.connection import URI, Connection
from tests.lsp.expected import count

from promptls.lsp.documents import LARGE

OTHER = "file:///workspace/b.txt"
# Far longer than anything takes; a test that waits so long has failed.
LONG = 60


async def opened(text: str) -> Connection:
    """A connection with a document that is counted, and another one."""
    connection = Connection()
    connection.start()
    connection.open(text)
    connection.open("other words", OTHER)
    await connection.settings_arrive()
    assert (await connection.command("countTokens", URI))["tokens"] == count(text)
    return connection


@pytest.mark.parametrize("run", ["a", "字", "7", " "])
@pytest.mark.parametrize("length", [LARGE // 2, LARGE + 1])
async def test_an_edit_in_a_long_run_holds_up_no_other_document(run: str, length: int) -> None:
    connection = await opened(text := run * length)
    session, may_end = connection.session, Event()
    pool, threads = (session.pools.building, 1) if length > LARGE else (session.pools.reading, 2)
    busy = [pool.run(lambda: may_end.wait(LONG)) for _ in range(threads)]
    await connection.until(lambda: not pool._waiting)
    connection.type(run, 2)
    asked = connection.ask_command("countTokens", URI)
    # The edit waits in the pool of what takes long, where a test keeps it; the others go on.
    await connection.until(lambda: pool._waiting)
    assert (await connection.command("countTokens", OTHER))["tokens"] == 2
    connection.type(run, 2, OTHER)
    assert (await connection.command("countTokens", OTHER))["tokens"] == count(f"{run}other words")
    # What is typed meanwhile is counted after it, in its order.
    connection.type("b\n", 3)
    assert pool._waiting
    may_end.set()
    assert all([await each for each in busy])
    counted = (await connection.response(asked))["result"]
    assert counted["tokens"] == count(f"b\n{run}{text}")


async def test_a_long_text_that_is_pasted_is_counted_there_too() -> None:
    connection = await opened(text := "some words\n" * 1000)
    session, may_end = connection.session, Event()
    busy = session.pools.building.run(lambda: may_end.wait(LONG))
    await connection.until(lambda: not session.pools.building._waiting)
    connection.type(more := "more words\n" * (LARGE // 10), 2)
    connection.type("and ", 3)
    asked = connection.ask_command("countTokens", URI)
    await connection.until(lambda: session.pools.building._waiting)
    may_end.set()
    assert await busy
    counted = (await connection.response(asked))["result"]
    assert counted["tokens"] == count(f"and {more}{text}")


async def test_an_edit_of_a_long_text_with_safe_cuts_is_counted_at_once() -> None:
    connection = await opened(text := "some words\n" * LARGE)
    may_end = Event()
    session = connection.session
    busy = [session.pools.building.run(lambda: may_end.wait(LONG))]
    busy += [session.pools.reading.run(lambda: may_end.wait(LONG)) for _ in range(2)]
    connection.type("more ", 2)
    counted = await connection.command("countTokens", URI)
    assert counted["tokens"] == count(f"more {text}")
    may_end.set()
    assert all([await each for each in busy])

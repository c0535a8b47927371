"""Messages in and out: a thread that reads, a loop that handles, a stream that is written to."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

logger = logging.getLogger(__name__)

# The body of a message, or None for one that is not JSON.
Receive = Callable[[object], object]

# How often the server looks whether the process that started it still lives, in seconds.
_PARENT_CHECK = 5.0

# How long a client over TCP may take for its first words before another gets its turn, in seconds.
_GREETING = 10.0


def stdio() -> tuple[BinaryIO, BinaryIO]:
    """The streams of the protocol. Whatever else is printed goes to standard error from now on."""
    # A copy of the descriptor keeps the protocol's stream safe from prints of any library.
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sys.stdin.buffer, outgoing


def tcp(host: str, port: int, announce: Callable[[str, int], None]) -> tuple[BinaryIO, BinaryIO]:
    """Wait for one client at an address; raises OSError when it can't be listened on.

    Whoever says something else first is sent away: any web page can speak HTTP to this address.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.create_server(address, family=family) as listener:
        announce(*listener.getsockname()[:2])
        connection, _ = listener.accept()
        while not _begins_with_a_header(connection):
            logger.warning("refused a connection that doesn't speak the protocol")
            connection.close()
            connection, _ = listener.accept()
    # Small messages back and forth: waiting to fill a packet would delay each answer.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection.makefile("rb"), connection.makefile("wb")


def _begins_with_a_header(connection: socket.socket) -> bool:
    """Whether the first line is a header of the protocol, which is looked at and left unread."""
    # Both headers that there are begin so: Content-Length and Content-Type.
    wanted = b"content-"
    until = time.monotonic() + _GREETING
    connection.settimeout(_GREETING)
    try:
        # What has come is there at once, however little it is; the end is nothing.
        while head := connection.recv(len(wanted), socket.MSG_PEEK).lower():
            if head == wanted or not wanted.startswith(head) or time.monotonic() > until:
                break
            time.sleep(0.01)
        connection.settimeout(None)
    except OSError:
        return False
    return head == wanted


def read_messages(stream: BinaryIO, receive: Receive) -> None:
    """Hand on each message of a stream until it ends. A header that is not one is skipped."""
    while (length := _read_header(stream)) is not None:
        body = stream.read(length)
        if len(body) < length:
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            message = None
        receive(message)


def _read_header(stream: BinaryIO) -> int | None:
    """The length in bytes of the next body, or None at the end of the stream."""
    length: int | None = None
    while line := stream.readline():
        if line in (b"\r\n", b"\n"):
            if length is not None:
                return length
            continue
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    return None


async def serve_streams(incoming: BinaryIO, receive: Receive, finished: asyncio.Future[int]) -> int:
    """Handle messages on this loop until `finished` has the exit code or the stream ends.

    The stream's end without an `exit` notification is exit code 1.
    """
    loop = asyncio.get_running_loop()

    def finish() -> None:
        if not finished.done():
            finished.set_result(1)

    def read() -> None:
        # A length that no memory holds ends the stream, too: what follows it can't be found. And
        # the loop is closed when the server ended before its client did.
        with contextlib.suppress(OSError, ValueError, OverflowError, MemoryError, RuntimeError):
            read_messages(incoming, lambda message: loop.call_soon_threadsafe(receive, message))
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(finish)

    # A daemon, since a read of standard input can't be interrupted when the server ends.
    threading.Thread(target=read, name="promptls-reader", daemon=True).start()
    return await finished


async def watch_parent(process_id: int, finished: asyncio.Future[int]) -> None:
    """End the server when the process that started it has gone without closing its streams."""
    while not finished.done():
        await asyncio.sleep(_PARENT_CHECK)
        if not is_alive(process_id) and not finished.done():
            finished.set_result(1)


def is_alive(process_id: int) -> bool:
    """Whether a process exists. True where that can't be known."""
    if sys.platform == "win32":
        return _is_alive_on_windows(process_id)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_alive_on_windows(process_id: int) -> bool:
    import ctypes

    synchronize, timeout = 0x00100000, 0x102
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, process_id)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timeout)
    finally:
        kernel.CloseHandle(handle)

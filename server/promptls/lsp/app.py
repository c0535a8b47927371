"""The language server, put together and started."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from typing import Any, BinaryIO

from pygls.lsp.server import LanguageServer

from .. import __version__
from ..lint.context import Superseded
from ..reading.encodings import CANNOT_COUNT
from . import transport
from .handlers import COMMANDS, HANDLERS, LISTENERS, bound
from .protocol import Protocol, log_failure
from .session import Session

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """One connection's server; `session` has its state."""

    protocol: Protocol
    session: Session

    def __init__(self) -> None:
        super().__init__("promptls", __version__, protocol_cls=Protocol)
        self.session = Session(self.protocol, LISTENERS)
        for handler in HANDLERS:
            self.feature(handler.method, handler.options)(bound(handler, self.session))
        for command in COMMANDS:
            self.command(command.method)(bound(command, self.session))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """pygls would show each error in a pop-up; the protocol logs what may be logged."""


def serve(tcp: bool = False, host: str = "127.0.0.1", port: int = 0) -> int:
    """Run the server until its client ends it; the exit code is 0 after a proper shutdown.

    Over standard input and output, or over TCP for one client. Raises OSError when the address
    can't be listened on.
    """
    configure_logging()
    if tcp:
        incoming, outgoing = transport.tcp(host, port, _announce)
    else:
        incoming, outgoing = transport.stdio()
    # The vocabulary loads while the editor and the server introduce themselves.
    threading.Thread(target=_load, name="promptls-loading", daemon=True).start()
    try:
        code = asyncio.run(run(incoming, outgoing, watches_parent=not tcp))
    except KeyboardInterrupt:
        code = 130
    _leave(code)
    return code


async def run(incoming: BinaryIO, outgoing: BinaryIO, watches_parent: bool = False) -> int:
    """Serve one connection on this loop; returns the exit code."""
    asyncio.get_running_loop().set_exception_handler(_log_exception)
    # Counting threads must give way to the loop sooner than after the default of 5 ms.
    sys.setswitchinterval(0.001)
    server = Server()
    server.protocol.outgoing = outgoing
    server.protocol.finished = finished = asyncio.get_running_loop().create_future()
    server.session.finished = finished if watches_parent else None
    try:
        return await transport.serve_streams(incoming, server.protocol.receive, finished)
    finally:
        server.session.end()


def configure_logging() -> None:
    """Send promptls's own log to standard error; keep pygls, which logs whole messages, silent."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("promptls")
    root.addHandler(handler)
    root.propagate = False
    wanted = os.environ.get("PROMPTLS_LOG") or "WARNING"
    try:
        root.setLevel(wanted.upper())
    except ValueError:
        root.setLevel(logging.WARNING)
        logger.warning("PROMPTLS_LOG is %a; use DEBUG, INFO, WARNING or ERROR", wanted)


def _announce(host: str, port: int) -> None:
    logger.warning("listening on %s:%d", f"[{host}]" if ":" in host else host, port)


def _log_exception(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log without the error's message, which can hold prompt text, what asyncio would log with it.

    Work that was given up, and that nobody waits for any more, is no failure.
    """
    error = context.get("exception")
    if error and not isinstance(error, (*CANNOT_COUNT, Superseded)):
        log_failure("a callback", error)
    elif not error:
        logger.error("%s", context.get("message"))


def _load() -> None:
    """Load what the first document will need."""
    from subword import get_encoding

    from ..formats import all_formats
    from ..settings import DEFAULT_ENCODING

    # The table of lengths is made when it is first asked for, which a first hint would wait for.
    get_encoding(DEFAULT_ENCODING).token_lengths  # noqa: B018
    all_formats()


def _leave(code: int) -> None:
    """End the process now: a thread that counts a large text would hold it up."""
    sys.stderr.flush()
    os._exit(code)

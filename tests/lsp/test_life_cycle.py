"""How the server begins and ends, as the specification has it."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from lsprotocol.types import ErrorCodes
from tests.lsp.wire import Wire, initialize_params

URI = "file:///workspace/a.txt"


def test_shutdown_then_exit_ends_with_0(wire: Wire) -> None:
    wire.start()
    assert wire.stop() == 0


def test_exit_without_shutdown_ends_with_1(wire: Wire) -> None:
    wire.start()
    wire.notify("exit")
    assert wire.exit_code() == 1


def test_exit_before_initialize_ends_with_1(wire: Wire) -> None:
    wire.notify("exit")
    assert wire.exit_code() == 1


def test_end_of_input_ends_the_server(wire: Wire) -> None:
    wire.start()
    assert wire.process.stdin
    wire.process.stdin.close()
    assert wire.exit_code() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process group")
def test_the_server_ends_with_its_parent() -> None:
    # The parent is the process that the client names; the pipes stay open here.
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Wire() as wire:
        wire.request("initialize", initialize_params("vscode") | {"processId": parent.pid})
        wire.notify("initialized", {})
        parent.send_signal(signal.SIGKILL)
        parent.communicate()
        assert wire.exit_code() == 1


def test_before_initialize_requests_are_refused_and_notifications_dropped(wire: Wire) -> None:
    code, _ = wire.error("textDocument/hover", {"textDocument": {"uri": URI}})
    assert code == ErrorCodes.ServerNotInitialized
    wire.open(URI, "some words")
    wire.start()
    code, message = wire.error("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert (code, message) == (ErrorCodes.InvalidParams, "the document is not open")


def test_after_shutdown_requests_are_refused(wire: Wire) -> None:
    wire.start()
    wire.request("shutdown")
    code, _ = wire.error("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert code == ErrorCodes.InvalidRequest
    code, _ = wire.error("shutdown")
    assert code == ErrorCodes.InvalidRequest
    wire.notify("exit")
    assert wire.exit_code() == 0

"""What the server answers to requests, and to what is no request, as the specification has it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
from lsprotocol.types import ErrorCodes, LSPErrorCodes
from tests.lsp.wire import EVERYTHING, Wire, command, initialize_params, span

SECRET = "Mein geheimes Rezept: 漢字 <|endoftext|> "
URI = "file:///workspace/secret.txt"

DOCUMENT = {"uri": URI}
CODE_ACTION = {"textDocument": DOCUMENT, "range": EVERYTHING, "context": {"diagnostics": []}}


@pytest.fixture(scope="module")
def lasting() -> Iterator[Wire]:
    """A server that has been started, and that goes on whatever it is told."""
    with Wire() as wire:
        wire.start()
        wire.open(URI, SECRET)
        yield wire
        assert wire.stop() == 0
        assert "ERROR" not in wire.log
        assert SECRET[:12] not in wire.log


def test_a_second_initialize_is_refused(lasting: Wire) -> None:
    code, _ = lasting.error("initialize", initialize_params("vscode"))
    assert code == ErrorCodes.InvalidRequest


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/unheardOf", {}, ErrorCodes.MethodNotFound),
        ("textDocument/unheardOf", None, ErrorCodes.MethodNotFound),
        ("textDocument/unheardOf", ..., ErrorCodes.MethodNotFound),
        ("textDocument/didOpen", ..., ErrorCodes.InvalidParams),
        ("$/unheardOf", {}, ErrorCodes.MethodNotFound),
        ("textDocument/hover", {"textDocument": 7, "position": SECRET}, ErrorCodes.InvalidParams),
        ("textDocument/hover", None, ErrorCodes.InvalidParams),
        ("textDocument/hover", ..., ErrorCodes.InvalidParams),
        ("textDocument/hover", [1, 2], ErrorCodes.InvalidParams),
        ("textDocument/inlayHint", {"textDocument": DOCUMENT}, ErrorCodes.InvalidParams),
        (*command("no"), ErrorCodes.InvalidParams),
        ("workspace/executeCommand", {"command": "promptls.tokens"}, ErrorCodes.InvalidParams),
        (*command("tokens", URI, SECRET), ErrorCodes.InvalidParams),
        (*command("setEncoding", URI, "o300k"), ErrorCodes.InvalidParams),
        (*command("setEncoding", URI, 7), ErrorCodes.InvalidParams),
    ],
)
def test_a_request_that_fails_has_one_error(
    lasting: Wire, method: str, params: object, code: int
) -> None:
    id_ = lasting.ask(method, params)
    response = lasting.response(id_)
    assert response["error"]["code"] == code
    assert "data" not in response["error"]
    # The server goes on, and says nothing more to that request.
    assert lasting.command("countTokens", URI)["tokens"] > 0
    assert len(lasting.responses(id_)) == 1
    assert SECRET[:12] not in json.dumps(response) + lasting.log


@pytest.mark.parametrize(
    ("body", "code", "id_"),
    [
        (b"{not json", ErrorCodes.ParseError, None),
        (b"[]", ErrorCodes.InvalidRequest, None),
        (b'"text"', ErrorCodes.InvalidRequest, None),
        (b"\xff\xfe", ErrorCodes.ParseError, None),
        (b"[" * 200_000, ErrorCodes.ParseError, None),
        (b'{"id": 5, "method": "shutdown"}', ErrorCodes.InvalidRequest, 5),
        (b'{"jsonrpc": "2.0", "id": [5], "method": "shutdown"}', ErrorCodes.InvalidRequest, None),
    ],
)
def test_what_is_not_a_message_is_answered_and_survived(
    lasting: Wire, body: bytes, code: int, id_: object
) -> None:
    before = len(lasting.messages)
    lasting.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    message = lasting.wait_for(lambda m: "error" in m, before)
    assert message["error"]["code"] == code
    assert message["id"] == id_


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "textDocument/unheardOf"},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 7},
        {"jsonrpc": "2.0", "id": 99, "result": None},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": ""}},
        {"id": 99, "result": None},
    ],
)
def test_a_notification_and_a_response_are_never_answered(lasting: Wire, message: object) -> None:
    before = len(lasting.messages)
    lasting.send(message)
    lasting.command("countTokens", URI)
    assert [m for m in lasting.messages[before:] if "error" in m] == []


NASTY_POSITIONS = [
    {"line": 0, "character": 0},
    {"line": 2**31 - 1, "character": 2**31 - 1},
    {"line": -1, "character": 0},
    {"line": 0, "character": -7},
    {"line": 2**70, "character": 2**70},
    {"line": 1.5, "character": 0},
    {"line": True, "character": False},
    {"line": None},
    "0:0",
]
NASTY: list[Any] = [
    *(None, True, -1, 2**70, 1.5, "", "x", [], [[]], {}, {"uri": URI}, {"uri": [], "line": {}})
]


COMMANDS = ("countTokens", "compareEncodings", "tokens", "setEncoding", "encodings")


def _nasty_requests() -> Iterator[tuple[str, object]]:
    for place in NASTY_POSITIONS:
        span_ = {"start": place, "end": place}
        yield "textDocument/hover", {"textDocument": DOCUMENT, "position": place}
        yield "textDocument/inlayHint", {"textDocument": DOCUMENT, "range": span_}
        yield "textDocument/semanticTokens/range", {"textDocument": DOCUMENT, "range": span_}
        yield "textDocument/selectionRange", {"textDocument": DOCUMENT, "positions": [place, place]}
        yield "textDocument/codeAction", {**CODE_ACTION, "range": span_}
        for name in ("countTokens", "compareEncodings", "tokens"):
            ranges = [span_] if name == "countTokens" else span_
            yield name, [URI, ranges]
    for value in NASTY:
        yield "inlayHint/resolve", {"position": NASTY_POSITIONS[0], "label": "3", "data": value}
        for line in (*NASTY, 5):
            data = {"uri": URI, "line": line}
            yield "inlayHint/resolve", {"position": NASTY_POSITIONS[0], "label": "3", "data": data}
        for name in COMMANDS:
            yield from ((name, each) for each in ([value], [URI, value], [value, value], value))


def test_no_params_are_an_internal_error(lasting: Wire) -> None:
    asked = {}
    for name, params in _nasty_requests():
        if name in COMMANDS:
            params = {"command": f"promptls.{name}", "arguments": params}
            name = "workspace/executeCommand"
        asked[lasting.ask(name, params)] = (name, params)
    for id_, what in asked.items():
        response = lasting.response(id_)
        code = response.get("error", {}).get("code", ErrorCodes.InvalidParams)
        assert code == ErrorCodes.InvalidParams, (what, response)


def test_a_message_of_no_known_kind_has_null_for_its_id(lasting: Wire) -> None:
    for body in ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, {"jsonrpc": "1.0"}, {}):
        before = len(lasting.messages)
        lasting.send(body)
        message = lasting.wait_for(lambda m: "error" in m, before)
        assert message["id"] is None
        assert message["error"]["code"] == ErrorCodes.InvalidRequest


def test_headers_may_come_in_any_case_and_order(lasting: Wire) -> None:
    params = {"command": "promptls.encodings"}
    message = {"id": "77", "method": "workspace/executeCommand", "params": params}
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    header = (
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: %d\r\n\r\n"
    )
    lasting.send_bytes(header % len(body) + body)
    assert lasting.response("77")["result"]


def test_a_cancelled_request_has_one_response(lasting: Wire) -> None:
    uri = "file:///workspace/cancelled.txt"
    lasting.open(uri, SECRET * 20_000)
    for _ in range(20):
        id_ = lasting.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        lasting.notify("$/cancelRequest", {"id": id_})
        response = lasting.response(id_)
        assert "result" in response or response["error"]["code"] == LSPErrorCodes.RequestCancelled
        assert len(lasting.responses(id_)) == 1
    lasting.notify("$/cancelRequest", {"id": 9_999_999})


def test_no_prompt_text_in_log_errors_or_messages(wire: Wire) -> None:
    wire.start()
    wire.open(URI, SECRET)
    bad = {"range": {"start": SECRET, "end": SECRET}, "text": SECRET}
    wire.change(URI, 2, bad)
    wire.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "oops": SECRET})
    wire.notify(f"$/{SECRET}", {"text": SECRET})
    for _ in range(2):
        wire.ask_of(URI, "inlayHint", range=EVERYTHING)
        wire.ask_of(URI, "diagnostic")
    assert wire.stop() == 0
    shown = [m for m in wire.messages if m.get("method", "").startswith("window/")]
    assert SECRET[:12] not in wire.log + json.dumps(shown, ensure_ascii=False)


def test_the_server_does_not_spin_when_idle(lasting: Wire) -> None:
    lasting.ask_of(URI, "diagnostic")
    if not os.path.exists(f"/proc/{lasting.process.pid}/stat"):  # noqa: PTH110
        pytest.skip("reads the processor time from /proc")

    def ticks() -> int:
        with open(f"/proc/{lasting.process.pid}/stat") as stat:  # noqa: PTH123
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    # What was asked for may take a while; a server that spins never comes to rest.
    for _ in range(200):
        before = ticks()
        time.sleep(0.5)
        if ticks() - before <= 0.05 * os.sysconf("SC_CLK_TCK"):
            return
    raise AssertionError("the server is never idle")


def test_work_that_is_given_up_is_no_error_in_the_log(wire: Wire) -> None:
    wire.start()
    wire.open(URI, SECRET * 20_000)
    for version in range(2, 12):
        id_ = wire.ask("textDocument/codeAction", CODE_ACTION)
        time.sleep(0.02)
        wire.notify("$/cancelRequest", {"id": id_})
        wire.change(URI, version, {"range": span((0, 0), (0, 0)), "text": "x"})
        wire.response(id_)
    assert wire.stop() == 0
    assert wire.log == ""

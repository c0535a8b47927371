"""JSON-RPC as the specification has it, where pygls takes short cuts.

Each request gets exactly one response, also an unreadable one, one before `initialize` and one
after `shutdown`. Errors and logs never hold prompt text. Documents are kept by the session, not
by pygls, whose lines end at characters at which no editor ends a line.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from concurrent.futures import Future
from typing import Any, BinaryIO, TypeGuard

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

# How deep what is answered may be nested. JSON is written, and read by clients, with the stack,
# which holds no more than some hundreds.
DEEPEST = 50

logger = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """The protocol of one connection."""

    finished: asyncio.Future[int]
    """Gets the exit code when the client says `exit`."""
    outgoing: BinaryIO

    _was_initialized = False
    _shutdown = False

    def receive(self, message: object) -> None:
        """Handle one message from the client, as JSON."""
        if message is None:
            self._refuse(None, JsonRpcParseError("not JSON"))
        elif not _is_message(message):
            self._refuse(message, JsonRpcInvalidRequest("not a JSON-RPC 2.0 message"))
        elif refusal := self._state_refusal(message) or self._method_refusal(message):
            self._refuse(message, refusal)
        else:
            self._structure_and_handle(message)

    def _structure_and_handle(self, message: dict[str, Any]) -> None:
        try:
            structured = self.structure_message(message)
        except JsonRpcException:
            # pygls chains the error that holds the values; nothing of it is passed on.
            self._refuse(message, JsonRpcInvalidParams(f"invalid params of {_method(message)}"))
            return
        self._was_initialized |= message.get("method") == types.INITIALIZE
        self.handle_message(structured)

    def _state_refusal(self, message: dict[str, Any]) -> JsonRpcException | None:
        """Why a message can't be handled now, by the life cycle in the specification."""
        method = message.get("method")
        if method is None or method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        if method == types.INITIALIZE and self._was_initialized:
            return JsonRpcInvalidRequest("the server is already initialized")
        if method != types.INITIALIZE and not self._was_initialized:
            return JsonRpcServerNotInitialized("the server is not initialized")
        return None

    def _method_refusal(self, message: dict[str, Any]) -> JsonRpcException | None:
        """Why a request's method can't be handled, whatever its params are."""
        method = message.get("method")
        if method is None or message.get("id") is None:
            return None
        known = method in self.fm.builtin_features or method in self.fm.features
        return None if known else JsonRpcMethodNotFound(f"unknown method {method}")

    def _refuse(self, message: object, error: JsonRpcException) -> None:
        """Answer a message with an error; a notification or a response has no answer.

        Where no id can be told it is null, which the specification asks for.
        """
        id_ = message.get("id") if isinstance(message, dict) else None
        if isinstance(message, dict) and _needs_no_answer(message):
            logger.warning("dropped a message: %s", error.message)
            return
        id_ = id_ if _is_id(id_) else None
        content = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": id_, "error": content})

    def _get_handler(self, feature_name: str) -> Any:
        # Requests of unknown methods were refused; this is for notifications, which pygls drops.
        if (handler := self.fm.builtin_features.get(feature_name)) is not None:
            return handler
        if (handler := self.fm.features.get(feature_name)) is not None:
            return handler
        raise JsonRpcMethodNotFound(f"unknown method {feature_name}")

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        """Send what a handler returned, or an error that says no more than the server means to."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            error = types.ResponseError(types.LSPErrorCodes.RequestCancelled, "cancelled")
            self._send_response(msg_id, error=error)
            return
        exception = future.exception()
        if exception is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(exception, JsonRpcException):
            error = types.ResponseError(exception.code, exception.message)
            self._send_response(msg_id, error=error)
        else:
            log_failure("a request", exception)
            text = f"internal error ({type(exception).__name__}); the server's log says where"
            error = types.ResponseError(types.ErrorCodes.InternalError, text)
            self._send_response(msg_id, error=error)

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and (exception := future.exception()) is not None:
            log_failure("a notification", exception)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        if future := self._request_futures.get(msg_id):
            # The callback of the future sends the one response and forgets the request.
            future.cancel()

    def _send_data(self, data: Any) -> None:
        body = json.dumps(data, default=self._serialize_message, separators=(",", ":")).encode()
        try:
            self.outgoing.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self.outgoing.flush()
        except (OSError, ValueError):
            # The client is gone; there is nobody to tell.
            if not self.finished.done():
                self.finished.set_result(1)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        if not self.finished.done():
            self.finished.set_result(0 if self._shutdown else 1)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: Any
    ) -> Any:
        # pygls would convert the arguments by their annotations, which fails on Python 3.10; and
        # it would neither cancel a command nor ever forget its result.
        if (handler := self.fm.commands.get(params.command)) is None:
            raise JsonRpcInvalidParams(f"unknown command {params.command}")
        return await handler(tuple(params.arguments or ()))

    # pygls would keep a second copy of each document in these; the session's handlers, which
    # features/synchronization.py registers, are called directly.

    def _forward(self, method: str, params: Any) -> Any:
        if handler := self.fm.features.get(method):
            return handler(params)
        return None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: Any) -> Any:
        self._forward(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: Any) -> Any:
        self._forward(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: Any) -> Any:
        self._forward(types.TEXT_DOCUMENT_DID_CLOSE, params)


def log_failure(what: str, exception: BaseException) -> None:
    """Log where something failed, without the error's message, which can hold prompt text."""
    frames = traceback.extract_tb(exception.__traceback__)
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-4:]))
    logger.error("%s failed: %s at %s", what, type(exception).__name__, where)


def _is_message(message: object) -> TypeGuard[dict[str, Any]]:
    if not isinstance(message, dict) or message.get("jsonrpc") != Protocol.VERSION:
        return False
    return isinstance(message.get("method", ""), str) and _is_id(message.get("id", 0))


def _is_id(value: object) -> bool:
    return value is None or (isinstance(value, (int, str)) and not isinstance(value, bool))


def _needs_no_answer(message: dict[str, Any]) -> bool:
    """Whether a message is a response or, as far as can be told, a notification."""
    if "method" not in message:
        return "result" in message or "error" in message
    return _is_message(message) and message.get("id") is None


def _method(message: dict[str, Any]) -> str:
    method = message.get("method")
    return method if isinstance(method, str) else "the message"

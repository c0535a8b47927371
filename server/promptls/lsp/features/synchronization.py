"""`textDocument/didOpen`, `didChange`, `didClose`, and the life cycle of a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ...text import Text
from ..documents import Document

if TYPE_CHECKING:
    from ..app import Server


def register(server: Server) -> None:
    session = server.session

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        session.start(params)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        session.open(Document(item.uri, item.language_id, item.version, Text(item.text)))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = session.documents.get(params.text_document.uri)
        if document is None:
            return
        encoding = session.client.position_encoding
        document.change(params.text_document.version, params.content_changes, encoding)
        session.changed(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)

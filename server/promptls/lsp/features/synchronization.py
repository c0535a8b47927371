"""`textDocument/didOpen`, `didChange`, `didClose`, and the beginning of a connection."""

from __future__ import annotations

from lsprotocol import types

from ...text import Text
from ..documents import Document
from ..session import Session


def initialize(session: Session, params: types.InitializeParams) -> None:
    session.start(params)


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    session.open(Document(item.uri, item.language_id, item.version, Text(item.text)))


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    if document := session.documents.get(params.text_document.uri):
        encoding = session.client.position_encoding
        document.edit(params.text_document.version, params.content_changes, encoding)
        session.did_change(document)


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    session.close(params.text_document.uri)

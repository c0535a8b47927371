"""`workspace/executeCommand`: counts, comparisons and tokens, as the command line's json."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.protocol import default_converter

from subword import list_encodings
from subword.encodings import VOCABULARY_SIZES, known_models

from ...counts import Counts, PlacedToken
from ...encodings import EncodingUnavailable, load_encoding
from ...reports.json import ComparisonRow, beside_rows, comparison_row, uncounted_rows
from ...text import PositionEncoding, Text
from ..documents import Document, to_span

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Session

_CONVERTER = default_converter()  # type: ignore[no-untyped-call]


def register(server: Server) -> None:
    session = server.session

    @server.command("promptls.countTokens")
    async def count_tokens(*arguments: Any) -> dict[str, Any]:
        document = _document(session, arguments)
        ranges = _structured(arguments, 1, list[types.Range]) or []
        counts = await _counts(session, document)
        encoding = session.client.position_encoding
        spans = [
            (document.offset(r.start, encoding), document.offset(r.end, encoding)) for r in ranges
        ]
        answer, text, settings = _count(document, counts), document.text, document.settings

        def more() -> dict[str, Any]:
            return {
                "raw_tokens": counts.raw(text),
                "ranges": [{"tokens": counts.selection(*span)} for span in spans],
                **beside_rows(*counts.beside(settings)),
            }

        return answer | await session.comparing.run(more)

    @server.command("promptls.compareEncodings")
    async def compare_encodings(*arguments: Any) -> dict[str, Any]:
        document = _document(session, arguments)
        range_ = _structured(arguments, 1, types.Range)
        counts = await _counts(session, document)
        encoding = session.client.position_encoding
        start, end = to_span(document.text, range_, encoding)
        texts = list(counts.sent(start, end))
        known = {counts.encoding: counts.total} if range_ is None else {}
        names = list(dict.fromkeys((*document.settings.compare_encodings, counts.encoding)))
        settings = document.settings

        def row(name: str) -> ComparisonRow:
            encoding = load_encoding(settings, name)
            return comparison_row(encoding, texts, settings.special_tokens, known.get(name))

        try:
            rows = await asyncio.gather(*(session.comparing.run(partial(row, n)) for n in names))
        except EncodingUnavailable as error:
            raise JsonRpcInvalidParams(str(error)) from None
        return {"encoding": counts.encoding, "rows": rows}

    @server.command("promptls.tokens")
    async def tokens(*arguments: Any) -> dict[str, Any]:
        document = _document(session, arguments)
        range_ = _structured(arguments, 1, types.Range)
        encoding = session.client.position_encoding

        def derive(counts: Counts, text: Text) -> dict[str, Any]:
            placed = counts.tokens_in(*to_span(text, range_, encoding))
            return {"encoding": counts.encoding, "tokens": _tokens(counts, text, placed, encoding)}

        answer = await session.derived(document, derive)
        return answer or _no_counts(session, document)

    @server.command("promptls.setEncoding")
    async def set_encoding(*arguments: Any) -> dict[str, Any]:
        uri, name = _argument(arguments, 0), _argument(arguments, 1)
        if not isinstance(uri, str | None) or not isinstance(name, str | None):
            raise JsonRpcInvalidParams("setEncoding takes a document's uri or null, and a name")
        return {"encoding": session.override(uri, name)}

    @server.command("promptls.encodings")
    async def encodings(*_: Any) -> dict[str, Any]:
        own = {
            name for document in session.documents.values() for name in document.settings.encodings
        }
        rows: list[dict[str, Any]] = [
            {"name": name, "vocabulary_size": VOCABULARY_SIZES[name], "models": known_models(name)}
            for name in list_encodings()
        ]
        # The size of a tokenizer of one's own isn't known before it is loaded.
        rows += [{"name": name, "vocabulary_size": None, "models": []} for name in sorted(own)]
        return {"encodings": rows}


def _document(session: Session, arguments: tuple[Any, ...]) -> Document:
    uri = _argument(arguments, 0)
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("the first argument is the uri of an open document")
    return session.document(uri)


def _argument(arguments: tuple[Any, ...], number: int) -> Any:
    return arguments[number] if number < len(arguments) else None


def _structured(arguments: tuple[Any, ...], number: int, kind: Any) -> Any:
    """An argument as a type of the protocol; None when it is absent."""
    value = _argument(arguments, number)
    if value is None:
        return None
    try:
        return _CONVERTER.structure(value, kind)
    except (BaseValidationError, TypeError, ValueError, KeyError, AttributeError):
        raise JsonRpcInvalidParams(
            f"argument {number + 1} is not a range of the protocol"
        ) from None


async def _counts(session: Session, document: Document) -> Counts:
    counts = await session.counts(document)
    return counts or _no_counts(session, document)


def _no_counts(session: Session, document: Document) -> NoReturn:
    session.document(document.uri)
    raise JsonRpcInvalidParams("the document's encoding can't be had; see the message shown")


def _count(document: Document, counts: Counts) -> dict[str, Any]:
    return {
        "path": document.path,
        "format": counts.format,
        "encoding": counts.encoding,
        "exact": True,
        "tokens": counts.total,
        "characters": len(document.text),
        "bytes": document.text.utf8_length,
        "lines": document.text.line_count,
        "placeholders": counts.placeholders,
        "uncounted": uncounted_rows(counts.uncounted),
        "messages": [
            {"role": m.role, "tokens": c.total, "start": m.start, "end": m.end}
            for m, c in zip(counts.prompt.messages, counts.by_message, strict=True)
        ],
        "budget": document.settings.budget_for(document.path),
    }


def _tokens(
    counts: Counts, text: Text, placed: Sequence[PlacedToken], encoding: PositionEncoding
) -> list[dict[str, Any]]:
    offsets = sorted({offset for token in placed for offset in (token.start, token.end)})
    positions = dict(zip(offsets, text.positions_at(offsets, encoding), strict=True))

    def position(offset: int) -> dict[str, int]:
        line, column = positions[offset]
        return {"line": line, "character": column}

    return [
        {
            "id": token.id,
            "text": token.text,
            "bytes": token.bytes.hex(),
            "start": start,
            "end": end,
            "special": counts.is_special(token.id),
            "range": {"start": position(start), "end": position(end)},
        }
        for token, start, end in placed
    ]

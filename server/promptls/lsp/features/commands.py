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
from subword.encodings import ENCODINGS, known_models

from ...reading.encodings import EncodingUnavailable, load_encoding
from ...reading.reading import PlacedToken, Reading
from ...rows import ComparisonRow, amount_row, choice_row, comparison_row, count_row
from ...text import PositionEncoding, Text
from .. import rows
from ..documents import Document, to_span

if TYPE_CHECKING:
    from ..app import Server
    from ..session import Session

_CONVERTER = default_converter()  # type: ignore[no-untyped-call]


def register(server: Server) -> None:
    session = server.session

    @server.command("promptls.countTokens")
    async def count_tokens(*arguments: Any) -> rows.Counts:
        document = _document(session, arguments)
        ranges = _structured(arguments, 1, list[types.Range]) or []
        counts = await _counts(session, document)
        encoding = session.client.position_encoding
        spans = [
            (document.offset(r.start, encoding), document.offset(r.end, encoding)) for r in ranges
        ]
        job = partial(_count, counts, document.path, spans)
        return await session.comparing.run(job)

    @server.command("promptls.compareEncodings")
    async def compare_encodings(*arguments: Any) -> rows.Comparison:
        document = _document(session, arguments)
        range_ = _structured(arguments, 1, types.Range)
        counts = await _counts(session, document)
        encoding = session.client.position_encoding
        start, end = to_span(document.text, range_, encoding)
        texts = list(counts.sent(start, end))
        names = list(dict.fromkeys((*document.settings.compare_encodings, counts.encoding.name)))
        settings = document.settings

        def row(name: str) -> ComparisonRow:
            encoding = load_encoding(settings, name)
            sent = counts.range_in(encoding) if range_ is None else None
            return comparison_row(encoding, texts, settings.special_tokens, sent)

        try:
            every = await asyncio.gather(*(session.comparing.run(partial(row, n)) for n in names))
        except EncodingUnavailable as error:
            raise JsonRpcInvalidParams(str(error)) from None
        choice = counts.choice
        return {**choice_row(choice), "exactness": choice.exactness, "rows": every}

    @server.command("promptls.tokens")
    async def tokens(*arguments: Any) -> rows.Tokens:
        document = _document(session, arguments)
        range_ = _structured(arguments, 1, types.Range)
        encoding = session.client.position_encoding

        def derive(counts: Reading, text: Text) -> rows.Tokens:
            placed = counts.tokens_in(*to_span(text, range_, encoding))
            each = _tokens(counts, text, placed, encoding)
            return rows.Tokens(encoding=counts.encoding.name, tokens=each)

        answer = await session.derived(document, derive)
        return answer or _no_counts(session, document)

    @server.command("promptls.setEncoding")
    async def set_encoding(*arguments: Any) -> rows.ChosenEncoding:
        uri, name = _argument(arguments, 0), _argument(arguments, 1)
        if not isinstance(uri, str | None) or not isinstance(name, str | None):
            raise JsonRpcInvalidParams("setEncoding takes a document's uri or null, and a name")
        return rows.ChosenEncoding(encoding=await session.configuration.set_encoding(uri, name))

    @server.command("promptls.encodings")
    async def encodings(*_: Any) -> rows.Encodings:
        own = {
            name for document in session.documents.values() for name in document.settings.encodings
        }
        known = [
            rows.EncodingRow(
                name=name, vocabulary_size=ENCODINGS[name].size, models=known_models(name)
            )
            for name in list_encodings()
        ]
        # The size of a tokenizer of one's own isn't known before it is loaded.
        known += [
            rows.EncodingRow(name=name, vocabulary_size=None, models=[]) for name in sorted(own)
        ]
        return rows.Encodings(encodings=known)


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


async def _counts(session: Session, document: Document) -> Reading:
    counts = await session.counts(document)
    return counts or _no_counts(session, document)


def _no_counts(session: Session, document: Document) -> NoReturn:
    session.document(document.uri)
    raise JsonRpcInvalidParams("the document's encoding can't be had; see the message shown")


def _count(reading: Reading, path: str, spans: Sequence[tuple[int, int]]) -> rows.Counts:
    amounts = (reading.choice.amount(reading.selection(*span)) for span in spans)
    return {
        **count_row(reading, path),
        "exact": reading.amount.exactness == "exact",
        "budget": reading.settings.budget_for(path),
        "ranges": list(map(amount_row, amounts)),
    }


def _tokens(
    counts: Reading, text: Text, placed: Sequence[PlacedToken], encoding: PositionEncoding
) -> list[rows.Token]:
    offsets = sorted({offset for token in placed for offset in (token.start, token.end)})
    positions = dict(zip(offsets, text.positions_at(offsets, encoding), strict=True))

    def position(offset: int) -> rows.Position:
        line, column = positions[offset]
        return rows.Position(line=line, character=column)

    return [
        rows.Token(
            id=token.id,
            text=token.text,
            bytes=token.bytes.hex(),
            start=start,
            end=end,
            special=token.id in counts.encoding.special_ids,
            range=rows.Range(start=position(start), end=position(end)),
        )
        for token, start, end in placed
    ]

"""`workspace/executeCommand`: counts, comparisons and tokens, as the command line's json."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.protocol import default_converter

from subword import list_encodings
from subword.encodings import ENCODINGS, known_models

from ...reading.encodings import EncodingUnavailable, load_encoding
from ...reading.reading import Reading
from ...rows import ComparisonRow, amount_row, choice_row, comparison_row, count_row
from .. import rows
from ..session import Session
from ..snapshot import Snapshot

Arguments = Sequence[Any]

_CONVERTER = default_converter()  # type: ignore[no-untyped-call]


def count_tokens(snapshot: Snapshot, arguments: Arguments) -> rows.Counts:
    reading = snapshot.reading
    path = reading.path or ""
    ranges = _structured(arguments, 1, list[types.Range]) or []
    selected = (reading.selection(*snapshot.span(each)) for each in ranges)
    return {
        **count_row(reading, path),
        "exact": reading.amount.exactness == "exact",
        "budget": reading.settings.budget_for(path),
        "ranges": [amount_row(reading.choice.amount(tokens)) for tokens in selected],
    }


async def compare_encodings(session: Session, arguments: Arguments) -> rows.Comparison:
    """Each encoding counts on a thread of its own."""
    document = session.document(document_uri(arguments))
    range_ = _structured(arguments, 1, types.Range)

    async def compare(snapshot: Snapshot) -> rows.Comparison:
        reading, run = snapshot.reading, session.pools.comparing.run
        names = dict.fromkeys((*snapshot.settings.compare_encodings, reading.encoding.name))
        texts = await run(lambda: list(reading.sent(*snapshot.span(range_))))
        whole = range_ is None
        jobs = (partial(_compared, reading, texts, whole, name) for name in names)
        every = await asyncio.gather(*map(run, jobs))
        exactness = reading.choice.exactness
        return {**choice_row(reading.choice), "exactness": exactness, "rows": every}

    return await session.derive(document, compare) or no_counts(session, document.uri)


def _compared(reading: Reading, texts: list[str], is_whole: bool, name: str) -> ComparisonRow:
    """What texts cost in an encoding, and if they are the whole file, from what to what that is."""
    try:
        encoding = load_encoding(reading.settings, name)
    except EncodingUnavailable as error:
        raise JsonRpcInvalidParams(str(error)) from None
    sent = reading.range_in(encoding) if is_whole else None
    return comparison_row(encoding, texts, reading.settings.special_tokens, sent)


def tokens(snapshot: Snapshot, arguments: Arguments) -> rows.Tokens:
    reading = snapshot.reading
    placed = reading.tokens_in(*snapshot.span(_structured(arguments, 1, types.Range)))
    at = snapshot.positions(offset for each in placed for offset in (each.start, each.end))
    every = [
        rows.Token(
            id=token.id,
            text=token.text,
            bytes=token.bytes.hex(),
            start=start,
            end=end,
            special=token.id in reading.encoding.special_ids,
            range=rows.Range(start=_position(at[start]), end=_position(at[end])),
        )
        for token, start, end in placed
    ]
    return rows.Tokens(encoding=reading.encoding.name, tokens=every)


def _position(position: types.Position) -> rows.Position:
    return rows.Position(line=position.line, character=position.character)


async def set_encoding(session: Session, arguments: Arguments) -> rows.ChosenEncoding:
    uri, name = _argument(arguments, 0), _argument(arguments, 1)
    if not isinstance(uri, str | None) or not isinstance(name, str | None):
        raise JsonRpcInvalidParams("setEncoding takes a document's uri or null, and a name")
    document = session.document(uri) if uri else None
    return rows.ChosenEncoding(encoding=await session.configuration.set_encoding(document, name))


async def encodings(session: Session, _: Arguments) -> rows.Encodings:
    own = {name for each in session.documents.values() for name in each.settings.encodings}
    known = [
        rows.EncodingRow(name=name, vocabulary_size=ENCODINGS[name].size, models=known_models(name))
        for name in list_encodings()
    ]
    # The size of a tokenizer of one's own isn't known before it is loaded.
    known += [rows.EncodingRow(name=name, vocabulary_size=None, models=[]) for name in sorted(own)]
    return rows.Encodings(encodings=known)


def document_uri(arguments: Arguments) -> str:
    """The uri of the document that a command is about. Raises `JsonRpcInvalidParams`."""
    uri = _argument(arguments, 0)
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("the first argument is the uri of an open document")
    return uri


def no_counts(session: Session, uri: str) -> NoReturn:
    """Raise what a command answers where there are no counts."""
    session.document(uri)
    raise JsonRpcInvalidParams("the document's encoding can't be had; see the message shown")


def _argument(arguments: Arguments, number: int) -> Any:
    return arguments[number] if number < len(arguments) else None


def _structured(arguments: Arguments, number: int, kind: Any) -> Any:
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

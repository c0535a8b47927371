"""`textDocument/hover`: the token under the cursor, and how its line is split."""

from __future__ import annotations

import re
from collections.abc import Callable

from lsprotocol import types

from subword.wording import amount, with_signs

from ...reading.reading import PlacedToken
from ..snapshot import Snapshot

# A line of base64 has thousands of tokens; a hover shows those around the cursor.
_MOST_TOKENS = 40
# How far to either side of the cursor tokens are looked at, in characters.
_MARGIN = 400

# How a client shows text as it stands: as code in Markdown, or unchanged.
Quoted = Callable[[str], str]


def hover(snapshot: Snapshot, params: types.HoverParams) -> types.Hover | None:
    text, offset = snapshot.text, snapshot.offset(params.position)
    line = text.line_at(offset)
    start, stop = text.line_start(line), text.line_start(line + 1)
    start, stop = max(start, offset - _MARGIN), min(stop, offset + _MARGIN)
    around = snapshot.reading.tokens_in(start, stop)
    token = next((t for t in around if t.start <= offset < t.end), None)
    if token is None:
        return None
    is_markdown = snapshot.client.hover_is_markdown
    contents = _contents(snapshot, line, token, around, code if is_markdown else str)
    kind = types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText
    markup = types.MarkupContent(kind, contents)
    return types.Hover(markup, snapshot.range(token.start, token.end))


def _contents(
    snapshot: Snapshot, line: int, token: PlacedToken, around: list[PlacedToken], quoted: Quoted
) -> str:
    text, reading = snapshot.text, snapshot.reading
    start, stop = text.line_start(line), text.line_start(line + 1)
    sharing = [t for t in around if t.token.text is None and t.start == token.start]
    title = f"Token {token.token.id}"
    title = title if quoted is str else f"**{title}**"
    rows = [f"{title} {_described(token, quoted)}"]
    if token.token.id in reading.encoding.special_ids:
        rows.append("A control token: the model reads it as a mark, not as text.")
    if token.token.text is None and len(sharing) > 1:
        character = quoted(text.slice(token.start, token.start + 1))
        parts = ", ".join(f"{t.token.id} {quoted(t.token.bytes.hex(' '))}" for t in sharing)
        rows.append(f"The character {character} is {len(sharing)} tokens: {parts}")
    here = reading.choice.amount(reading.in_file_range(start, stop))
    rows.append(f"Line {line + 1}: {here.counted()} ({quoted(str(reading.choice))})")
    rows.append(_split_line(token, around, quoted))
    return "\n\n".join(rows)


def _described(token: PlacedToken, quoted: Quoted) -> str:
    data, text = token.token.bytes, token.token.text
    what = "part of a character" if text is None else quoted(with_signs(text))
    return f"{what} · {amount(len(data), 'byte')} {quoted(data.hex(' '))}"


def _split_line(token: PlacedToken, around: list[PlacedToken], quoted: Quoted) -> str:
    """The tokens around the one under the cursor, each with its id."""
    at = around.index(token)
    first = max(0, at - _MOST_TOKENS // 2)
    shown = around[first : first + _MOST_TOKENS]
    parts = [quoted(_label(t)) + f" {t.token.id}" for t in shown]
    before = "… " if first else ""
    after = " …" if first + _MOST_TOKENS < len(around) else ""
    return before + " · ".join(parts) + after


def _label(token: PlacedToken) -> str:
    text = token.token.text
    return with_signs(text) if text is not None else token.token.bytes.hex(" ")


def code(text: str) -> str:
    """A text as inline code, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    if not longest:
        return f"`{text}`"
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}"

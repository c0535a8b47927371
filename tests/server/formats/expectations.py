"""The fixtures of the formats, and what is expected of each: a text that one writes or reviews.

One line for each thing that is known of the file, then its messages. A row of a message begins with
`| `; line ends are written as ⏎ and ␍, tabs as ⇥, spaces at the text's end as ␣, other characters
that can't be seen by their number, and a value that is filled in later as ⟦its name⟧.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from promptls.prompt import Message, Placeholder, Prompt
from promptls.reading.ranges import Range, Ranges
from promptls.reading.reading import read
from promptls.wording import visible
from subword.wording import SIGNS

FOLDER = Path(__file__).parent
FIXTURES = sorted(
    path
    for path in FOLDER.glob("*/**/*")
    if path.is_file() and path.suffix not in (".expected", ".growth", ".pyc")
)
_UNSEEN = {code: sign for code, sign in SIGNS.items() if code != ord(" ")}
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def format_of(fixture: Path) -> str:
    return fixture.relative_to(FOLDER).parts[0]


def described(name: str, text: str, prompt: Prompt) -> str:
    """What a file's prompt is; what it hasn't got isn't mentioned."""
    ranges = read(text, name).ranges
    facts = [*_facts(text, prompt), *_counts(ranges, prompt), *_messages(prompt, ranges)]
    return "".join(f"{fact}\n" for fact in facts)


def _facts(text: str, prompt: Prompt) -> Iterator[str]:
    lists = {
        "header": [f"{text.count(chr(10), 0, prompt.header.end)} lines"] if prompt.header else [],
        "models": prompt.models,
        "inputs": (prompt.inputs or ["none"]) if prompt.inputs is not None else [],
        "used": prompt.used,
        "samples": [f"{key} = {_signed(value)}" for key, value in prompt.samples],
        "given": [f"{key} = {value!r}" for key, value in prompt.given],
        "placeholders": map(_placeholder, prompt.placeholders),
        "structure": (f"⟦{_signed(text[start:end])}⟧" for start, end in prompt.structure),
        "uncounted": (f"{each.count} {each.what}" for each in prompt.uncounted),
        "chat": _chat(prompt),
    }
    for title, items in lists.items():
        if line := ", ".join(items):
            yield f"{title}: {line}"
    for problem in prompt.problems:
        at = text.rfind("\n", 0, problem.start)
        place = f"{text.count(chr(10), 0, problem.start) + 1}:{problem.start - at}"
        where = f"{place} ⟦{_signed(text[problem.start : problem.end])}⟧"
        yield f"problem: {problem.kind} at {where}: {problem.message}"


def _chat(prompt: Prompt) -> Iterator[str]:
    if prompt.is_chat:
        yield f"in {prompt.markers}'s markers" if prompt.markers else "yes"
    if prompt.has_open_turn:
        yield "its last turn is open"
    if not prompt.is_continued:
        yield "answered anew"


def _placeholder(placeholder: Placeholder) -> str:
    uses = "+".join(placeholder.uses)
    shown = placeholder.name and f" {placeholder.name}"
    return f"{placeholder.kind}{shown}" + (
        f" ← {uses}" if uses not in ("", placeholder.name) else ""
    )


def _counts(ranges: Ranges, prompt: Prompt) -> Iterator[str]:
    if tokens := _range(ranges.total):
        yield f"tokens: {tokens}"
    if prompt.loop_count:
        yield f"loops: {prompt.loop_count}"


def _range(tokens: Range) -> str:
    """How many tokens are sent, where that depends on values."""
    shown = f"{tokens.low} to {tokens.high}" if tokens.low < tokens.high else ""
    return f"at most {shown}" if tokens.is_bounds else shown


def _messages(prompt: Prompt, ranges: Ranges) -> Iterator[str]:
    labels = {each.first: each.label for each in prompt.alternatives}
    for index, (message, amount) in enumerate(zip(prompt.messages, ranges.messages, strict=True)):
        yield ""
        if index in labels:
            yield f"alternative: {labels[index]}"
        tokens = _range(amount)
        name = f" (name: {message.name})" if message.name else ""
        yield f"{message.role or 'no role'}{name}" + (f": {tokens} tokens" if tokens else "")
        yield from _rows(message, prompt)


def _rows(message: Message, prompt: Prompt) -> Iterator[str]:
    names = {each.start: each.name for each in prompt.placeholders}
    gaps = [(message.source.to_text(start), f"⟦{names[start]}⟧") for start, _ in message.values]
    at, shown = 0, ""
    for place, value in gaps:
        shown, at = shown + message.text[at:place] + value, place
    shown += message.text[at:]
    yield from (f"| {_signed(row[0])}" for row in _ROW.finditer(shown) if row[0])


def _signed(text: str) -> str:
    """A text whose white space at its end, and whatever can't be seen, has a sign."""
    words = text.rstrip(" ")
    return visible(words.translate(_UNSEEN)) + text[len(words) :].translate(SIGNS)

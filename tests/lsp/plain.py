"""What every request should be answered, worked out from a whole text at once, slowly.

Nothing here is kept from one text to the next, so what a server kept too long shows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.lsp.expected import lines_of, tokens, tokens_per_line, units

from promptls.findings import Finding, Fix, apply_fixes
from promptls.reading.outline import Part, outline
from promptls.reading.reading import PlacedToken, Reading, read
from promptls.rules.checking import Checked, check
from promptls.rules.fixing import automatic_fixes, fix_all, with_fixes
from promptls.settings import Settings

Place = tuple[int, int]
"""A line and a column of the protocol."""


@dataclass(frozen=True)
class Plain:
    """A document's text and settings, and how its client counts columns."""

    text: str
    path: str
    language: str
    settings: Settings
    units: str
    encoding: str

    @cached_property
    def reading(self) -> Reading:
        return read(self.text, self.path, self.settings, self.language, needs_tokenizer=False)

    @cached_property
    def checked(self) -> Checked:
        return check(self.reading)

    @cached_property
    def _lines(self) -> list[str]:
        return lines_of(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        """The character at which each line begins."""
        starts = [0]
        for content in self._lines[:-1]:
            end = starts[-1] + len(content)
            starts.append(end + (2 if self.text.startswith("\r\n", end) else 1))
        return starts

    def place(self, offset: int) -> Place:
        """Between CR and LF, where no position of the protocol is, it is beyond the line's end."""
        line = bisect_right(self._starts, offset) - 1
        return line, units(self.text[self._starts[line] : offset], self.units)

    def offset(self, position: dict[str, int]) -> int:
        """The character of a position, as the specification clamps it; never inside one."""
        lines = self._lines
        if position["line"] >= len(lines):
            return len(self.text)
        content = lines[position["line"]]
        fitting = [
            n
            for n in range(len(content) + 1)
            if units(content[:n], self.units) <= position["character"]
        ]
        return self._starts[position["line"]] + fitting[-1]

    def range(self, start: int, end: int) -> tuple[Place, Place]:
        return self.place(start), self.place(end)

    # Counts

    @cached_property
    def ids(self) -> list[int]:
        """By tiktoken, of the file as it stands."""
        return tokens(self.text, self.encoding, self.settings.special_tokens)

    @cached_property
    def by_message(self) -> list[int]:
        """By tiktoken."""
        special = self.settings.special_tokens
        return [len(tokens(m.text, self.encoding, special)) for m in self.reading.prompt.messages]

    @cached_property
    def per_line(self) -> list[int]:
        if self.reading.format.verbatim:
            return tokens_per_line(self.text, self.encoding, self.settings.special_tokens)
        return self.reading.line_tokens

    @cached_property
    def placed(self) -> list[PlacedToken]:
        return self.reading.tokens_in(0, len(self.text) + 1)

    def is_control(self, token: PlacedToken) -> bool:
        return token.token.id in self.reading.encoding.special_ids

    # Answers

    def hover(self, position: dict[str, int]) -> tuple[tuple[Place, Place], list[str]] | None:
        """The range of the token under the cursor, and what the text says of it."""
        offset = self.offset(position)
        token = next((t for t in self.placed if t.start <= offset < t.end), None)
        if token is None:
            return None
        line = self.place(offset)[0]
        count = self.per_line[line]
        said = [f"Token {token.token.id}", token.token.bytes.hex(" ")]
        said.append(f"Line {line + 1}: {count} token{'' if count == 1 else 's'} (")
        return self.range(token.start, token.end), said

    @cached_property
    def parts(self) -> list[Part]:
        return outline(self.reading)

    def lenses(self) -> list[tuple[Place, str]]:
        return [
            (
                self.place(p.start),
                p.amount.counted() if p.is_section else f"{p.name}: {p.amount.counted()}",
            )
            for p in self.parts
        ]

    def symbols(self) -> list[tuple[str, str, tuple[Place, Place]]]:
        """The name, the tokens and the range of each part, in the order of the file."""
        return [(p.name, p.amount.counted(), self.range(p.start, p.end)) for p in self.parts]

    def folds(self) -> list[tuple[int, int]]:
        spans = [(part.start, part.end) for part in self.parts]
        if header := self.reading.prompt.header:
            spans.append((header.start, header.end))
        folds = {(self.place(a)[0], self.place(max(a, b - 1))[0]) for a, b in spans}
        return sorted((first, last) for first, last in folds if first < last)

    def selections(self, position: dict[str, int]) -> list[tuple[Place, Place]]:
        """From the token under the cursor outwards to the file."""
        offset = self.offset(position)
        line = self.place(offset)[0]
        start = self._starts[line]
        spans = {(0, len(self.text)), (start, start + len(self._lines[line]))}
        spans |= {(part.start, part.end) for part in self.parts}
        spans |= {(t.start, t.end) for t in self.reading.tokens_in(offset, offset + 1)}
        chain: list[tuple[int, int]] = []
        for a, b in sorted(spans, key=lambda span: (span[0] - span[1], span)):
            if a <= offset <= b and (not chain or (chain[-1][0] <= a and b <= chain[-1][1])):
                chain.append((a, b))
        return [self.range(*span) for span in reversed(chain)]

    def diagnostics(self) -> list[tuple[str, str, int, tuple[Place, Place]]]:
        return [
            (f.rule, f.message, int(f.severity), self.range(f.start, f.end))
            for f in self.checked.findings
        ]

    def quick_fixes(self, start: int, end: int) -> list[tuple[str, str]]:
        """The title of each fix that touches text[start:end], and the text after it."""
        return [
            (fix.title, apply_fixes(self.text, [fix])) for finding, fix in self._offered(start, end)
        ]

    def _offered(self, start: int, end: int) -> Iterator[tuple[Finding, Fix]]:
        for finding in self.checked.findings:
            for fix in finding.fixes:
                touches = finding.start <= end and start <= finding.end
                if touches and fix.edits and with_fixes(self.reading, [fix]):
                    yield finding, fix

    def fixed(self) -> str:
        return fix_all(self.checked) if any(automatic_fixes(self.checked.findings)) else self.text

    def colours(self, start: int, end: int) -> list[tuple[Place, Place, int]]:
        """The pieces of lines with the colour of each: by turns, control tokens with their own.

        Of tokens that share a character, the first has it.
        """
        pieces = []
        at = 0
        for number, token in enumerate(self.placed, 1):
            first, at = max(token.start, at), max(token.end, at)
            if first < token.end and token.start < end and start < min(token.end, end):
                kind = 2 if self.is_control(token) else number % 2
                for a, b in self._by_line(max(first, start), token.end):
                    pieces.append((*self.range(a, b), kind))
        return pieces

    def _by_line(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for line in range(self.place(start)[0], self.place(end)[0] + 1):
            line_start = self._starts[line]
            first, last = max(start, line_start), min(end, line_start + len(self._lines[line]))
            if first < last:
                yield first, last

    def selected(self, start: int, end: int) -> int:
        special = self.settings.special_tokens
        sent = list(self.reading.sent(start, end))
        return sum(len(tokens(text, self.encoding, special)) for text in sent)

    def compared(self, name: str, start: int, end: int) -> int:
        special = self.settings.special_tokens
        return sum(len(tokens(t, name, special)) for t in self.reading.sent(start, end))


def as_range(value: Any) -> tuple[Place, Place]:
    """A range of the protocol as a pair of places."""
    start, end = value["start"], value["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])

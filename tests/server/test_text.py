"""Text snapshots against a plain model: a list of UTF-16 units, as editors keep their text."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptls.text import Edit, Position, PositionEncoding, Text

ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")

# What editors stumble over: line ends of every kind and what only looks like one, emoji with
# joiners, combining marks, characters of one to four bytes.
FRAGMENTS = [
    *("\n", "\r", "\r\n", "\n\r", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\t", " "),
    *("a", "Zz", "é", "e\u0301", "ñ", "漢字", "한국어", "नमस्ते", "👩‍👩‍👧", "😀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\U0010ffff"),
    "x" * 700,
    "漢" * 1500,
    "😀\r\n" * 600,
]
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=12).map("".join)


def units(text: str, encoding: PositionEncoding) -> int:
    """The length of a text, by the definition of each encoding."""
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text)


def model_lines(text: str) -> list[str]:
    """The lines of a text with their ends, as the specification defines them."""
    parts = re.split("(\r\n|\n|\r)", text)
    return [a + b for a, b in zip(parts[::2], [*parts[1::2], ""], strict=True)]


def model_position(text: str, offset: int, encoding: PositionEncoding) -> Position:
    lines = model_lines(text)
    start = 0
    for number, line in enumerate(lines):
        if offset < start + len(line) or number == len(lines) - 1:
            return Position(number, units(text[start:offset], encoding))
        start += len(line)
    raise AssertionError("a text has at least one line")


@given(texts, st.data())
def test_positions_are_those_of_the_definition(text: str, data: st.DataObject) -> None:
    snapshot = Text(text)
    offset = data.draw(st.integers(0, len(text)))
    for encoding in ENCODINGS:
        position = snapshot.position_at(offset, encoding)
        assert position == model_position(text, offset, encoding)
        # Between CR and LF the column is that of the line's content's end.
        between = text[offset - 1 : offset + 1] == "\r\n"
        assert snapshot.offset_at(position, encoding) == offset - between


@given(texts, st.data())
def test_many_positions_are_those_of_each_offset(text: str, data: st.DataObject) -> None:
    snapshot = Text(text)
    offsets = sorted(data.draw(st.lists(st.integers(0, len(snapshot)), max_size=20)))
    for encoding in ENCODINGS:
        expected = [snapshot.position_at(offset, encoding) for offset in offsets]
        assert snapshot.positions_at(offsets, encoding) == expected


@given(texts, st.integers(-2, 50), st.integers(-2, 3000))
def test_any_position_has_an_offset_on_its_line(text: str, line: int, column: int) -> None:
    snapshot = Text(text)
    lines = model_lines(text)
    for encoding in ENCODINGS:
        offset = snapshot.offset_at(Position(line, column), encoding)
        if line >= len(lines):
            assert offset == len(text)
            continue
        row = max(line, 0)
        start = len("".join(lines[:row]))
        content = lines[row].rstrip("\r\n")
        assert start <= offset <= start + len(content)
        inside = content[: offset - start]
        assert units(inside, encoding) <= max(column, 0)
        following = content[offset - start : offset - start + 1]
        assert not following or units(inside + following, encoding) > max(column, 0)


@given(texts)
def test_lines_are_those_of_the_specification(text: str) -> None:
    snapshot = Text(text)
    lines = model_lines(text)
    assert str(snapshot) == text
    assert len(snapshot) == len(text)
    assert snapshot.line_count == len(lines)
    starts = [len("".join(lines[:n])) for n in range(len(lines))]
    assert [snapshot.line_start(n) for n in range(len(lines))] == starts
    assert snapshot.line_starts(0, len(lines)) == starts
    assert snapshot.line_starts(1, 3) == starts[1:3]
    ends = [start + len(line.rstrip("\r\n")) for start, line in zip(starts, lines, strict=True)]
    assert [snapshot.line_end(n) for n in range(len(lines))] == ends
    assert all(snapshot.line_at(start) == n for n, start in enumerate(starts))


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[float, float, str]]:
    """Ranges as fractions of the text that they meet, so that they fit any text."""
    edit = st.tuples(st.floats(0, 1), st.floats(0, 1), texts)
    return draw(st.lists(edit, max_size=8))


@given(texts, edits(), st.sampled_from(ENCODINGS))
@settings(max_examples=200)
def test_edits_leave_the_text_that_the_editor_has(
    text: str, changes: list[tuple[float, float, str]], encoding: PositionEncoding
) -> None:
    snapshot, model = Text(text), text
    for start, end, new in changes:
        first, last = sorted((round(start * len(model)), round(end * len(model))))
        before, was = snapshot, str(snapshot)
        range_ = (snapshot.position_at(first, encoding), snapshot.position_at(last, encoding))
        # A position between CR and LF can't be sent: it is the end of the line's content.
        first, last = (snapshot.offset_at(position, encoding) for position in range_)
        snapshot = snapshot.edit(snapshot.resolve(*range_, new, encoding))
        model = model[:first] + new + model[last:]
        assert str(snapshot) == model
        assert str(before) == was
        assert len(snapshot) == len(model)
        assert snapshot.line_count == len(model_lines(model))
        for probe in (0, first, len(model) // 2, len(model)):
            position = snapshot.position_at(probe, encoding)
            assert position == model_position(model, probe, encoding)
    assert snapshot._leaves.totals == Text(model)._leaves.totals


@pytest.mark.parametrize("middle", ["\n", "\r", "\r\n", "\n\r", "\r\r\n\n", "xy"])
def test_line_ends_hold_together_where_leaves_meet(middle: str) -> None:
    # A new text has leaves of 1,024 characters, so `middle` lies on both sides of their border.
    for lead in range(1021, 1026):
        text = "a" * lead + middle + "b" * 1500
        snapshot = Text(text)
        for start in range(1020, 1028):
            for end, new in itertools.product(range(start, start + 4), ("", "\r", "\n", "x\r")):
                edited = snapshot.edit(Edit(start, end, new))
                model = text[:start] + new + text[end:]
                assert str(edited) == model
                assert edited._leaves.totals == Text(model)._leaves.totals
                assert edited.line_count == len(model_lines(model))


def as_units(text: str) -> list[str]:
    """A text as an editor with UTF-16 strings has it: a list of units."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[n : n + 2].decode("utf-16-le", "surrogatepass") for n in range(0, len(data), 2)]


def as_text(units_: list[str]) -> str:
    data = "".join(units_).encode("utf-16-le", "surrogatepass")
    return data.decode("utf-16-le", "surrogatepass")


halves = st.sampled_from(["😀", "\ud83d", "\ude00", "\udc12", "a", "\U0010ffff", "𝔘"])


@given(st.lists(halves, max_size=8), st.data())
@settings(max_examples=300)
def test_edits_may_split_and_join_surrogate_pairs(start: list[str], data: st.DataObject) -> None:
    model = as_units(as_text(start))
    snapshot = Text("".join(start))
    for _ in range(data.draw(st.integers(1, 4))):
        first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(model))] * 2)))
        new = data.draw(st.lists(halves, max_size=3).map("".join))
        edit = snapshot.resolve(Position(0, first), Position(0, last), new, "utf-16")
        snapshot = snapshot.edit(edit)
        model[first:last] = as_units(new)
        assert str(snapshot) == as_text(model)


@pytest.mark.parametrize(
    ("text", "position", "encoding", "offset"),
    [
        ("a😀b", (0, 2), "utf-16", 1),
        ("a😀b", (0, 3), "utf-16", 2),
        ("a😀b", (0, 3), "utf-8", 1),
        ("a😀b", (0, 5), "utf-8", 2),
        ("a😀b", (0, 2), "utf-32", 2),
        ("a\u2028b\nc", (1, 0), "utf-16", 4),
        ("a\r\nb", (0, 9), "utf-16", 1),
        ("a\rb\nc", (2, 0), "utf-16", 4),
        ("abc", (7, 0), "utf-16", 3),
        ("abc", (0, 99), "utf-16", 3),
    ],
)
def test_known_positions(
    text: str, position: tuple[int, int], encoding: PositionEncoding, offset: int
) -> None:
    assert Text(text).offset_at(Position(*position), encoding) == offset


def test_a_reversed_range_inserts() -> None:
    text = Text("abcdef")
    edit = text.resolve(Position(0, 4), Position(0, 2), "X", "utf-16")
    assert str(text.edit(edit)) == "abcdXef"

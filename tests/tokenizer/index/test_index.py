"""A TokenIndex says after any edit what tiktoken says of the whole text."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from threading import Thread

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from tests.thorough import THOROUGH

from subword import SpecialMode, TokenIndex, get_encoding
from subword.core import CoreEncoding
from subword.index import count_between

from . import fuzz
from .oracle import Oracle, check, leaves_of, places

PATTERNS = ("r50k_base", "cl100k_base", "o200k_base")
MODES: tuple[SpecialMode, ...] = ("text", "control")
# A vocabulary of nobody's with a pattern that we know no cuts of.
FOREIGN = CoreEncoding(
    "foreign",
    {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"  ": 257},
    r"\S+|\s+",
    {"<s>": 258},
)


def check_edits(subject: TokenIndex, edits: list[tuple[int, int, str]]) -> None:
    text = subject.text
    check(subject, text)
    for start, end, new in edits:
        text = text[:start] + new + text[end:]
        subject.edit(start, end, new)
        check(subject, text)
    assert subject.text == text


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(seed: int) -> None:
    """A small part of what `python -m tests.tokenizer.index.fuzz` runs."""
    fuzz.run(1_000, seed)


# An edit inside of a thing, or one that makes or breaks it.
@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("a\ud83d b", [(2, 2, "\ude00"), (2, 3, ""), (2, 2, "x"), (2, 3, "\ude00"), (1, 2, "")]),
        ("a\rb", [(2, 2, "\n"), (2, 2, "x"), (2, 3, ""), (1, 2, ""), (1, 1, "\r")]),
        ("a\r\n\nb", [(2, 2, "\r"), (1, 2, ""), (3, 3, "\r\n"), (0, 5, "\n\r")]),
        ("x<|endoftext|>y", [(3, 4, ""), (3, 3, "e"), (7, 7, " "), (7, 8, ""), (0, 1, "")]),
        ("<|endof text|> <|", [(7, 8, ""), (16, 16, "endoftext|>"), (13, 14, "")]),
        ("<|endoftext<|endoftext|>|>", [(11, 24, ""), (5, 5, "<|endoftext|>")]),
        ("it's don't", [(3, 3, " "), (3, 4, ""), (9, 9, " "), (3, 4, "RE"), (2, 3, "ſ")]),
        ("1234567890", [(0, 0, "9"), (4, 4, " "), (4, 5, ""), (0, 11, "1" * 40), (7, 9, "x")]),
        ("a      b", [(4, 4, "\n"), (4, 5, " "), (7, 8, ""), (7, 7, "\t"), (0, 1, ""), (2, 4, "")]),
        ("", [(0, 0, ""), (0, 0, "a"), (0, 1, ""), (0, 0, "\n"), (1, 1, "\n"), (0, 2, "")]),
        ("漢字漢字 漢字ABC", [(10, 10, "d"), (2, 2, "，"), (0, 5, ""), (1, 1, "が\u3099")]),
        ("hello world\n" * 50, [(300, 301, ""), (0, 599, ""), (0, 0, "x" * 3000), (5, 2990, " ")]),
    ],
)
@pytest.mark.parametrize("special", MODES)
@pytest.mark.parametrize("name", PATTERNS)
def test_edits_that_split_and_join(
    name: str, special: SpecialMode, text: str, edits: list[tuple[int, int, str]]
) -> None:
    for size in (4, 512):
        with leaves_of(size):
            check_edits(TokenIndex(get_encoding(name), text, special), edits)


@pytest.mark.parametrize("name", PATTERNS)
def test_large_edits(name: str) -> None:
    """Paste a long text, delete most of it, paste again, delete all."""
    random = Random(name)
    words = ["hello ", "world, ", "漢字。", "x = 1\n", "été ", "'s ", "\r\n", "12345 ", "😀"]
    pasted = "".join(random.choices(words, k=220_000 if THOROUGH else 50_000))
    subject = TokenIndex(get_encoding(name), "before | after")
    size = len(pasted) + 14
    check_edits(
        subject,
        [(7, 7, pasted), (500, size - 500, "!"), (501, 501, pasted), (0, len(pasted) + 1001, "")],
    )
    assert (subject.total, subject.line_count, subject.lines(0, 9)) == (0, 1, [0])


@pytest.mark.parametrize("unit", fuzz.LONG)
@pytest.mark.parametrize("name", PATTERNS)
def test_texts_without_cuts(name: str, unit: str) -> None:
    text = unit * ((12_000 if THOROUGH else 4_000) // len(unit))
    middle = len(text) // 2
    edits = [
        (middle, middle, "x"),
        (middle, middle + 1, ""),
        (0, 0, " "),
        (1, 1, unit),
        (9, 99, ""),
    ]
    check_edits(TokenIndex(get_encoding(name), text), edits)


def test_a_run_of_spaces_that_tiktoken_gives_up_on() -> None:
    encoding = get_encoding("o200k_base")
    subject = TokenIndex(encoding, "a" + " " * 1_000_000 + "b")
    subject.edit(10, 999_990, "")
    check(subject, "a" + " " * 20 + "b")
    subject.edit(10, 10, " " * 999_980)
    # One token is 128 spaces; the last space goes with the letter.
    assert subject.total == encoding.count(" " * (999_999 % 128)) + 999_999 // 128 + 2


def test_a_special_token_with_two_spellings() -> None:
    harmony = get_encoding("o200k_harmony")
    one, other = (text for text, id in harmony.special_tokens.items() if id == 200018)
    text = f"a\n{one}\nb {other}\n c\n"
    subject = TokenIndex(harmony, text, "control")
    assert subject.lines(0, 9) == [2, 2, 4, 2, 0]
    subject.edit(2, 2, other)
    assert [token.bytes for token in subject.tokens(0, 2 + len(one) + len(other))] == [
        b"a", b"\n", other.encode(), one.encode(),
    ]  # fmt: skip


def test_a_token_of_more_than_255_bytes() -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {b"=" * 2**power: 255 + power for power in range(1, 10)}
    encoding = CoreEncoding("long", ranks, get_encoding("gpt2").pattern, {})
    check_edits(TokenIndex(encoding, "=" * 1024 + "\na"), [(1025, 1025, "b"), (100, 100, " ")])


@pytest.mark.parametrize("special", MODES)
def test_a_foreign_pattern_is_exact_but_not_incremental(special: SpecialMode) -> None:
    subject = TokenIndex(FOREIGN, "ab ab  a<s>b\n", special)
    assert not subject.incremental
    check_edits(subject, [(3, 3, "x"), (9, 10, ""), (0, 0, "\n"), (0, 5, "")])
    assert count_between(FOREIGN, "ab ab", [1, 3, 5], special) == [1, 1]


def test_snapshots_are_read_while_the_text_is_edited() -> None:
    encoding = get_encoding("cl100k_base")
    subject = TokenIndex(encoding, "hello world\n" * 2_000)
    snapshot, wrong = subject.snapshot(), []

    def read() -> None:
        for line in range(0, 2_000, 20):
            if snapshot.lines(line, line + 20) != [3] * 20 or snapshot.total != 6_000:
                wrong.append(line)

    threads = [Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for line in range(500):
        subject.edit(line * 5, line * 5 + 3, "\n漢")
    for thread in threads:
        thread.join()
    assert not wrong
    check(snapshot, "hello world\n" * 2_000)


@pytest.mark.parametrize("special", MODES)
@pytest.mark.parametrize("name", PATTERNS)
def test_every_place_of_a_text(name: str, special: SpecialMode) -> None:
    """Ranges, tokens and single lines at every character, a surrogate pair's middle included."""
    text = "a 漢字\r\n\ud83d\ude00é x'rEy<|endoftext|>\n\n𝐀 123  \n"
    encoding = get_encoding(name)
    oracle = Oracle(encoding, text, special)
    with leaves_of(2):
        subject = TokenIndex(encoding, text, special)
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert subject.range_tokens(start, end) == oracle.before(end) - oracle.before(start)
            assert places(subject.tokens(start, end)) == oracle.tokens(start, end)
            between = count_between(encoding, text, [start, end], special)
            assert between == [oracle.before(end) - oracle.before(start)]
    assert subject.tokens(0, len(text)) == encoding.split(text, special)
    assert [subject.line_tokens(line) for line in range(subject.line_count)] == oracle.lines()


def test_count_between_reads_only_what_is_near() -> None:
    class Text:
        """A long text that says how much of it was read."""

        text = "Hello there, world.\nIt's 漢字 again.\n\n" * 3_000
        read = 0

        def __len__(self) -> int:
            return len(self.text)

        def __getitem__(self, place: slice) -> str:
            self.read += len(self.text[place])
            return self.text[place]

    text = Text()
    encoding = get_encoding("o200k_base")
    oracle = Oracle(encoding, text.text, "text")
    middle = len(oracle.line_starts) // 2
    for first in (0, middle, middle + 1, middle + 2, len(oracle.line_starts) - 42):
        text.read = 0
        bounds = oracle.line_starts[first : first + 41]
        assert count_between(encoding, text, bounds) == oracle.lines()[first : first + 40]
        assert text.read < bounds[-1] - bounds[0] + 300


def test_progress_is_told_and_can_stop_the_work() -> None:
    encoding, text = get_encoding("gpt2"), "some words " * 20_000
    told: list[int] = []
    TokenIndex(encoding, text, progress=told.append)
    assert told[-1] == len(text)
    assert len(told) >= 3
    assert all(after > before for before, after in pairwise(told))

    def stop(done: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        TokenIndex(encoding, text, progress=stop)


def test_wrong_arguments_are_refused() -> None:
    encoding = get_encoding("gpt2")
    with pytest.raises(ValueError, match='"text" or "control"'):
        TokenIndex(encoding, "", "error")
    with pytest.raises(ValueError, match='"text" or "control"'):
        count_between(encoding, "", [0, 0], "error")
    subject = TokenIndex(encoding, "abc")
    for start, end in ((-1, 0), (2, 1), (0, 4), (4, 4)):
        with pytest.raises(IndexError, match="a text of 3 characters"):
            subject.edit(start, end, "x")
    for line in (-1, 1):
        with pytest.raises(IndexError, match="a text of 1 lines"):
            subject.line_tokens(line)
    assert (subject.text, subject.lines(-5, 0), subject.lines(3, 1)) == ("abc", [], [])


class Editing(RuleBasedStateMachine):
    """Someone edits, undoes and redoes; the index and a plain string must agree."""

    fragments = st.lists(st.sampled_from(fuzz.FRAGMENTS), max_size=8).map("".join)
    anything = st.text(st.characters(), max_size=8)

    @initialize(
        name=st.sampled_from(PATTERNS),
        special=st.sampled_from(MODES),
        text=st.lists(fragments, max_size=12).map("".join),
        size=st.sampled_from([1, 4, 16, 64]),
    )
    def begin(self, name: str, special: SpecialMode, text: str, size: int) -> None:
        self.leaves = leaves_of(size)
        self.leaves.__enter__()
        self.subject = TokenIndex(get_encoding(name), text, special)
        self.text = text
        self.undone: list[tuple[int, int, str]] = []
        self.done: list[tuple[int, int, str]] = []

    def teardown(self) -> None:
        if hasattr(self, "leaves"):
            self.leaves.__exit__(None, None, None)

    def replace(self, start: int, end: int, new: str) -> tuple[int, int, str]:
        """Returns the edit that takes this one back."""
        old = self.text[start:end]
        self.text = self.text[:start] + new + self.text[end:]
        self.subject.edit(start, end, new)
        return start, start + len(new), old

    @rule(data=st.data(), new=fragments | anything)
    def edit(self, data: st.DataObject, new: str) -> None:
        start = data.draw(st.integers(0, len(self.text)))
        end = data.draw(st.integers(start, min(start + 12, len(self.text))))
        self.done.append(self.replace(start, end, new))
        self.undone.clear()

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        self.undone.append(self.replace(*self.done.pop()))

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.done.append(self.replace(*self.undone.pop()))

    @rule(seed=st.integers(0, 1000))
    def read(self, seed: int) -> None:
        oracle = Oracle(self.subject.encoding, self.text, self.subject.special)
        fuzz.check_places(Random(seed), self.subject, oracle)

    @invariant()
    def agrees(self) -> None:
        if hasattr(self, "subject"):
            check(self.subject, self.text)


TestEditing = Editing.TestCase
TestEditing.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

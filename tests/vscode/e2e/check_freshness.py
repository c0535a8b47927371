"""No number is seen beside a text that it isn't of, and the right one comes soon after a key."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from tests.tokenizer import oracle
from tests.vscode.e2e.check_live import expect_hints
from tests.vscode.e2e.watch import Frame, Watched, watching
from tests.vscode.e2e.workbench import Prompt, Window, eventually

Labels = Callable[[str], Mapping[int, str]]

TEXT = "You are a helpful assistant.\nAnswer in one sentence.\n\n\nBe kind.\n"
CHAT = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello\nyou!<|im_end|>\n"


def of_lines(text: str) -> dict[int, str]:
    return {line: str(count) for line, count in oracle.line_counts(text).items()}


def of_lines_so_far(text: str) -> dict[int, str]:
    counts = oracle.line_counts(text)
    so_far = accumulate(counts.values())
    return {line: f"{counts[line]} · {total}" for line, total in zip(counts, so_far, strict=True)}


def of_messages(text: str) -> dict[int, str]:
    """Of ChatML, at the lines where the messages' texts begin."""
    messages = re.finditer(r"<\|im_start\|>(\w+)\n(.*?)<\|im_end\|>", text, re.DOTALL)
    return {
        text[: found.start(2)].count("\n") + 1: f"{found[1]}: {oracle.count(found[2])}"
        for found in messages
    }


# The cursors, and the keys: a text of one character is typed, a longer one is pressed.
CASES = {
    "words": ([(1, 22)], [*" and a half"]),
    "the start of a line": ([(1, 0)], [*"Now. "]),
    "line ends": ([(1, 10)], ["Enter", "Enter", "x", "Backspace", "Backspace", "Backspace"]),
    "blank lines": ([(2, 0)], [*"  /", "Enter", "/", "Backspace", "Backspace", "Delete", "Delete"]),
    "slashes and a dot": ([(4, 0)], [*"//", "Home", "Backspace", "."]),
    "undo": ([(0, 3)], [*"one two", "Control+Z", "Control+Y", "Control+Z"]),
    "several cursors": ([(0, 3), (1, 3), (4, 2)], [*" a b", "Enter", "Backspace", "Delete"]),
    "a line removed": ([(1, 0)], ["Control+Shift+K", "Control+Shift+K", "Control+Z"]),
    "a line moved": ([(1, 0)], ["Alt+ArrowDown", "Alt+ArrowDown", "Alt+ArrowUp"]),
}


@pytest.mark.parametrize("name", CASES)
def check_no_wrong_number_is_seen(name: str, window: Window, prompt: Prompt) -> None:
    cursors, keys = CASES[name]
    expect_no_wrong_number(window, prompt(TEXT), cursors, keys, of_lines)


MODES: dict[str, tuple[str, str, Labels]] = {
    "cumulative": (".txt", TEXT, of_lines_so_far),
    "message": (".chatml", CHAT, of_messages),
}


@pytest.mark.parametrize("mode", MODES)
def check_no_wrong_number_is_seen_in_mode(mode: str, window: Window, prompt: Prompt) -> None:
    suffix, text, labels = MODES[mode]
    with window.settings({"promptls.hints.mode": mode}):
        path = prompt(text, suffix)
        expect_no_wrong_number(window, path, [(1, 2)], [*" one, two", "Enter", "x"], labels)


def expect_no_wrong_number(
    window: Window,
    path: Path,
    cursors: list[tuple[int, int]],
    keys: list[str],
    labels: Labels,
) -> None:
    eventually(window.hints, labels(path.read_text()))
    window.select(*(position for cursor in cursors for position in (cursor, cursor)))
    with watching(window) as watched:
        for key in keys:
            window.press(key)
            window.page.wait_for_timeout(60)
        eventually(lambda: window.hints() == labels(window.text()), True)
    assert len(watched.texts) > len(keys) / 2
    assert "\n".join(wrong(watched, labels)) == ""


def check_how_soon_the_right_number_comes(
    window: Window, prompt: Prompt, measured: Callable[[str], None]
) -> None:
    """At 250 ms a key. What is measured is told at the end of the run."""
    prompt(TEXT)
    expect_hints(window)
    window.go_to(1, 22)
    with watching(window) as watched:
        window.page.keyboard.type(" or in two, as you like it best", delay=250)
        eventually(lambda: "as you like it best" in window.text(), True)
        expect_hints(window)
    assert "\n".join(wrong(watched, of_lines)) == ""
    measured(f"from a key to its right number, at 250 ms a key: {latencies(watched)}")


def wrong(watched: Watched, labels: Labels) -> list[str]:
    """The frames with a number that isn't the line's, of texts that extensions know of.

    That no number is seen isn't wrong.
    """
    return [
        f"version {version}: {[(line.text, line.hint) for line in frame.lines]}"
        for frame, version in with_versions(watched)
        if version <= frame.known and shows_wrong(frame, labels)
    ]


def with_versions(watched: Watched) -> Iterator[tuple[Frame, int]]:
    """Each frame and the version of the document in it. A text can come again, a version can't."""
    version = min(watched.texts)
    for frame in watched.frames:
        later = (v for v in sorted(watched.texts) if v >= version)
        version = next(v for v in later if watched.texts[v] == frame.text)
        yield frame, version


def shows_wrong(frame: Frame, labels: Labels) -> bool:
    expected = labels(frame.text)
    return any(line.hint and line.hint != expected.get(line.number) for line in frame.lines)


def is_right(frame: Frame) -> bool:
    """Whether each line that has tokens shows their number."""
    return {line.number: line.hint for line in frame.lines if line.hint} == of_lines(frame.text)


def latencies(watched: Watched) -> str:
    """The median and the longest time from a key to a screen that is right for it or a later one.

    And how long a wrong number is seen meanwhile: VS Code draws an edit before it tells extensions.
    """
    frames = list(with_versions(watched))
    right = [(frame.time, version) for frame, version in frames if is_right(frame)]
    times = [
        next(time for time, version in right if version >= min(watched.texts) + number) - key
        for number, key in enumerate(watched.keys, 1)
    ]
    stale = sum(
        after.time - frame.time
        for frame, after in pairwise(watched.frames)
        if shows_wrong(frame, of_lines)
    )
    return (
        f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms; "
        f"the one before it is still seen for {stale / len(watched.keys):.0f} ms of that"
    )

"""Counts while one writes: hints, their freshness, the status bar. The numbers are tiktoken's."""

from __future__ import annotations

import re

import pytest
from tests.tokenizer import oracle
from tests.vscode.e2e.workbench import Prompt, Window, eventually


def number(text: str) -> int | None:
    """The first number in a text, such as `1,234 tokens` or `~12`."""
    found = re.search(r"\d[\d,.\u202f\u00a0]*", text)
    return int(re.sub(r"\D", "", found[0])) if found else None


def hint_counts(window: Window) -> dict[int, int | None]:
    return {line: number(hint) for line, hint in window.hints().items()}


def expect_hints(window: Window, encoding: str = oracle.DEFAULT) -> None:
    """The hints on the screen become tiktoken's counts of the document as it is now."""
    eventually(lambda: hint_counts(window), oracle.line_counts(window.text(), encoding))


def expect_total(window: Window, encoding: str = oracle.DEFAULT) -> None:
    """The status bar comes to show tiktoken's count of the document as it is now."""
    eventually(lambda: number(window.status()), oracle.count(window.text(), encoding))


def expect_counts(window: Window, encoding: str = oracle.DEFAULT) -> None:
    expect_hints(window, encoding)
    expect_total(window, encoding)


TEXTS = {
    "english": "You are a helpful assistant.\n\nAnswer in one sentence.\n",
    "español": "¿Qué tal? El niño juega en el jardín.\n\n¡Adiós!\n",
    "日本語": "あなたは親切なアシスタントです。\n\n漢字を使ってください。\n",
    "emoji": "Be kind 👩‍👩‍👧‍👦 and 🇲🇽 brief 🙂\n\n🙂🙂\n",
    "crlf": "first line\r\n\r\nthird line\r\n",
    "no final newline": "one\n\n\ntwo",
    "line separator": "a\u2028b\u0085c\n\nnext\n",
}


@pytest.mark.parametrize("name", TEXTS)
def check_counts_of(name: str, window: Window, prompt: Prompt) -> None:
    prompt(TEXTS[name])
    expect_counts(window)


# What is typed at ⟦⟧. U+2028 ends a line for some programs, but neither for VS Code nor for LSP.
LINES = "first 🙂 line⟦⟧, and its end\n\nthird line\n"
TYPED = {
    "words": (LINES, " and typed words"),
    "emoji": (LINES, " 🙂👩‍👩‍👧‍👦"),
    "cjk": (LINES, "漢字とかな"),
    "a new line": (LINES, "\nnext line"),
    "in a file with crlf": ("first line\r\nsecond line⟦⟧\r\n\r\nlast", " 漢字\nmore"),
    "behind a line separator": ("before a\u2028b\u0085c \U0001f642⟦⟧\nafter\n", "!"),
}


@pytest.mark.parametrize("name", TYPED)
def check_hints_follow_typing(name: str, window: Window, prompt: Prompt) -> None:
    text, typed = TYPED[name]
    before, after = text.split("⟦⟧")
    prompt(before + after)
    line = before.rpartition("\n")[2]
    window.go_to(before.count("\n"), len(line.encode("utf-16-le")) // 2)
    window.type(typed)
    end = "\r\n" if "\r" in text else "\n"
    eventually(window.text, before + typed.replace("\n", end) + after)
    expect_counts(window)


def check_pasting_a_line_separator(window: Window, prompt: Prompt) -> None:
    prompt("before\nafter\n")
    window.go_to(0, 6)
    window.paste(" a\u2028b\u0085c \U0001f642")
    eventually(window.text, "before a\u2028b\u0085c \U0001f642\nafter\n")
    expect_counts(window)


def check_undo_takes_the_counts_back(window: Window, prompt: Prompt) -> None:
    prompt("one two three\n")
    expect_hints(window)
    window.go_to(0, 13)
    window.paste(" four five\nsix\n")
    eventually(window.text, "one two three four five\nsix\n\n")
    expect_hints(window)
    window.press("Control+Z")
    eventually(window.text, "one two three\n")
    expect_hints(window)

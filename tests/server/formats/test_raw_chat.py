"""Chats in the markers of each family of models, told by their beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptls.formats import detect

CHATS = sorted(Path(__file__).with_name("raw-chat").glob("*.txt"))


@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.stem)
def test_a_chat_stays_one_while_its_end_is_typed(path: Path) -> None:
    text = path.read_text("utf-8")
    names = [detect("raw.txt", text[:end]).name for end in range(len(text) + 1)]
    assert names == sorted(names) and names[-1] == "raw-chat"


@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.stem)
def test_all_that_is_in_no_message_is_a_marker(path: Path) -> None:
    text = path.read_text("utf-8")
    prompt = detect("raw.txt", text).parse(text)
    spans = [*prompt.structure, *((each.start, each.end) for each in prompt.messages)]
    covered = {at for start, end in spans for at in range(start, end)}
    left = (text[at] for at in range(len(text)) if at not in covered)
    assert "".join(left).strip("\ufeff \t\r\n") == ""


@pytest.mark.parametrize(
    ("language_id", "expected"),
    [("plaintext", "raw-chat"), ("markdown", "raw-chat"), (None, "raw-chat"), ("python", "plain")],
)
def test_an_unnamed_text_in_a_models_own_markers_is_a_chat(
    language_id: str | None, expected: str
) -> None:
    assert detect(None, "<|im_start|>user\nHi", language_id).name == expected


def test_the_beginning_is_looked_for_in_the_first_lines_only() -> None:
    assert detect("raw.txt", "\n" * 2000 + "<|im_start|>user\nHi").name == "plain"

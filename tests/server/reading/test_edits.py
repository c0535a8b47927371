"""What an edit leaves as it was is not read again, and what is read is what the whole text says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from promptls.formats import all_formats
from promptls.prompt import Prompt
from promptls.reading.reader import Reader
from promptls.settings import Settings
from promptls.source_map import Run
from promptls.text import Edit, Text

NAMES = ["a.prompt.md", "a.instructions.md", "a.agent.md", "SKILL.md", "a.mdc"]
PIECES = [
    *["---\n", "name: x\n", "model: gpt-4\n", "${input:tema}", "${file}", "$", "{", "}", "```\n"],
    *["~~~", "\n", "\r\n", "\r", " ", "a", "señor", "漢字", "🎉", "\ufeff", "\ud83c", "# Título\n"],
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
HEADER = "---\nname: x\n---\n"
HEADERS = ["", HEADER, "---\r---\r", "---\na: [\n---\n", "---\n---"]
PLACES = st.floats(0, 1)


def shown(prompt: Prompt) -> tuple[Prompt, list[tuple[Run, ...]]]:
    return prompt, [message.source.runs for message in prompt.messages]


@pytest.mark.parametrize("name", NAMES)
@given(
    header=st.sampled_from(HEADERS),
    body=TEXTS,
    changes=st.lists(st.tuples(PLACES, PLACES, TEXTS), min_size=1, max_size=6),
)
@example(HEADER, "Uno ${input:tema}\ndos\n```\n${file}\n```\ntres", [(0.7, 0.7, "x"), (1, 1, "y")])
@example("", "---x\na\n---\n", [(0.25, 0.33, "")])
@example("", "a\nb\n", [(0.5, 0.5, "---\n"), (0.9, 1, "")])
def test_a_prompt_after_edits_is_that_of_the_whole_text(
    name: str, header: str, body: str, changes: list[tuple[float, float, str]]
) -> None:
    reader = Reader(name, "", Settings())
    text = Text(header + body)
    reading = reader.read(text)
    for first, last, new in changes:
        start, end = sorted((round(first * len(text)), round(last * len(text))))
        edits = [Edit(start, min(end, start + 3), new), Edit(start, start, " ")]
        for edit in edits:
            text = text.edit(edit)
        reading = reader.read(text, reading, edits)
        whole = reader.read(Text(str(text)))
        assert shown(reading.prompt) == shown(whole.prompt)
        assert reading.line_tokens == whole.line_tokens
        assert reading.ranges == whole.ranges


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("header", ["", HEADER])
@pytest.mark.parametrize("at", [-1, 30])
def test_typing_in_a_body_reads_nothing_but_its_line(
    name: str, at: int, header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Text(f"{header}Escribe sobre ${{input:tema}}.\n" + "Una línea más.\n" * 50)
    reader = Reader(name, "", Settings())
    before = reader.read(text)

    def parse(text: str) -> Prompt:
        raise AssertionError("the whole was read")

    dumb = replace(before.format, parse=parse)
    monkeypatch.setattr(Reader, "format_of", lambda self, text: dumb)
    start = len(text) if at < 0 else len(header) + at + 20
    edit = Edit(start, start, "palabra ")
    after = reader.read(text.edit(edit), replace(before, format=dumb), [edit])
    assert after.total > before.total
    with pytest.raises(AssertionError):
        reader.read(text.edit(edit), replace(before, format=dumb), [Edit(0, 1, "")])


def test_formats_that_can_be_edited_are_the_header_formats() -> None:
    assert {each.name for each in all_formats() if each.edit} == {
        *["prompt-markdown", "instructions", "agent", "skill", "mdc"]
    }

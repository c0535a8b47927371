"""Sections and fences, against markdown-it for what CommonMark defines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from promptls.formats import detect
from promptls.syntax.markdown import fences, file_sections, sections

LINES = st.sampled_from(
    [
        *[
            "# One",
            "## Two ##",
            "###### Six",
            "#",
            "#no",
            "####### seven",
            "  ### 三 🎉",
            "text",
            "",
        ],
        *["```", "````", "```py", "~~~", "~~~ x", "```` `", "a ``` b", "## `a` #b", "# end \\#"],
    ]
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_headings_and_fences_are_those_of_commonmark(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(text)
    starts = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]
    headings = {
        (starts[token.map[0]], int(token.tag[1]))
        for token in tokens
        if token.type == "heading_open" and token.markup.startswith("#") and token.map
    }
    found = {(section.start, hashes(text, section.start)) for section in sections(text)}
    assert found == headings
    fenced = [starts[token.map[0]] for token in tokens if token.type == "fence" and token.map]
    assert [span.start for span in fences(text)] == fenced


def hashes(text: str, start: int) -> int:
    line = text[start:].split("\n")[0].lstrip(" ")
    return len(line) - len(line.lstrip("#"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no section", []),
        ("# A\na\n## B\nb\n# C", [("A", 1, "# A\na\n## B\nb\n"), ("B", 2, "## B\nb\n"),
                                  ("C", 1, "# C")]),
        ("<a>\n# H\nx\n</a>\n# I", [("a", 1, "<a>\n# H\nx\n</a>"), ("H", 2, "# H\nx\n"),
                                    ("I", 1, "# I")]),
        ("# H\n<a>\n<b x='1'>y</b>\n</a>", [("H", 1, "# H\n<a>\n<b x='1'>y</b>\n</a>"),
                                            ("a", 2, "<a>\n<b x='1'>y</b>\n</a>"),
                                            ("b", 3, "<b x='1'>y</b>")]),
        ("<a>\n<b>\n</a>\n</b>", [("a", 1, "<a>\n<b>\n</a>")]),
        ("<a>\n# H\n<br/>\n</c>", [("H", 1, "# H\n<br/>\n</c>")]),
        ("```\n<a>\n# H\n</a>\n```\n", []),
        ("# 見出し\r\nx\r\n", [("見出し", 1, "# 見出し\r\nx\r\n")]),
    ],
)  # fmt: skip
def test_sections(text: str, expected: list[tuple[str, int, str]]) -> None:
    found = [(each.title, each.level, text[each.start : each.end]) for each in sections(text)]
    assert found == expected


@given(st.text(st.sampled_from("#<>/ab` \n\r-"), max_size=60))
def test_sections_lie_within_each_other(text: str) -> None:
    open_ends: list[int] = []
    for section in sections(text):
        while open_ends and open_ends[-1] <= section.start:
            open_ends.pop()
        assert section.level == len(open_ends) + 1
        assert section.start < section.end <= (open_ends[-1] if open_ends else len(text))
        open_ends.append(section.end)


def test_sections_of_an_escaped_text_are_found_in_the_file() -> None:
    file = r'[{"role": "user", "content": "caf\u00e9\n# Titel\nText"}]'
    (message,) = detect("a.messages.json", file).parse(file).messages
    (section,) = file_sections(message)
    assert file[section.start : section.end] == r"# Titel\nText"

"""Live counts after any edits: those of the whole text, counted anew with tiktoken."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer import oracle

from promptls.reading.reader import Reader, difference
from promptls.reading.reading import read
from promptls.settings import Settings
from promptls.settings.kinds import CustomEncoding
from promptls.text import Edit, Text

FRAGMENTS = [
    *(
        "a",
        " word",
        "'s",
        "12345",
        "漢字",
        " 😀",
        "\n",
        "\r\n",
        "\n\n  ",
        "\u2028",
        "{{name}}",
        "# H\n",
    ),
    *(
        "<|im_start|>user\n",
        "<|im_end|>\n",
        "system:\n",
        "user:\n",
        "---\n",
        "name: x\n",
        '"',
        "\\n",
    ),
    *(
        '{"role": "user", "content": "',
        '"}',
        "[",
        "]",
        ",",
        "{% if x %}",
        "{% else %}",
        "{% endif %}",
        "<|endoftext|>",
    ),
]
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=15).map("".join)
edits = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), texts), min_size=1, max_size=5)
NAMES = ["a.txt", "a.md", "a.prompt.md", "a.prompty", "a.chatml", "a.jinja", "a.messages.json"]


@pytest.mark.parametrize("name", NAMES)
@given(text=texts, changes=edits, special=st.sampled_from(["text", "control"]))
def test_counts_after_edits_are_those_of_the_whole_text(
    name: str, text: str, changes: list[tuple[float, float, str]], special: str
) -> None:
    engine = oracle.encoding("o200k_base")
    allowed = engine.special_tokens_set if special == "control" else set()
    settings = Settings(special_tokens=special)  # type: ignore[arg-type]
    reader = Reader(name, "", settings)
    snapshot = Text(text)
    live = reader.read(snapshot)
    for first, last, new in changes:
        start, end = sorted((round(first * len(snapshot)), round(last * len(snapshot))))
        edit = Edit(start, end, new)
        snapshot = snapshot.edit(edit)
        live = reader.read(snapshot, live, [edit])
        whole = read(str(snapshot), name, settings)
        by_tiktoken = [
            len(engine.encode(m.text, allowed_special=allowed, disallowed_special=()))
            for m in whole.prompt.messages
        ]
        assert [each.total for each in live.counts] == by_tiktoken
        lines = live.lines(0, snapshot.line_count)
        assert lines == whole.line_tokens
        assert sum(lines) == sum(by_tiktoken)
        assert live.ranges == whole.ranges
        assert live.total == live.ranges.total.high
        middle = snapshot.line_count // 2
        assert live.lines(middle, middle + 2) == lines[middle : middle + 2]
        before = reader.lines(snapshot, middle, middle + 2)
        assert before is None or [n.tokens for n in before] == lines[middle : middle + 2]


@given(old=texts, new=texts)
def test_a_difference_makes_one_text_of_the_other(old: str, new: str) -> None:
    start, end, inserted = difference(old, new)
    assert old[:start] + inserted + old[end:] == new
    assert len(inserted) + end - start <= len(old) + len(new)
    if old == new:
        assert (inserted, end - start) == ("", 0)


@pytest.mark.parametrize(
    ("old", "new", "edit"),
    [
        ("abc", "abXc", (2, 2, "X")),
        ("aaa", "aaaa", (3, 3, "a")),
        ("aaaa", "aa", (2, 4, "")),
        ("", "x", (0, 0, "x")),
        ("left right", "left middle right", (5, 5, "middle ")),
    ],
)
def test_a_difference_is_short(old: str, new: str, edit: tuple[int, int, str]) -> None:
    assert difference(old, new) == edit


def test_another_model_in_the_file_counts_all_of_it_anew() -> None:
    settings, live = Settings(), None
    for model, encoding in (("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")):
        text = Text(f"---\nmodel: {model}\n---\nuser:\n漢字 señor <|im_start|>")
        live = Reader("a.prompty", "", settings).read(text, live)
        assert live.encoding.name == encoding
        assert live.total == read(str(text), "a.prompty", settings).total
        engine = oracle.encoding(encoding)
        messages = live.prompt.messages
        assert live.total == sum(len(engine.encode_ordinary(m.text)) for m in messages)


def test_a_tokenizer_that_changed_on_the_disk_counts_all_anew(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    ranks = [(bytes([byte]), byte) for byte in range(256)]
    settings = Settings(
        encoding="mine", encodings={"mine": CustomEncoding(str(path), pattern="cl100k")}
    )
    live, text = None, Text("aa")
    for merges, edits, total in (([], [], 2), ([(b"aa", 256)], [Edit(2, 2, "aa")], 2)):
        lines = (f"{b64encode(token).decode()} {rank}\n" for token, rank in (*ranks, *merges))
        path.write_text("".join(lines))
        for edit in edits:
            text = text.edit(edit)
        live = Reader("a.txt", "plaintext", settings).read(text, live, edits)
        assert live.total == total

"""Each format by files as users have them, and what must hold of the registry.

A fixture is a file in the folder that bears its format's name; beside it stands what is expected,
NAME.expected (see expectations.py). `pytest tests/server/formats --update-fixtures` writes these
anew, to be read before they are committed.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from promptls.formats import Format, all_formats, detect

from .expectations import FIXTURES, FOLDER, described, format_of
from .test_every_format import check


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_file_is_what_is_expected_of_it(fixture: Path, update_fixtures: bool) -> None:
    text = fixture.read_bytes().decode("utf-8")
    prompt = detect(fixture.name, text).parse(text)
    assert prompt.format == format_of(fixture)
    check(prompt, text)
    beside = fixture.with_name(f"{fixture.name}.expected")
    if update_fixtures:
        beside.write_text(described(fixture.name, text, prompt), "utf-8", newline="\n")
    assert described(fixture.name, text, prompt) == beside.read_text("utf-8")


@pytest.mark.parametrize("file_format", all_formats(), ids=lambda each: each.name)
def test_a_format_has_fixtures_and_texts_for_growth(file_format: Format) -> None:
    assert file_format.name in map(format_of, FIXTURES), "a folder with files is missing"
    assert (FOLDER / file_format.name / "texts.growth").is_file(), "texts.growth is missing there"
    assert file_format.documentation.strip(), "its docstring says what is sent"


def test_no_expectation_is_left_over() -> None:
    wanted = {f"{fixture}.expected" for fixture in FIXTURES}
    assert {str(path) for path in FOLDER.rglob("*.expected")} == wanted


def test_of_formats_that_share_a_name_it_is_said_which_is_asked_first() -> None:
    for one, other in combinations(all_formats(), 2):
        shared = {*one.patterns} & {*other.patterns} or {*one.language_ids} & {*other.language_ids}
        assert one.name != other.name
        assert not shared or one.precedence < other.precedence, (one.name, other.name)


@pytest.mark.parametrize(
    ("language_id", "expected"),
    [
        ("prompt", "prompt-markdown"),
        ("instructions", "instructions"),
        ("chatagent", "agent"),
        ("skill", "skill"),
        ("markdown", "markdown"),
        ("plaintext", "plain"),
        ("jinja", "jinja"),
        ("dotprompt", "prompt-text"),
        ("json", "plain"),
        (None, "plain"),
    ],
)
def test_a_text_without_a_file_goes_by_its_language(language_id: str | None, expected: str) -> None:
    assert detect(None, "Hi", language_id).name == expected


def test_plain_text_takes_whatever_is_left() -> None:
    assert all_formats()[-1].name == detect(None, "").name == "plain"

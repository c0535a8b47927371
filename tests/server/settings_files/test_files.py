"""Which settings file counts, what wins, and what is said of files that can't be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import write

from promptls.settings import Settings
from promptls.settings_files.files import find, settings_in

PYPROJECT = "[project]\nname = 'x'\n"
OURS = "[tool.promptls]\n"

FOUND = [
    ({}, None),
    ({"promptls.toml": ""}, "promptls.toml"),
    ({"pyproject.toml": PYPROJECT}, None),
    ({"pyproject.toml": PYPROJECT + OURS}, "pyproject.toml"),
    ({"pyproject.toml": OURS, "promptls.toml": ""}, "promptls.toml"),
    ({"pyproject.toml": OURS, "a/b/pyproject.toml": PYPROJECT}, "pyproject.toml"),
    ({"promptls.toml": "", "a/pyproject.toml": OURS}, "a/pyproject.toml"),
    (
        {"promptls.toml": "", "a/b/promptls.toml": "", "a/b/c/promptls.toml": ""},
        "a/b/promptls.toml",
    ),
    ({"pyproject.toml": "not = [toml"}, None),
    ({"promptls.toml/in-a-folder": ""}, "promptls.toml"),
]


@pytest.mark.parametrize(("files", "expected"), FOUND)
def test_the_nearest_file_counts(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    write(tmp_path, files)
    found = find(tmp_path / "a/b")
    assert (found and found.path) == (tmp_path / expected if expected else None)


def test_a_file_wins_over_the_editor_by_setting(tmp_path: Path) -> None:
    write(tmp_path, {"promptls.toml": '\ufeffencoding = "gpt2"\r\n[rules]\r\nnot-nfc = "off"\r\n'})
    editor = Settings(encoding="cl100k_base", budget=9)
    settings, bad = settings_in(tmp_path, editor)
    assert (settings.encoding, settings.budget, bad) == ("gpt2", 9, ())
    assert settings.rules == {"not-nfc": "off"}


def test_a_tokenizer_is_found_beside_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"promptls.toml": 'encodings.ours.path = "ours.json"', "sub/a.txt": ""})
    settings, _ = settings_in(tmp_path / "sub")
    ours = settings.encodings["ours"]
    assert (ours.path, ours.base) == ("ours.json", str(tmp_path))


BAD = [
    ({"promptls.toml": "a = "}, "isn't valid TOML"),
    ({"promptls.toml": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")}, "valid TOML"),
    ({"pyproject.toml": "[tool.promptls]\na = "}, "isn't valid TOML"),
    ({"promptls.toml/x": ""}, "can't be read"),
    ({"promptls.toml": 'rules.x = "loud"'}, "rules"),
]


@pytest.mark.parametrize(("files", "message"), BAD)
def test_what_cannot_be_used_is_said_and_the_defaults_apply(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    write(tmp_path, files)
    settings, bad = settings_in(tmp_path)
    assert settings == Settings()
    assert [message in str(fault) for fault in bad] == [True]
    assert str(tmp_path) in str(bad[0])


PLACES = [
    # The text, the name of what is wrong, its line from 0 and the characters that are shown.
    ("encodng = 'x'", "encodng", 0, "encodng"),
    ("\ufeff\r\n# x\r\nbudget = 'x'", "budget", 2, "budget"),
    ("[rules]\nnot-nfc = 3", "rules.not-nfc", 1, "not-nfc"),
    ("[rules]\n'notnfc' = 'off'", "rules.notnfc", 1, "'notnfc'"),
    ("rules = {a = 'off'}", "rules.a", 0, "a"),
    ("a = 1\nhints.mode = 'loud'", "hints.mode", 1, "hints.mode"),
    ("[encodings.mine]\npattern = 'gpt2'", "encodings.mine", 0, "encodings.mine"),
    ("[perFileIgnores]\n'*.md' = ['x']", "perFileIgnores.*.md", 1, "'*.md'"),
    ("x = 1\nencoding = 'o200k_bse'", "encoding", 1, "encoding"),
    ("model = 'gpt-0'", "model", 0, "model"),
    ("compareEncodings = ['gpt2', 'gpt0']", "compareEncodings", 0, "compareEncodings"),
    ("𝒳 = 1", "", 0, "𝒳"),
    ("a = '𝒳' b", "", 0, "b"),
    ("a = ", "", 0, "="),
    ("a = [\n1,\n\n", "", 1, ","),
    ("a = [\nb = 'x\n", "", 1, "b"),
    ("é = 1", "", 0, "é"),
]


@pytest.mark.parametrize(("text", "name", "line", "shown"), PLACES)
def test_what_is_wrong_has_its_place(
    tmp_path: Path, text: str, name: str, line: int, shown: str
) -> None:
    write(tmp_path, {"promptls.toml": text})
    place = next(fault.place for fault in settings_in(tmp_path)[1] if fault.name == name)
    assert place is not None
    assert (place.line, place.text[place.start : place.end]) == (line, shown)


def test_what_is_no_text_has_a_place_too(tmp_path: Path) -> None:
    (tmp_path / "promptls.toml").write_bytes(b"\xef\xbb\xbfa = 1\nb = '\xc3\xa9\xff'")
    (fault,) = settings_in(tmp_path)[1]
    assert fault.message == "isn't UTF-8; it is ignored"
    assert fault.place == (1, 6, 7, "b = 'é\ufffd'")


def test_a_place_in_pyproject_is_that_of_our_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.x]\nbudgt = 1\n[tool.promptls]\nbudgt = 1"})
    (fault,) = settings_in(tmp_path)[1]
    assert fault.place and fault.place.line == 3


def test_an_encoding_that_the_editor_names_may_come_from_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"promptls.toml": "encodings.mine.path = 'x'\ncompareEncodings = ['mine']"})
    assert settings_in(tmp_path, Settings(encoding="mine"))[1] == ()


MANY = [
    "".join(f"k{n} = 1\n" for n in range(3000)),
    "[rules]\n" + "".join(f"k{n} = 'off'\n" for n in range(3000)),
    "[rules]\n" + "".join(f"k{n} = 1\n" for n in range(3000)),
    "compareEncodings = [" + "".join(f"'{n}'," for n in range(3000)) + "]",
    "[perFileIgnores]\n'*.md' = [" + "".join(f"'{n}'," for n in range(3000)) + "]",
]


@pytest.mark.parametrize("text", MANY, ids=range(len(MANY)))
def test_a_file_full_of_faults_is_told_in_few_words(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"promptls.toml": text})
    assert 20 <= len(settings_in(tmp_path)[1]) <= 21


@pytest.mark.parametrize("text", ["a" + ".a" * 5000 + " = 1", "a = " + "[" * 5000])
def test_what_a_parser_can_not_hold_is_not_given_to_it(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"promptls.toml": text})
    (fault,) = settings_in(tmp_path)[1]
    assert "nested too deeply" in fault.message


def test_a_model_with_a_stand_in_is_no_fault(tmp_path: Path) -> None:
    write(tmp_path, {"promptls.toml": 'model = "claude-sonnet-4-5"\n'})
    assert settings_in(tmp_path)[1] == ()

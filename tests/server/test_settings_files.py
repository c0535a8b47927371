"""Which settings file counts, what wins, and what is said of files that can't be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptls.settings import Settings
from promptls.settings_files import find, settings_in

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


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode())


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
    assert (settings.encoding, settings.budget, settings.rules, bad) == (
        "gpt2",
        9,
        {"not-nfc": "off"},
        (),
    )


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

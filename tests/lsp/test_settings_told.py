"""Settings that the editor tells, and those of files that win over them, message by message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.lsp.wire import EVERYTHING, Wire

SETTINGS: dict[str, Any] = {}


@pytest.fixture(scope="module")
def vscode() -> Iterator[Wire]:
    """A server for a client whose settings are those that a test gives a document."""
    with Wire() as wire:
        wire.settings = SETTINGS.get
        wire.start("vscode")
        yield wire


def total(wire: Wire, uri: str) -> tuple[str, int]:
    counted = wire.command("countTokens", uri)
    return counted["encoding"], counted["tokens"]


def test_settings_of_the_editor_arrive_and_change(vscode: Wire) -> None:
    uri = "file:///workspace/arriving.txt"
    SETTINGS[uri] = {"encoding": "cl100k_base"}
    vscode.open(uri, "123456 señor")
    assert total(vscode, uri)[0] == "cl100k_base"
    SETTINGS[uri] = {"encoding": "gpt2", "hints": {"mode": "off"}}
    before = len(vscode.messages)
    vscode.notify("workspace/didChangeConfiguration", {"settings": None})
    vscode.wait_for(lambda m: m.get("method") == "workspace/inlayHint/refresh", before)
    assert total(vscode, uri)[0] == "gpt2"
    assert vscode.ask_of(uri, "inlayHint", range=EVERYTHING) == []


def test_a_bad_setting_is_said_once_and_the_default_is_used(vscode: Wire) -> None:
    uri, other = "file:///workspace/bad/a.txt", "file:///workspace/bad/b.txt"
    SETTINGS[uri] = SETTINGS[other] = {
        "specialTokens": "sometimes",
        "encodign": "gpt2",
        "rules": {"special-token": "loud"},
    }
    before = len(vscode.notifications("window/showMessage"))
    vscode.open(uri, "a")
    vscode.open(other, "b")
    assert total(vscode, uri) == ("o200k_base", 1)
    assert total(vscode, other) == ("o200k_base", 1)
    said = [params["message"] for params in vscode.notifications("window/showMessage")[before:]]
    assert len(said) == len(set(said)) == 3
    assert any("did you mean encoding?" in message for message in said)


def test_an_unknown_encoding_gives_no_counts_and_one_message(vscode: Wire) -> None:
    uri = "file:///workspace/unknown.txt"
    SETTINGS[uri] = {"encoding": "o300k_base"}
    before = len(vscode.notifications("window/showMessage"))
    vscode.open(uri, "a b c")
    assert vscode.ask_of(uri, "inlayHint", range=EVERYTHING) == []
    assert vscode.ask_of(uri, "diagnostic")["items"] == []
    (said,) = [params["message"] for params in vscode.notifications("window/showMessage")[before:]]
    assert "o300k_base" in said and "o200k_base" in said


@pytest.mark.parametrize("name", ["promptls.toml", "pyproject.toml"])
def test_a_settings_file_wins_over_the_editor_and_is_watched(
    vscode: Wire, tmp_path: Path, name: str
) -> None:
    table = "[tool.promptls]\n" if name == "pyproject.toml" else ""
    settings = tmp_path / name
    settings.write_text(f'{table}encoding = "cl100k_base"\n', encoding="utf-8")
    uri = (tmp_path / "a.txt").as_uri()
    SETTINGS[uri] = {"encoding": "gpt2"}
    vscode.open(uri, "hello")
    assert total(vscode, uri)[0] == "cl100k_base"
    settings.write_text(f'{table}model = "gpt-4o"\nencoding = "o200k_harmony"\n', encoding="utf-8")
    changes = [{"uri": settings.as_uri(), "type": 2}]
    vscode.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert total(vscode, uri)[0] == "o200k_harmony"


def test_a_settings_file_is_followed_where_the_client_does_not_watch(
    wire: Wire, tmp_path: Path
) -> None:
    uri = (tmp_path / "a.txt").as_uri()
    wire.start("neovim")
    wire.open(uri, "hello")
    assert total(wire, uri)[0] == "o200k_base"
    (tmp_path / "promptls.toml").write_text('encoding = "gpt2"\n', encoding="utf-8")
    wire.wait_for(lambda m: m.get("method") == "workspace/inlayHint/refresh")
    assert total(wire, uri)[0] == "gpt2"

"""Settings while the server runs: followed wherever they stand, and asked for off the loop."""

from __future__ import annotations

import asyncio
import base64
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.lsp.connection import Connection
from tests.lsp.editor import TEXT, Editor
from tests.lsp.expected import tokens
from tests.lsp.wire import EVERYTHING, STATUS

from promptls.lsp import configuration

pytestmark = pytest.mark.usefixtures("looks_often")


@pytest.mark.parametrize("client", ["vscode", "neovim", "eglot"])
@pytest.mark.parametrize("name", ["promptls.toml", "pyproject.toml"])
async def test_a_file_above_the_workspace_is_followed(
    tmp_path: Path, client: str, name: str
) -> None:
    inner = tmp_path / "workspace"
    inner.mkdir()
    editor = Editor(inner, client)
    await editor.show()
    await editor.encoding_is("o200k_base")
    head = "[tool.promptls]\n" if name == "pyproject.toml" else ""
    for encoding in ("gpt2", "cl100k_base"):
        editor.set(f'{head}encoding = "{encoding}"\n', name, tmp_path)
        await editor.encoding_is(encoding)
    (tmp_path / name).unlink()
    await editor.encoding_is("o200k_base")


async def test_a_lone_file_without_a_workspace_is_followed(tmp_path: Path) -> None:
    connection = Connection()
    connection.start("vscode", workspaceFolders=None, rootUri=None)
    uri = (tmp_path / "a.md").as_uri()
    connection.open(TEXT, uri)
    await connection.settings_arrive()
    assert (await connection.command("countTokens", uri))["encoding"] == "o200k_base"
    (tmp_path / "promptls.toml").write_text('encoding = "gpt2"', encoding="utf-8")
    for _ in range(3_000):
        if (await connection.command("countTokens", uri))["encoding"] == "gpt2":
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it is never counted with gpt2")


async def test_a_tokenizer_that_comes_later_is_used(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.set(
        'encoding = "mine"\nencodings.mine.path = "mine.tiktoken"\nencodings.mine.pattern = "gpt2"'
    )
    await editor.show("aab")
    problem = (await editor.until(lambda: editor.last(STATUS, state="unavailable")))["problem"]
    assert problem["setting"] == "encodings.mine.path"
    assert problem["value"] == "mine.tiktoken"
    lines = [f"{base64.b64encode(bytes([n])).decode()} {n}" for n in range(256)]
    (tmp_path / "mine.tiktoken").write_text("\n".join(lines), encoding="utf-8")
    await editor.encoding_is("mine")
    assert (await editor.command("countTokens", editor.uri))["tokens"] == 3


async def test_nothing_is_counted_anew_when_a_settings_file_says_the_same(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.set('[project]\nname = "x"', "pyproject.toml")
    await editor.show()
    await editor.encoding_is("o200k_base")
    document = editor.session.documents[editor.uri]
    changed, stamp = document.revision.number, document.found.stamp
    editor.set('[project]\nname = "y"', "pyproject.toml")
    await editor.until(lambda: document.found.stamp != stamp)
    assert document.revision.number == changed


async def test_files_are_never_read_on_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for name in ("open", "stat", "read_bytes", "resolve", "is_file", "exists"):
        original = getattr(Path, name)

        def watched(self: Path, *args: Any, _original: Any = original, **more: Any) -> Any:
            seen.add(threading.current_thread())
            return _original(self, *args, **more)

        monkeypatch.setattr(Path, name, watched)
    editor = Editor(tmp_path)
    editor.set('encoding = "gpt2"\nencodings.mine.path = "x.json"')
    seen.clear()
    await editor.show()
    await editor.encoding_is("gpt2")
    editor.notify("workspace/didChangeWatchedFiles", {"changes": []})
    await editor.encoding_is("gpt2")
    await editor.allowing()
    assert threading.current_thread() not in seen
    assert seen


async def test_settings_that_cannot_be_read_are_said_and_nothing_is_counted_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    find = configuration.find_settings  # type: ignore[attr-defined]

    def waits(*asked: Any) -> Any:
        released.wait(600)
        return find(*asked)

    monkeypatch.setattr(configuration, "_SETTLED_WITHIN", 0.05)
    monkeypatch.setattr(configuration, "find_settings", waits)
    editor = Editor(tmp_path)
    editor.set('encoding = "gpt2"')
    try:
        await editor.show("uno dos")
        assert not await editor.ask_of("inlayHint", range=EVERYTHING)
        status = await editor.until(lambda: editor.last(STATUS, state="unavailable"))
        assert "can't be read" in status["problem"]["message"]
    finally:
        released.set()
    await editor.encoding_is("gpt2")
    status = await editor.until(lambda: editor.last(STATUS, state="done"))
    assert status["tokens"] == len(tokens("uno dos", "gpt2"))


async def test_the_answer_of_an_editor_that_is_late_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "_ANSWER_WITHIN", 0.01)
    editor = Editor(tmp_path)
    editor.open(TEXT, editor.uri)
    await editor.encoding_is("o200k_base")
    await editor.settings_arrive({"encoding": "gpt2"})
    await editor.encoding_is("gpt2")
    assert editor.requests("workspace/inlayHint/refresh")


async def test_a_later_change_of_settings_is_not_overtaken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "_SETTLED_WITHIN", 300)
    editor = Editor(tmp_path)
    await editor.show()
    await editor.encoding_is("o200k_base")
    document = editor.session.documents[editor.uri]
    before, asked = document.revision.number, len(editor.requests("workspace/configuration"))
    found: list[object] = []
    find = configuration.find_settings  # type: ignore[attr-defined]
    monkeypatch.setattr(configuration, "find_settings", lambda *a: (find(*a), found.append(a))[0])
    for _ in range(2):
        editor.notify("workspace/didChangeConfiguration", {"settings": None})
    counting = editor.ask_command("countTokens", editor.uri)
    await editor.until(lambda: len(editor.requests("workspace/configuration")) == asked + 2)
    first, second = editor.requests("workspace/configuration")[asked:]
    editor.answer(first, [{"encoding": "gpt2"}])
    await editor.until(lambda: found)
    await asyncio.sleep(0.05)
    # What was found for the first change is not taken, and the request waits for the second.
    assert document.revision.number == before
    editor.answer(second, [{"encoding": "cl100k_base"}])
    counted = (await editor.response(counting))["result"]
    assert (counted["encoding"], document.revision.number) == ("cl100k_base", before + 1)


async def test_what_an_editor_said_of_a_closed_document_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = Editor(tmp_path)
    await editor.show(TEXT, {"encoding": "gpt2"})
    await editor.encoding_is("gpt2")
    editor.close(editor.uri)
    monkeypatch.setattr(configuration, "_ANSWER_WITHIN", 0.01)
    editor.open(TEXT, editor.uri)
    counted = await editor.command("countTokens", editor.uri)
    assert counted["encoding"] == "o200k_base"


async def test_an_answer_about_a_document_that_was_closed_meanwhile_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    editor = Editor(tmp_path)
    editor.open(TEXT, editor.uri)
    await editor.until(lambda: editor.requests("workspace/configuration"))
    editor.close(editor.uri)
    await editor.settings_arrive({"encoding": "gpt2"})
    await editor.show()
    await editor.encoding_is("o200k_base")
    assert not caplog.records

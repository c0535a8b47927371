"""A fix that changes the settings file leaves all else in it, on the screen and on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.lsp.buffer import Buffer
from tests.lsp.editor import Editor
from tests.lsp.wire import EVERYTHING

pytestmark = pytest.mark.usefixtures("looks_often")


def applied(edit: Any, uri: str, text: str) -> tuple[int | None, str]:
    """The version that an edit is of, and the text after it."""
    (change,) = edit["documentChanges"]
    assert change["textDocument"]["uri"] == uri
    (insertion,) = change["edits"]
    assert insertion["range"]["start"] == insertion["range"]["end"]
    return change["textDocument"]["version"], Buffer(text, "utf-16").after([insertion])


async def test_the_settings_are_changed_in_the_text_on_the_screen(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    uri = editor.set('allowedTokens = ["<s>"]\n')
    await editor.show()
    on_disk = applied(await editor.allowing(), uri, 'allowedTokens = ["<s>"]\n')
    assert on_disk == (None, 'allowedTokens = ["<|im_start|>", "<s>"]\n')
    buffer = '# 😀 a long comment, which one must not cut\n"allowedTokens" = [ # 😀\n]\n'
    editor.open(buffer, uri)
    version, text = applied(await editor.allowing(), uri, buffer)
    assert (version, text) == (1, buffer.replace("]", '  "<|im_start|>",\n]'))
    editor.type("# more\n", 2, uri)
    version, text = applied(await editor.allowing(), uri, "# more\n" + buffer)
    assert (version, text) == (2, "# more\n" + buffer.replace("]", '  "<|im_start|>",\n]'))
    # Half typed, it is left alone.
    editor.type("x = ", 3, uri)
    assert await editor.allowing() is None
    editor.close(uri)
    assert applied(await editor.allowing(), uri, 'allowedTokens = ["<s>"]\n')[0] is None
    # Nor is a file on disk of which nobody knows what it says.
    for broken in ("allowedTokens = [", "\x00"):
        editor.set(broken)
        assert await editor.allowing() is None


async def test_an_unsaved_file_of_which_the_client_does_not_tell_is_left_alone(
    tmp_path: Path,
) -> None:
    editor = Editor(tmp_path, "eglot")
    uri = editor.set("# saved\n")
    await editor.show()
    assert await editor.allowing() is None
    editor.open("# on the screen\n", uri)
    version, text = applied(await editor.allowing(), uri, "# on the screen\n")
    assert (version, text) == (1, 'allowedTokens = ["<|im_start|>"]\n# on the screen\n')


@pytest.mark.parametrize("is_inside", [True, False])
async def test_a_new_settings_file_lies_where_it_applies(tmp_path: Path, is_inside: bool) -> None:
    workspace, folder = tmp_path / "workspace", tmp_path / "elsewhere"
    if is_inside:
        folder = workspace / "deep" / "inside"
    for each in (workspace, folder):
        each.mkdir(parents=True)
    editor = Editor(workspace)
    editor.uri = (folder / "a.md").as_uri()
    await editor.show()
    creation, change = (await editor.allowing())["documentChanges"]
    uri = ((workspace if is_inside else folder) / "promptls.toml").as_uri()
    assert creation == {"kind": "create", "uri": uri}
    assert change["textDocument"] == {"uri": uri, "version": None}
    assert change["edits"][0]["newText"] == 'allowedTokens = ["<|im_start|>"]\n'


async def test_every_edit_carries_a_version(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    await editor.show("uno <|im_start|>  \n\u200b dos ")
    editor.type("x", 7, editor.uri)
    for only in (None, ["source.fixAll"]):
        context = {"diagnostics": [], **({"only": only} if only else {})}
        actions = await editor.ask_of("codeAction", range=EVERYTHING, context=context)
        assert actions
        for action in actions:
            for change in action["edit"]["documentChanges"]:
                if change.get("textDocument", {}).get("uri") == editor.uri:
                    assert change["textDocument"]["version"] == 7

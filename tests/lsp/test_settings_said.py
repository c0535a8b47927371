"""What is wrong with settings is said where the user looks; no number stands there meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lsp.editor import Editor
from tests.lsp.wire import EVERYTHING, STATUS

pytestmark = pytest.mark.usefixtures("looks_often")


@pytest.mark.parametrize("client", ["vscode", "neovim", "eglot"])
@pytest.mark.parametrize(
    ("line", "setting"), [('encoding = "o300k_base"', "encoding"), ('model = "gtp-4"', "model")]
)
async def test_what_cannot_be_counted_leaves_no_number_and_says_why(
    tmp_path: Path, client: str, line: str, setting: str
) -> None:
    editor = Editor(tmp_path, client)
    await editor.show()
    assert (await editor.until(lambda: editor.last(STATUS)))["state"] in ("done", "counting")
    await editor.until(lambda: editor.last(STATUS, state="done"))
    uri = editor.set(line)
    last = await editor.until(lambda: editor.last(STATUS, state="unavailable"))
    assert last == editor.last(STATUS)
    problem = last["problem"]
    assert (problem["setting"], problem["source"]) == (setting, uri)
    assert problem["value"] in problem["message"] and not problem["needs_trust"]
    assert await editor.ask_of("inlayHint", range=EVERYTHING) == []
    assert await editor.ask_of("hover", position={"line": 2, "character": 0}) is None
    assert await editor.ask_of("codeLens") == []
    assert "error" in await editor.response(editor.ask_command("countTokens", editor.uri))
    # What was typed meanwhile brings no old number back.
    editor.type("x", 2, editor.uri)
    await editor.until(lambda: editor.last(STATUS, version=2))
    assert editor.last(STATUS, version=2)["state"] == "unavailable"
    # Another mistake is told as such.
    editor.set('encoding = "p60k_base"')
    await editor.until(lambda: editor.last(STATUS)["problem"]["value"] == "p60k_base")
    editor.set('encoding = "gpt2"')
    await editor.until(lambda: editor.last(STATUS, version=2, state="done", encoding="gpt2"))
    assert await editor.ask_of("inlayHint", range=EVERYTHING)


async def test_findings_that_need_no_tokenizer_stay(tmp_path: Path) -> None:
    text = "Hi <|im_start|>\u200b{{ data:image/png;base64," + "A1b2" * 60 + " \n\ttrailing \n\nend "
    found = {}
    for settings in ({}, {"encoding": "o300k_base", "budget": 1}):
        editor = Editor(tmp_path)
        await editor.show(text, settings)
        items = (await editor.ask_of("diagnostic"))["items"]
        found[len(settings)] = {item["code"] for item in items}
        assert (await editor.fixes()).keys() >= {"Remove the spaces at the end"}
    assert found[2] >= {
        "control-token",
        "hidden-characters",
        "data-url",
        "trailing-space-in-prompt",
    }
    assert found[2] <= found[0]


async def test_the_wrong_line_of_a_settings_file_is_shown_in_it(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    uri = editor.set('# é 😀\nsamples.a = "😀"\nencodign = "gpt2"\nrules = {"x" = "off", a = 1}\n')
    await editor.show()
    shown = await editor.until(lambda: editor.diagnostics(uri))
    assert sorted(place[:3] for place in shown) == [(2, 0, 8), (3, 9, 12), (3, 22, 23)]
    assert any("did you mean encoding?" in message for *_, message in shown)
    editor.set('encoding = "gpt2"\n')
    await editor.until(lambda: editor.diagnostics(uri) == [])
    editor.set("encoding = \n")
    ((line, *_, message),) = await editor.until(lambda: editor.diagnostics(uri))
    assert line == 0 and "TOML" in message
    editor.close(editor.uri)
    await editor.until(lambda: editor.diagnostics(uri) == [])


async def test_an_open_settings_file_is_checked_as_it_is_typed(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    uri = editor.set('encoding = "gpt2"\n')
    await editor.show()
    editor.open('encoding = "gpt3"\n', uri)
    ((line, start, end, message),) = await editor.until(lambda: editor.diagnostics(uri))
    assert (line, start, end) == (0, 0, 8) and "gpt3" in message
    editor.type("# 😀\n", 2, uri)
    await editor.until(lambda: [place[0] for place in editor.diagnostics(uri) or ()] == [1])
    # It is no prompt.
    assert editor.last(STATUS, uri=uri) is None
    document = {"textDocument": {"uri": uri}}
    assert await editor.result("textDocument/diagnostic", document) | {"resultId": ""} == {
        "kind": "full",
        "items": [],
        "resultId": "",
    }
    assert await editor.result("textDocument/inlayHint", {**document, "range": EVERYTHING}) == []
    editor.close(uri)
    await editor.until(lambda: editor.diagnostics(uri) == [])
    # What is on disk counts.
    await editor.encoding_is("gpt2")


async def test_a_tokenizer_that_is_missing_is_shown_at_its_line(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    uri = editor.set('encoding = "mine"\n\nencodings.mine.path = "gone.json"\n')
    await editor.show()
    ((line, start, _, message),) = await editor.until(lambda: editor.diagnostics(uri))
    assert (line, start) == (2, 0) and "gone.json" in message


async def test_an_untrusted_workspace_says_that_its_encodings_wait_for_trust(
    tmp_path: Path,
) -> None:
    editor = Editor(tmp_path, trusted=False)
    uri = editor.set('encoding = "mine"\nencodings.mine.path = "mine.json"\n')
    await editor.show()
    problem = (await editor.until(lambda: editor.last(STATUS, state="unavailable")))["problem"]
    assert (problem["needs_trust"], problem["value"], problem["source"]) == (True, "mine", uri)
    assert "trust" in problem["message"]
    # That is nothing to mend in the file.
    assert not editor.diagnostics(uri)


async def test_an_override_ends_with_its_document(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    await editor.show()
    await editor.command("setEncoding", editor.uri, "gpt2")
    await editor.encoding_is("gpt2")
    editor.close(editor.uri)
    await editor.show()
    await editor.encoding_is("o200k_base")


async def test_an_unknown_choice_changes_nothing(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    await editor.show()
    await editor.command("setEncoding", editor.uri, "gpt2")
    answer = await editor.response(editor.ask_command("setEncoding", editor.uri, "gpt3"))
    assert answer["error"]["code"] == -32602
    await editor.encoding_is("gpt2")
    # A choice for all leaves the document's own.
    assert (await editor.command("setEncoding", None, "cl100k_base"))["encoding"] == "cl100k_base"
    await editor.encoding_is("gpt2")
    await editor.command("setEncoding", editor.uri, None)
    await editor.encoding_is("cl100k_base")
    await editor.command("setEncoding", None, None)
    await editor.encoding_is("o200k_base")

"""Settings while the server runs: followed wherever they stand, never damaged, and never silent."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from tests.lsp.connection import Connection
from tests.lsp.expected import tokens
from tests.lsp.wire import EVERYTHING

from promptls.lsp import configuration

TEXT = "# Title\n\nuno dos <|im_start|> \n"
STATUS = "promptls/status"
PUBLISHED = "textDocument/publishDiagnostics"


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "_LOOK_EVERY", 0.02)


class Editor(Connection):
    """A client with a prompt in a folder."""

    def __init__(self, folder: Path, client: str = "vscode", **options: Any) -> None:
        super().__init__()
        self.folder = folder
        self.uri = (folder / "a.md").as_uri()
        folders = [{"uri": folder.as_uri(), "name": "x"}]
        options = {"statusNotifications": True, **options}
        self.start(client, workspaceFolders=folders, initializationOptions=options)

    async def show(self, text: str = TEXT, editor: object = None) -> None:
        self.open(text, self.uri)
        await self.settings_arrive(editor)

    def set(self, text: str, name: str = "promptls.toml", folder: Path | None = None) -> str:
        """Write a settings file; its uri."""
        path = (folder or self.folder) / name
        path.write_text(text, encoding="utf-8", newline="")
        # Two writes within the clock's grain are a change all the same.
        self.written = getattr(self, "written", 0) + 1
        os.utime(path, ns=(self.written, self.written * 10**9))
        return path.as_uri()

    async def encoding_is(self, name: str) -> None:
        """Wait until the prompt is counted with an encoding; minutes, where the machine is busy."""
        for _ in range(3_000):
            response = await self.response(self.ask_command("countTokens", self.uri))
            if response.get("result", {}).get("encoding") == name:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"it is never counted with {name}")

    async def ask_of(self, method: str, **params: Any) -> Any:
        return await self.result(
            f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params}
        )

    async def fixes(self) -> dict[str, Any]:
        """The edit of each quick fix, by its title."""
        actions = await self.ask_of("codeAction", range=EVERYTHING, context={"diagnostics": []})
        return {action["title"]: action["edit"] for action in actions}

    async def allowing(self) -> Any:
        """The edit of the fix that changes the settings; None where it isn't offered."""
        # Of a document that has other settings meanwhile, nothing is offered: one asks again.
        for _ in range(3_000):
            if fixes := await self.fixes():
                break
            await asyncio.sleep(0.02)
        return next((edit for title, edit in fixes.items() if "settings" in title), None)

    def diagnostics(self, uri: str) -> list[tuple[int, int, int, str]] | None:
        """What is shown of a file: line, columns and message; None before anything was said."""
        last = self.last(PUBLISHED, uri=uri)
        return last and [
            (
                each["range"]["start"]["line"],
                each["range"]["start"]["character"],
                each["range"]["end"]["character"],
                each["message"],
            )
            for each in last["diagnostics"]
        ]


# Followed


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
    import base64

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
    changed, stamp = document.changed, document.found.stamp
    editor.set('[project]\nname = "y"', "pyproject.toml")
    await editor.until(lambda: document.found.stamp != stamp)
    assert document.changed == changed


async def test_files_are_never_read_on_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

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
    import threading

    released = threading.Event()
    find = configuration.find_settings  # type: ignore[attr-defined]

    def waits(*asked: Any) -> Any:
        released.wait(600)
        return find(*asked)

    monkeypatch.setattr(configuration, "_PATIENCE", 0.05)
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
    monkeypatch.setattr(configuration, "_PATIENCE", 300)
    editor = Editor(tmp_path)
    await editor.show()
    await editor.encoding_is("o200k_base")
    document = editor.session.documents[editor.uri]
    before, asked = document.changed, len(editor.requests("workspace/configuration"))
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
    assert document.changed == before
    editor.answer(second, [{"encoding": "cl100k_base"}])
    counted = (await editor.response(counting))["result"]
    assert (counted["encoding"], document.changed) == ("cl100k_base", before + 1)


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


# Never silent, never stale


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


# Never damaged


def applied(edit: Any, uri: str, text: str) -> tuple[int | None, str]:
    """The version that an edit is of, and the text after it."""
    (change,) = edit["documentChanges"]
    assert change["textDocument"]["uri"] == uri
    (insertion,) = change["edits"]
    place = insertion["range"]["start"]
    assert insertion["range"]["end"] == place
    lines = text.split("\n")
    line = lines[place["line"]].encode("utf-16-le")
    at = 2 * place["character"]
    new = (line[:at] + insertion["newText"].encode("utf-16-le") + line[at:]).decode("utf-16-le")
    lines[place["line"]] = new
    return change["textDocument"]["version"], "\n".join(lines)


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

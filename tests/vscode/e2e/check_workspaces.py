"""Folders that aren't trusted, another language, and prompts that aren't plain files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.tokenizer import oracle
from tests.vscode.e2e.check_live import expect_counts, expect_hints, expect_total
from tests.vscode.e2e.check_views import ids, inspect
from tests.vscode.e2e.vscode import VSCode
from tests.vscode.e2e.workbench import OwnWindow, Prompt, Window, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def check_an_untrusted_workspace_runs_nothing(own_window: OwnWindow, tmp_path: Path) -> None:
    """Counting works, but no program that the workspace brings or names is run until it is trusted.

    When trust is given, the program is run: this shows that the trap would have snapped.
    """
    folder = tmp_path / "from the internet"
    snapped = set_traps(folder)
    with own_window(folder=folder, trusted=False) as window:
        window.page.locator(".statusbar-item", has_text="Restricted Mode").wait_for()
        window.open(folder / "prompt.txt")
        expect_hints(window)
        assert not snapped.exists()
        window.command("workbench.trust.manage")
        window.page.get_by_role("button", name="Trust", exact=True).first.click()
        eventually(snapped.exists, True)


def check_encodings_wait_for_trust(own_window: OwnWindow, tmp_path: Path) -> None:
    """A workspace's own tokenizer isn't loaded before that, which is said, with the way there."""
    settings = 'encoding = "ours"\n[encodings.ours]\npath = "ours.tiktoken"\npattern = "gpt2"\n'
    (tmp_path / "promptls.toml").write_text(settings)
    with own_window(trusted=False) as window:
        window.open(tmp_path / "prompt.txt")
        eventually(lambda: "No token count" in window.status("No token count"), True)
        eventually(lambda: "trust" in window.language_status(), True)
        assert window.hints() == {}
        window.click_status("No token count")
        window.pick("Manage Workspace Trust")
        window.page.get_by_role("button", name="Trust", exact=True).first.wait_for()


def set_traps(folder: Path) -> Path:
    """A workspace whose settings and environment name a program that leaves the file returned."""
    trap, snapped = folder / ".venv/bin/python", folder.parent / "snapped"
    trap.parent.mkdir(parents=True)
    trap.write_text(f"#!/bin/sh\ntouch '{snapped}'\nexec '{sys.executable}' \"$@\"\n")
    trap.chmod(0o755)
    named = {"promptls.interpreter": str(trap), "promptls.server.path": str(trap)}
    (folder / ".vscode").mkdir()
    (folder / ".vscode/settings.json").write_text(json.dumps(named))
    return snapped


def check_spanish(own_window: OwnWindow, tmp_path: Path) -> None:
    """Commands, messages and numbers are Spanish ones."""
    text = "El niño juega en el jardín.\n" * 2000
    with own_window(text, language="es") as window:
        window.open(tmp_path / "prompt.txt")
        total = oracle.count(text)
        eventually(lambda: f"{total:,}".replace(",", ".") in window.status(), True)
        window.palette("promptls: Elegir codificación o modelo")
        field = window.quick_input
        assert "tokens de esta codificación" in (field.get_attribute("placeholder") or "")
        window.press("Escape")
        with window.settings({"promptls.interpreter": "/nowhere/python"}):
            eventually(lambda: "No se puede iniciar" in "".join(window.toasts()), True)


def check_an_untitled_document(window: Window) -> None:
    window.command("workbench.action.files.newUntitledFile")
    window.focus_editor()
    window.type("an untitled prompt 🙂")
    eventually(window.text, "an untitled prompt 🙂")
    expect_counts(window)


def check_a_renamed_file_goes_on_counting(window: Window, prompt: Prompt) -> None:
    path = prompt("one two three\n")
    expect_hints(window)
    renamed = path.with_stem("renamed")
    window.api(
        """const edit = new vscode.WorkspaceEdit();
           edit.renameFile(...args.map(path => vscode.Uri.file(path)));
           await vscode.workspace.applyEdit(edit)""",
        str(path),
        str(renamed),
    )
    window.open(renamed)
    window.go_to(0, 13)
    window.type(" four")
    eventually(window.text, "one two three four\n")
    expect_counts(window)


def check_a_byte_order_mark_costs_nothing(window: Window, prompt: Prompt) -> None:
    """VS Code takes it off when it reads the file, so it is in nobody's prompt."""
    prompt("\ufeffone two three\n")
    eventually(window.text, "one two three\n")
    expect_counts(window)


def check_the_left_side_of_a_diff_is_left_alone(window: Window, prompt: Prompt) -> None:
    left = prompt("one two three\n")
    right = prompt("one two three four\n")
    window.api(
        "await vscode.commands.executeCommand('vscode.diff', ...args.map(p => vscode.Uri.file(p)))",
        str(left),
        str(right),
    )
    expect_total(window)
    assert window.toasts() == []


def check_each_root_of_a_window_has_its_settings(
    vscode: VSCode, browser: Browser, tmp_path: Path
) -> None:
    """One by its promptls.toml, one by VS Code's settings for the folder, one by neither."""
    text = "El niño juega en el jardín.\n\n漢字とかな 🙂\n"
    roots = {"file": "gpt2", "editor": "cl100k_base", "neither": oracle.DEFAULT}
    for name in roots:
        (tmp_path / name / ".vscode").mkdir(parents=True)
        (tmp_path / name / "prompt.txt").write_text(text)
    (tmp_path / "file/promptls.toml").write_text('encoding = "gpt2"\n')
    editor = {"promptls.encoding": "cl100k_base"}
    (tmp_path / "editor/.vscode/settings.json").write_text(json.dumps(editor))
    several = tmp_path / "several.code-workspace"
    several.write_text(json.dumps({"folders": [{"path": f"./{name}"} for name in roots]}))
    with vscode.window(browser, several) as window:
        for name, encoding in roots.items():
            window.open(tmp_path / name / "prompt.txt")
            expect_counts(window, encoding)
        assert len(window.server_processes) == 1


def check_the_inspector_comes_back_after_a_reload(
    vscode: VSCode, browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("one two three\n")
    expected = oracle.ids(path.read_text())
    with vscode.window(browser, tmp_path) as window:
        window.open(path)
        view = inspect(window)
        eventually(lambda: ids(view), expected)
        reloaded = vscode.reloaded(window)
        eventually(lambda: ids(reloaded.webview("inspector")), expected)

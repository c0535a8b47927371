"""The encoding: chosen in the palette, in the workspace's settings, in promptls.toml."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.vscode.e2e.check_live import expect_counts, expect_hints, expect_total
from tests.vscode.e2e.workbench import Prompt, Window, eventually, project_settings

TEXT = "El niño juega en el jardín.\n\n漢字とかな 🙂\n"


def check_encoding_from_the_palette(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_hints(window)
    choose(window, "gpt2")
    expect_counts(window, "gpt2")
    choose(window, "o200k_base")
    expect_counts(window)


def choose(window: Window, encoding: str) -> None:
    window.palette("Select Encoding or Model")
    window.pick(encoding)
    window.pick("This document")


def check_encoding_in_the_settings_of_the_workspace(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_hints(window)
    with window.settings({"promptls.encoding": "cl100k_base"}):
        expect_counts(window, "cl100k_base")
    expect_hints(window)


def check_promptls_toml_takes_effect_at_once(
    window: Window, prompt: Prompt, workspace: Path
) -> None:
    prompt(TEXT)
    expect_hints(window)
    with project_settings(workspace, 'encoding = "p50k_base"\n'):
        expect_hints(window, "p50k_base")
    expect_hints(window)


def check_the_choice_for_a_document_outlives_the_server(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_hints(window)
    choose(window, "gpt2")
    expect_hints(window, "gpt2")
    (before,) = window.server_processes
    os.kill(before, signal.SIGKILL)
    eventually(lambda: len(window.server_processes - {before}), 1)
    expect_total(window, "gpt2")
    expect_hints(window, "gpt2")
    window.palette("Select Encoding or Model")
    window.pick("What the settings say")
    expect_hints(window)


def check_an_unknown_model_is_said_and_can_be_repaired(
    window: Window, prompt: Prompt, workspace: Path
) -> None:
    """No old number stays; the status bar and the language status say what is wrong."""
    prompt(TEXT)
    expect_total(window)
    with project_settings(workspace, 'model = "gpt-99-nonsense"\n'):
        eventually(lambda: "No token count" in window.status("No token count"), True)
        assert window.status("tokens") == ""
        eventually(window.hints, {})
        eventually(lambda: "gpt-99-nonsense" in window.language_status(), True)
        window.type("x")
        eventually(window.text, "x" + TEXT)
        eventually(window.hints, {})
        window.click_status("No token count")
        assert any("Select Encoding or Model" in pick for pick in window.picks())
        window.pick("Open the Settings File")
        window.page.locator('.tab.active[data-resource-name="promptls.toml"]').wait_for()
    window.press("Control+Shift+Tab")
    window.close_editors()
    prompt(TEXT)
    expect_counts(window)

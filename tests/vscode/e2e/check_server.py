"""The server's life: killed, restarted, not found, and gone when it is no longer needed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.vscode.e2e.check_live import expect_counts, expect_hints
from tests.vscode.e2e.check_views import coloured
from tests.vscode.e2e.workbench import OwnWindow, Prompt, Window, eventually, processes

import promptls


def check_a_killed_server_recovers(window: Window, prompt: Prompt) -> None:
    prompt("one two three\n")
    expect_hints(window)
    (killed,) = window.server_processes
    os.kill(killed, signal.SIGKILL)
    window.go_to(0, 13)
    window.type(" four")
    eventually(window.text, "one two three four\n")
    eventually(lambda: len(window.server_processes - {killed}), 1)
    expect_counts(window)
    assert window.toasts() == []


def check_nothing_stale_remains_of_a_server_that_keeps_ending(
    window: Window, prompt: Prompt
) -> None:
    """No counts, colours or totals; what is wrong stands where they were, until it is repaired."""
    prompt("one two three\n")
    # The servers that other checks have killed no longer count.
    window.command("promptls.restart")
    window.command("promptls.toggleTokenColours")
    try:
        for _ in range(4):
            expect_counts(window)
            eventually(lambda: coloured(window) > 0, True)
            eventually(lambda: len(window.server_processes), 1)
            (dead,) = window.server_processes
            os.kill(dead, signal.SIGKILL)
            eventually(lambda dead=dead: dead in window.server_processes, False)  # type: ignore[misc]
        eventually(lambda: window.status("promptls is stopped") != "", True)
        eventually(window.hints, {})
        eventually(lambda: coloured(window), 0)
        assert window.status("tokens") == ""
        eventually(lambda: "has ended 4 times" in window.language_status(), True)
        assert "has ended 4 times in 3 minutes" in "".join(window.toasts())
        window.click_status("promptls is stopped")
        window.pick("Restart")
        expect_counts(window)
        eventually(lambda: window.status("promptls is stopped"), "")
    finally:
        window.command("promptls.toggleTokenColours")
        window.command("notifications.clearAll")


def check_restarting_from_the_palette(window: Window, prompt: Prompt) -> None:
    """There is one server afterwards, and the one before it is gone."""
    prompt("one two three\n")
    expect_hints(window)
    (before,) = window.server_processes
    window.palette("promptls: Restart Server")
    eventually(lambda: len(window.server_processes - {before}), 1)
    eventually(lambda: before in {pid for pid, *_ in processes()}, False)
    expect_hints(window)
    health = f"promptls {promptls.__version__}, promptls.interpreter"
    eventually(lambda: health in window.language_status(), True)


def check_restarting_many_times_at_once(window: Window, prompt: Prompt) -> None:
    prompt("one two three\n")
    expect_hints(window)
    window.api(
        """await Promise.all([1, 2, 3, 4, 5].map(
             () => vscode.commands.executeCommand("promptls.restart")))"""
    )
    eventually(lambda: len(window.server_processes), 1)
    expect_hints(window)
    assert window.toasts() == []


def check_logs_can_be_shown(window: Window) -> None:
    window.palette("promptls: Show Logs")
    channel = window.page.locator(".panel select").first
    eventually(lambda: channel.locator("option:checked").inner_text(), "promptls")
    window.command("workbench.action.closePanel")


def check_the_bundled_server_is_set_up(own_window: OwnWindow, tmp_path: Path) -> None:
    """With a Python that knows nothing of promptls, the package's own wheels are installed."""
    with own_window(python=f"{sys.base_prefix}/bin/python3") as window:
        window.open(tmp_path / "prompt.txt")
        eventually(lambda: len(window.server_processes), 1, seconds=600)
        expect_counts(window)


def check_a_wrong_interpreter_and_its_repair(own_window: OwnWindow, tmp_path: Path) -> None:
    """One message that names what is wrong; when the setting is repaired, all works."""
    wrong = "/nowhere/bin/python3"
    with own_window(python=wrong) as window:
        window.open(tmp_path / "prompt.txt")
        eventually(lambda: len(window.toasts()), 1)
        (toast,) = window.toasts()
        assert "promptls.interpreter" in toast
        assert wrong in toast
        for button in ("Show Logs", "Restart", "Open Settings"):
            assert button in toast
        eventually(lambda: "promptls can't be started" in window.language_status(), True)
        with window.settings({"promptls.interpreter": sys.executable}):
            expect_hints(window)
            servers = window.server_processes
    # Nothing that VS Code has started may outlive it.
    eventually(lambda: servers & {pid for pid, *_ in processes()}, set())


def check_nothing_starts_without_a_prompt(
    own_window: OwnWindow, tmp_path: Path, measured: Callable[[str], None]
) -> None:
    """The extension isn't activated and, when it is, starts its server only with a prompt."""
    (tmp_path / "program.py").write_text("print('no prompt')\n")
    with own_window() as window:
        window.open(tmp_path / "program.py")
        active = 'return vscode.extensions.getExtension("promptls.promptls").isActive'
        assert window.api(active) is False
        # As VS Code does it for documents of its own, which nobody sees.
        window.api('await vscode.extensions.getExtension("promptls.promptls").activate()')
        time.sleep(2)
        assert window.server_processes == set()
        window.open(tmp_path / "prompt.txt")
        expect_hints(window)
        measured(f"activation: {activation_time(window)}")


def activation_time(window: Window) -> str:
    """What VS Code itself says in "Show Running Extensions", such as `118ms`."""
    # The slowest come first, and only the rows that can be seen are there.
    window.page.set_viewport_size({"width": 1100, "height": 2500})
    window.command("workbench.action.showRuntimeExtensions")
    row = window.page.locator(".runtime-extensions-editor .monaco-list-row", has_text="promptls")
    row.filter(has_not_text="e2e-driver").wait_for()
    text = row.filter(has_not_text="e2e-driver").inner_text()
    return text.rpartition("Activation:")[2].strip()

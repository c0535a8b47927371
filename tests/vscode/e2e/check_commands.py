"""The other commands and menus, and what one reaches without a mouse or without seeing."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.tokenizer import oracle
from tests.vscode.e2e.check_live import expect_hints, expect_total, number
from tests.vscode.e2e.check_views import MANY, TEXT, clipboard, compare, counts, inspect, tokens
from tests.vscode.e2e.vscode import VSCode
from tests.vscode.e2e.workbench import Prompt, Window, eventually, processes

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def check_cumulative_hints(window: Window, prompt: Prompt) -> None:
    """Each line's own tokens, and all up to its end."""
    prompt("one two\n\nthree\nfour five\n")
    with window.settings({"promptls.hints.mode": "cumulative"}):
        total, expected = 0, {}
        for line, count in oracle.line_counts("one two\n\nthree\nfour five\n").items():
            total += count
            expected[line] = [str(count), str(total)]
        eventually(lambda: {n: re.findall(r"\d+", h) for n, h in window.hints().items()}, expected)
    expect_hints(window)


def check_hints_are_switched_off(window: Window, prompt: Prompt) -> None:
    prompt("one two\n")
    expect_hints(window)
    with window.settings({"promptls.hints.mode": "off"}):
        eventually(window.hints, {})
        expect_total(window)
    expect_hints(window)


@pytest.mark.parametrize("mode", ["on", "onUnlessPressed", "offUnlessPressed", "off"])
def check_hints_where_vs_code_s_own_setting_wants_them(
    mode: str, window: Window, prompt: Prompt
) -> None:
    """And each of them once: drawn by the extension or by VS Code."""
    prompt("one two\n")
    expect_hints(window)
    with window.settings({"editor.inlayHints.enabled": mode}):
        if mode.startswith("off"):
            eventually(window.hints, {})
        if mode == "offUnlessPressed":
            window.focus_editor()
            window.page.keyboard.down("Control")
            window.page.keyboard.down("Alt")
        if mode != "off":
            expect_hints(window)
        window.page.keyboard.up("Alt")
        window.page.keyboard.up("Control")
    expect_hints(window)


def check_a_hint_says_what_it_consists_of(window: Window, prompt: Prompt) -> None:
    """Where the mouse is over it, and for the keyboard at the line's end."""
    prompt("one two\nthree\n")
    expect_hints(window)
    total = oracle.count("one two\nthree\n")
    window.go_to(0, 7)
    eventually(lambda: f"{total} in all" in window.hover(), True)
    window.press("Escape")
    window.go_to(1, 0)
    box = window.editor.first.locator('.view-line span[class*="ced-"]').first.bounding_box()
    assert box
    window.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    hover = window.page.locator(".monaco-hover:visible").first
    eventually(lambda: f"{total} in all" in hover.inner_text(), True)
    window.page.mouse.move(450, 5)


def check_token_ids_of_a_selection_are_copied(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_total(window)
    window.select((2, 0), (2, 5))
    window.palette("promptls: Copy Token Ids")
    expected = oracle.ids("漢字とかな")
    eventually(lambda: json.loads(clipboard(window)), expected)


def check_a_budget_is_set_from_the_palette(window: Window, prompt: Prompt) -> None:
    prompt(MANY)
    expect_total(window)
    for entered, shown in (("1k", f"{oracle.count(MANY) // 10}%"), ("", "")):
        window.palette("promptls: Set Budget")
        window.quick_input.fill(entered)
        window.press("Enter")
        window.pick("This workspace")
        eventually(lambda: "".join(re.findall(r"\d+%", window.status())), shown)


def check_a_folder_is_counted(window: Window, workspace: Path) -> None:
    count_folder(window, workspace / "to count", {"a.txt": TEXT, "b.txt": MANY, "c.bin": "\0\1"})
    total = oracle.count(TEXT) + oracle.count(MANY)
    title = window.page.locator(".quick-input-widget:visible .quick-input-title")
    eventually(lambda: number(title.inner_text()), total)
    assert len(window.picks()) == 2


def check_counting_a_folder_is_cancelled(window: Window, workspace: Path) -> None:
    """The program that counts ends, and nothing is shown."""
    folder = workspace / "too much"
    large = "".join(f"{i} palabras 漢字\n" for i in range(2_000_000))
    count_folder(window, folder, {"large.txt": large})
    eventually(lambda: bool(counting(folder)), True)
    window.page.locator(".notification-toast").get_by_role("button", name="Cancel").click()
    eventually(lambda: counting(folder), set(), seconds=5)
    eventually(window.toasts, [])
    assert not window.quick_input.is_visible()


def count_folder(window: Window, folder: Path, texts: dict[str, str]) -> None:
    """Have a new folder counted, which goes on."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    count = "vscode.commands.executeCommand('promptls.countFolder', vscode.Uri.file(args[0]))"
    window.api(count, str(folder))


def counting(folder: Path) -> set[int]:
    return {pid for pid, _, line in processes() if {"count", str(folder)} <= set(line)}


def check_the_walkthrough_has_a_picture_for_each_step(window: Window) -> None:
    window.command("workbench.action.closeSidebar")
    try:
        window.command("workbench.action.openWalkthrough", "promptls.promptls#start", False)
        steps = window.page.locator(".getting-started-step")
        eventually(steps.count, 5)
        picture = window.page.locator(".getting-started-media img")
        pictures: set[str | None] = {None, ""}
        for i in range(5):
            steps.nth(i).click(position={"x": 20, "y": 15})
            eventually(lambda: picture.get_attribute("alt") not in pictures, True)
            eventually(lambda: picture.evaluate("image => image.naturalWidth > 100"), True)
            pictures.add(picture.get_attribute("alt"))
    finally:
        window.command("workbench.view.explorer")


def check_the_editor_s_menu_has_the_commands(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_total(window)
    window.editor.first.locator(".view-line").first.click(button="right")
    items = window.page.locator(".monaco-menu .action-item")
    items.filter(has_text=re.compile("^Tokens$")).hover()
    window.press("ArrowRight")
    items.filter(has_text=re.compile("^Compare Encodings$")).hover()
    window.press("Enter")
    eventually(lambda: tokens(window.webview("compare")), counts(TEXT))


def check_debug_information_names_what_was_tried(window: Window, prompt: Prompt) -> None:
    prompt("Never say this: s3cret")
    expect_total(window)
    window.palette("promptls: Show Debug Information")
    eventually(lambda: sys.executable in window.text(), True)
    assert "s3cret" not in window.text()


def check_comparing_from_the_explorer(window: Window, prompt: Prompt) -> None:
    path = prompt(TEXT)
    window.close_editors()
    row = window.page.locator(".explorer-folders-view .monaco-list-row", has_text=path.name)
    row.click(button="right")
    window.page.locator(".monaco-menu .action-item", has_text="Compare Encodings").first.hover()
    window.press("Enter")
    eventually(lambda: tokens(window.webview("compare")), counts(TEXT))


def check_the_inspector_from_the_keyboard(window: Window, prompt: Prompt) -> None:
    """The arrow keys go from token to token, and Enter selects one in the editor."""
    prompt("one two three\n")
    view = inspect(window)
    eventually(lambda: view.locator("main button").count(), 4)
    view.locator('main button[tabindex="0"]').focus()
    window.press("ArrowRight", "ArrowRight", "Enter")
    selection = """const {start, end} = vscode.window.visibleTextEditors[0].selection;
                   return [start.character, end.character]"""
    eventually(lambda: window.api(selection), [7, 13])


NAMES = {
    "inspector": ("promptls: Inspect Tokens", "two, id "),
    "compare": ("promptls: Compare Encodings", "o200k_base"),
}


@pytest.mark.parametrize("view", NAMES)
def check_names_for_screen_readers(view: str, window: Window, prompt: Prompt) -> None:
    command, name = NAMES[view]
    prompt("one two three\n")
    window.palette(command)
    eventually(lambda: window.webview(view).get_by_role("button", name=name).count(), 1)


def check_columns_say_how_they_are_sorted(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = compare(window)
    eventually(lambda: view.locator('th[aria-sort="ascending"]').inner_text()[:6], "Tokens")
    assert view.locator("th[scope=col]").count() == 6
    assert view.locator("th[scope=row]").count() == 4


def check_control_tokens_are_highlighted(window: Window, prompt: Prompt) -> None:
    """The grammar gives a ChatML marker another colour than the text behind it."""
    prompt("<|im_start|>user\nhello<|im_end|>\n", ".chatml")
    colours = """line => [...line.querySelectorAll("span span")].map(
                   span => [span.textContent, getComputedStyle(span).color])"""
    line = window.editor.locator(".view-line", has_text="im_start").first
    eventually(lambda: len({colour for _, colour in line.evaluate(colours)}) > 1, True)


def check_two_windows_have_a_server_each(
    vscode: VSCode, browser: Browser, window: Window, prompt: Prompt, tmp_path: Path
) -> None:
    prompt("one two three\n")
    expect_hints(window)
    (tmp_path / "other.txt").write_text(TEXT)
    (tmp_path / "promptls.toml").write_text('encoding = "gpt2"\n')
    with vscode.window(browser, folder=tmp_path) as other:
        other.open(tmp_path / "other.txt")
        expect_hints(other, "gpt2")
        expect_hints(window)
        assert len(window.server_processes | other.server_processes) == 2

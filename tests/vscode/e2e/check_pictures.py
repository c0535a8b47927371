"""The pictures for the documentation, of the real prompts in examples/.

They are written into docs/images with `--update-screenshots`, else beside the failures in
.cache/e2e; those of the other themes are only for looking at, and always go there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.vscode.e2e.vscode import FAILURES, ROOT
from tests.vscode.e2e.workbench import Window, eventually

DOCUMENTED = {"editor", "hover", "compare", "inspector", "colours"}
LARGEST = 150_000
# What fixtures give: they open an example, and take a picture, by its name.
Example = Callable[[str], None]
Take = Callable[[str], None]

TIDY = {
    "editor.wordWrap": "on",
    "editor.stickyScroll.enabled": False,
    "breadcrumbs.enabled": False,
    "window.commandCenter": False,
    "workbench.layoutControl.enabled": False,
    "workbench.activityBar.location": "hidden",
}


@pytest.fixture
def example(window: Window, workspace: Path) -> Iterator[Example]:
    """Open one of the examples, in a small window without what isn't the point."""

    def open_example(name: str) -> None:
        shutil.copy(ROOT / "examples" / name, workspace)
        window.open(workspace / name)
        eventually(lambda: "token" in window.status(), True)

    # Where the mouse is when nothing is to be hovered over.
    window.page.mouse.move(450, 5)
    window.page.set_viewport_size({"width": 900, "height": 500})
    window.command("workbench.action.closeSidebar")
    with window.settings(TIDY):
        yield open_example
    window.page.set_viewport_size({"width": 1100, "height": 700})
    window.command("workbench.view.explorer")


@pytest.fixture
def take(window: Window, request: pytest.FixtureRequest) -> Take:
    """Take a picture of the whole window."""
    update = request.config.getoption("--update-screenshots")

    def take_picture(name: str) -> None:
        folder = ROOT / "docs/images" if update and name in DOCUMENTED else FAILURES
        folder.mkdir(parents=True, exist_ok=True)
        picture = folder / f"{name}.png"
        window.page.screenshot(path=picture, animations="disabled", caret="hide")
        assert picture.stat().st_size < LARGEST

    return take_picture


def check_picture_of_hints_and_problems(window: Window, example: Example, take: Take) -> None:
    example("revisar-contrato.prompty")
    eventually(lambda: len(window.diagnostics()) > 0, True)
    window.go_to(window.diagnostics()[-1]["range"][0], 0)
    eventually(lambda: len(window.hints()) > 5, True)
    take("editor")


def check_picture_of_a_hover(window: Window, example: Example, take: Take) -> None:
    example("gijiroku-youyaku.txt")
    eventually(lambda: len(window.hints()) > 5, True)
    window.go_to(10, 35)
    eventually(lambda: "Token" in window.hover(), True)
    take("hover")


def check_picture_of_the_comparison(window: Window, example: Example, take: Take) -> None:
    example("gijiroku-youyaku.txt")
    window.command("promptls.compare")
    view = window.webview("compare")
    eventually(lambda: view.locator("tbody tr").count(), 4)
    take("compare")


def check_picture_of_the_inspector(window: Window, example: Example, take: Take) -> None:
    example("triage-ticket.chatml")
    window.page.set_viewport_size({"width": 900, "height": 420})
    window.command("promptls.inspectTokens")
    view = window.webview("inspector")
    eventually(lambda: view.locator("main button").count() > 50, True)
    take("inspector")


# A theme by its id, and the class that its kind gives to the window.
THEMES = {
    "colours": ("Light Modern", "vs"),
    "colours-dark": ("Dark Modern", "vs-dark"),
    "colours-high-contrast": ("Default High Contrast", "hc-black"),
    "colours-high-contrast-light": ("Default High Contrast Light", "hc-light"),
}


@pytest.mark.parametrize("name", THEMES)
def check_picture_of_token_colours(name: str, window: Window, example: Example, take: Take) -> None:
    example("reply-to-customer.prompt.md")
    theme, kind = THEMES[name]
    with window.settings({"workbench.colorTheme": theme}):
        window.page.locator(f".monaco-workbench.{kind}").wait_for()
        window.command("promptls.toggleTokenColours")
        pieces = window.editor.first.locator('.view-overlays .cdr[class*="ced-"]')
        eventually(lambda: pieces.count() > 50, True)
        take(name)
        window.command("promptls.toggleTokenColours")

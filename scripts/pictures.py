"""Takes the pictures of the walkthrough and of the README in a real VS Code, from examples/.

`make pictures`, which uses what `make e2e` has installed.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.vscode.e2e import toolchain
from tests.vscode.e2e.vscode import VSCode, open_browser
from tests.vscode.e2e.workbench import Window, eventually

ROOT = Path(__file__).parents[1]
MEDIA = ROOT / "client-vscode/media"
EXAMPLE = ROOT / "examples/revisar-contrato.prompty"


def take(window: Window, name: str) -> None:
    window.page.mouse.move(0, 0)
    window.page.wait_for_timeout(800)
    window.page.screenshot(path=MEDIA / f"{name}.png", animations="disabled", caret="hide")


def take_all(window: Window, example: Path) -> None:
    page = window.page
    page.set_viewport_size({"width": 960, "height": 600})
    window.open(example)
    window.command("workbench.action.closeSidebar")
    # What the model sees of it begins below the header.
    window.api("vscode.window.activeTextEditor.revealRange(new vscode.Range(22, 0, 46, 0), 3)")
    eventually(lambda: "token" in window.status() and bool(window.hints()), True, 60)
    take(window, "walkthrough/live")
    finding = window.diagnostics()[0]["range"]
    window.go_to(finding[0], finding[1])
    window.hover()
    take(window, "walkthrough/findings")
    window.press("Escape")
    window.palette("promptls: Select Encoding or Model")
    window.picks()
    take(window, "walkthrough/encoding")
    window.press("Escape")
    window.palette("promptls: Compare Encodings")
    view = window.webview("compare")
    eventually(lambda: view.locator("tbody tr").count() > 3, True)
    window.focus_editor()
    take(window, "walkthrough/compare")
    window.command("promptls.toggleTokenColours")
    window.palette("promptls: Inspect Tokens")
    view = window.webview("inspector")
    eventually(lambda: view.locator("main button").count() > 20, True)
    window.focus_editor()
    take(window, "overview")
    window.command("workbench.action.closePanel")
    take(window, "walkthrough/tokens")


def main() -> None:
    tools = toolchain.install()
    packages = (ROOT / "client-vscode").glob("*.vsix")
    package = max(packages, key=lambda file: file.stat().st_mtime)
    with tempfile.TemporaryDirectory() as folder:
        # The window shows the folder's name.
        workspace = Path(folder, "prompts")
        workspace.mkdir()
        example = Path(shutil.copy(EXAMPLE, workspace))
        settings = {"promptls.interpreter": sys.executable}
        (workspace / ".vscode").mkdir()
        (workspace / ".vscode/settings.json").write_text(json.dumps(settings))
        with (
            open_browser(tools) as browser,
            VSCode(tools, workspace=workspace, extensions=[package]) as vscode,
            vscode.window(browser) as window,
        ):
            take_all(window, example)


if __name__ == "__main__":
    main()

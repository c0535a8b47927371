"""One VS Code window as its user sees it: what stands on the screen, and what keys do."""

from __future__ import annotations

import contextlib
import inspect
import json
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Page

T = TypeVar("T")

# Monaco's lines are positioned absolutely and in no order, so a line is found by its `top`; the
# rows of a line that is wrapped have no number and belong to the one above them. A hint is either
# VS Code's own, which is text among the text, or a decoration, whose text only styles know.
READ_LINES = """editor => {
  const clean = text => text.replace(/\\u00a0/g, " ");
  const top = row => Number.parseInt(row.style.top);
  const numbers = new Map([...editor.querySelectorAll(".margin-view-overlays > div")].map(
    row => [top(row), Number(row.querySelector(".line-numbers")?.textContent)]));
  const drawn = span => {
    const content = getComputedStyle(span, "::after").content;
    return content.startsWith('"') ? JSON.parse(content) : "";
  };
  const lines = [];
  for (const row of [...editor.querySelectorAll(".view-line")].sort((a, b) => top(a) - top(b))) {
    const number = numbers.get(top(row));
    if (number) lines.push({ number, text: "", hint: "" });
    const line = lines.at(-1);
    if (!line) continue;
    for (const span of row.querySelectorAll("span > span")) {
      const text = clean(span.textContent);
      if (span.className.includes("dyn-rule")) line.hint += text.trim();
      else line.text += text;
      if (span.className.includes("ced-")) line.hint += clean(drawn(span)).trim();
    }
  }
  return lines;
}"""


@dataclass(frozen=True)
class Line:
    """A line on the screen: its number from 1, its text, and the hint at its end."""

    number: int
    text: str
    hint: str


class Window:
    """A window that is ready for input."""

    def __init__(self, page: Page, driver_port: int) -> None:
        self.page = page
        self._driver = f"http://127.0.0.1:{driver_port}/"

    # The API of VS Code.

    def api(self, code: str, *args: object, timeout: float = 120) -> Any:
        """Run the body of an async JavaScript function, which sees `vscode` and `args`."""
        body = json.dumps({"code": code, "args": args}).encode()
        with urllib.request.urlopen(self._driver, body, timeout=timeout) as response:
            answer = json.load(response)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def command(self, name: str, *args: object) -> Any:
        """Execute a command by its id."""
        return self.api("return vscode.commands.executeCommand(...args)", name, *args)

    def open(self, path: Path) -> None:
        """Open a file and give its editor the focus."""
        self.api(
            "await vscode.window.showTextDocument(vscode.Uri.file(args[0]), {preview: false})",
            str(path),
        )
        self.page.locator(f'.tab.active[data-resource-name="{path.name}"]').wait_for()
        self.focus_editor()

    def focus_editor(self) -> None:
        self.command("workbench.action.focusActiveEditorGroup")

    def close_editors(self) -> None:
        """Close every editor, without saving."""
        self.api(
            """const tabs = () => vscode.window.tabGroups.all.flatMap(group => group.tabs);
               for (let tries = 0; tabs().length > 0 && tries < 20; tries++)
                 await vscode.commands.executeCommand(
                   "workbench.action.revertAndCloseActiveEditor");"""
        )

    def text(self) -> str:
        """The active document's text, as VS Code has it."""
        return str(self.api("return vscode.window.activeTextEditor.document.getText()"))

    @contextmanager
    def settings(self, changes: Mapping[str, object]) -> Iterator[None]:
        """Write settings into the workspace's settings.json, and take them out again.

        VS Code has noticed the one or the other when this goes on.
        """
        file = self.folder / ".vscode/settings.json"
        file.parent.mkdir(exist_ok=True)
        before = json.loads(file.read_text()) if file.exists() else {}
        self._write_settings(file, {**before, **changes}, changes)
        try:
            yield
        finally:
            self._write_settings(file, before, changes)

    def _write_settings(
        self, file: Path, settings: Mapping[str, object], changed: Iterable[str]
    ) -> None:
        file.write_text(json.dumps(settings))
        read = """const settings = vscode.workspace.getConfiguration();
                  return args[0].map(name => settings.inspect(name)?.workspaceValue ?? null)"""
        names = list(changed)
        eventually(lambda: self.api(read, names), [settings.get(name) for name in names])

    @property
    def folder(self) -> Path:
        """The folder that the window has open."""
        return Path(self.api("return vscode.workspace.workspaceFolders[0].uri.fsPath"))

    @property
    def server_processes(self) -> set[int]:
        """The process ids of the language servers that this window's extension host has started."""
        host = self.api("return process.pid")
        return {pid for pid, parent, line in processes() if parent == host and "serve" in line}

    def go_to(self, line: int, character: int) -> None:
        """Put the cursor at a position that counts from 0, in UTF-16 units."""
        self.select((line, character), (line, character))

    def select(self, *positions: tuple[int, int]) -> None:
        """Select from each first to each second position; several pairs make several cursors."""
        self.api(
            """const editor = vscode.window.activeTextEditor, at = args[0];
               editor.selections = at.flatMap((_, i) => i % 2 ? [] :
                 [new vscode.Selection(...at[i], ...at[i + 1])]);
               editor.revealRange(editor.selection);
               // Selections are set without an answer; a command that follows them has one.
               await vscode.commands.executeCommand(
                 "workbench.action.focusActiveEditorGroup")""",
            positions,
        )

    def diagnostics(self) -> list[dict[str, Any]]:
        """The active document's diagnostics in the order of their places."""
        return list(
            self.api(
                """const uri = vscode.window.activeTextEditor.document.uri;
                   return vscode.languages.getDiagnostics(uri)
                     .map(d => ({rule: d.code?.value ?? d.code, message: d.message,
                                 source: d.source, severity: d.severity,
                                 range: [d.range.start.line, d.range.start.character,
                                         d.range.end.line, d.range.end.character]}))
                     .sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1])"""
            )
        )

    # What stands on the screen.

    @property
    def editor(self) -> Locator:
        return self.page.locator(".editor-group-container.active .editor-instance .monaco-editor")

    def lines(self) -> list[Line]:
        """The lines that are on the screen, from the top."""
        return [Line(**line) for line in self.editor.first.evaluate(READ_LINES)]

    def hints(self) -> dict[int, str]:
        """The hint of each line on the screen that has one, by the line's number from 1."""
        return {line.number: line.hint for line in self.lines() if line.hint}

    def status(self, containing: str = "token") -> str:
        """The text of the status bar item that contains a word, or an empty string."""
        item = self.page.locator(".statusbar-item", has_text=containing)
        return item.first.inner_text().strip() if item.count() else ""

    def language_status(self) -> str:
        """What the extensions say about the active document's language, as it is read aloud."""
        item = self.page.locator('[id="status.languageStatus"]')
        return item.get_attribute("aria-label") or ""

    def click_status(self, containing: str) -> None:
        self.page.locator(".statusbar-item", has_text=containing).first.click()

    def status_label(self, containing: str = "token") -> str:
        """What a screen reader says of the status bar item that contains a word."""
        item = self.page.locator(".statusbar-item", has_text=containing).first
        return item.locator("a").first.get_attribute("aria-label") or ""

    def toasts(self) -> list[str]:
        return self.page.locator(".notification-toast").all_inner_texts()

    def hover(self) -> str:
        """Show the hover at the cursor and return its text; it can be lost, then this fails."""
        # The mouse may rest on what has a hover of its own.
        self.page.mouse.move(700, 500)
        self.command("editor.action.showHover")
        widget = self.page.locator(".monaco-hover:visible").first
        widget.wait_for(timeout=3000)
        return str(widget.inner_text()).replace("\u00a0", " ")

    def webview(self, name: str) -> Frame:
        """The page in a webview, by the class of its body, once it is there."""

        def found() -> Frame | None:
            frames = (f for f in self.page.frames if f.locator(f"body.{name}").count())
            return next(frames, None)

        return awaited(found, f"the webview {name!r}")

    def palette(self, command: str) -> None:
        """Run a command by its title from the command palette."""
        # A key is lost while the focus moves, into a webview or back: it is pressed again.
        eventually(self._open_palette, True)
        self.quick_input.fill(f">{command}")
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=command).first
        row.wait_for()
        row.click()

    def _open_palette(self) -> bool:
        self.press("F1")
        self.quick_input.wait_for(timeout=2_000)
        return self.quick_input.input_value().startswith(">")

    def quick_fix(self, title: str) -> None:
        """Take the first fix at the cursor whose title contains a text, from the keyboard."""
        row = self.page.locator(".action-widget .monaco-list-row", has_text=title).first

        # The list is of the moment: what is found later is not in it, so it is opened again.
        def listed() -> bool:
            self.press("Escape", "Control+.")
            row.wait_for(timeout=5_000)
            return True

        eventually(listed, True)
        if title:
            row.click()
        else:
            self.press("Enter")

    @property
    def quick_input(self) -> Locator:
        """The field of the palette, of a quick pick or of an input box."""
        return self.page.locator(".quick-input-widget:visible input[type=text]").first

    def picks(self) -> list[str]:
        """The rows of the quick pick that is open."""
        rows = self.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row")
        rows.first.wait_for()
        return [row.replace("\u00a0", " ") for row in rows.all_inner_texts()]

    def pick(self, label: str) -> None:
        """Choose a row of the quick pick by typing its label."""
        self.picks()
        self.quick_input.fill(label)
        self.page.locator(".quick-input-list .monaco-list-row", has_text=label).first.wait_for()
        self.page.keyboard.press("Enter")

    def type(self, text: str) -> None:
        """Type into whatever has the focus, one key at a time."""
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def paste(self, text: str) -> None:
        """Put a text on the clipboard and paste it."""
        self.api("await vscode.env.clipboard.writeText(args[0])", text)
        self.page.keyboard.press("Control+V")


# What fixtures give: they write a prompt and open it, and open a VS Code of its own with a window.
Prompt = Callable[..., Path]
OwnWindow = Callable[..., AbstractContextManager[Window]]


@contextmanager
def project_settings(folder: Path, text: str) -> Iterator[None]:
    """A promptls.toml in a folder, for a while."""
    file = folder / "promptls.toml"
    file.write_text(text)
    try:
        yield
    finally:
        file.unlink()


def processes() -> Iterator[tuple[int, int, list[str]]]:
    """Every running process: its id, its parent's id and its command line."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (folder / "cmdline").read_text().split("\0")
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            yield int(folder.name), int(parent), line


# A machine may be busy with other things: what is waited for comes, or never does. In seconds.
PATIENCE = 120


def awaited(find: Callable[[], T | None], what: str) -> T:
    """What `find` comes to find; it may fail in between."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(Exception):
            if found := find():
                return found
        time.sleep(0.1)
    raise TimeoutError(f"waited {PATIENCE} s for {what}")


def eventually(read: Callable[[], object], expected: object, seconds: float = PATIENCE) -> None:
    """Assert that what is read becomes equal to `expected`; `read` may fail in between."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            seen = read()
        except Exception as error:  # noqa: BLE001  The screen may be in the middle of a change.
            seen = error
        if seen == expected:
            return
        if time.monotonic() > deadline:
            raise AssertionError(
                f"waited {seconds} s for {expected!r}, but saw {seen!r} of {source(read)}"
            ) from (seen if isinstance(seen, Exception) else None)
        time.sleep(0.1)


def source(read: Callable[[], object]) -> str:
    """What is read, as it is written where that is known."""
    try:
        return inspect.getsource(read).strip()
    except (TypeError, OSError):
        return repr(read)

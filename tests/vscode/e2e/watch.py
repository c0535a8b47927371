"""What stands on the screen from frame to frame: texts and the numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.vscode.e2e.workbench import READ_LINES, Line, Window, eventually

# Extensions learn of an edit after it is on the screen, and what they then say takes its way back.
# A status bar item says which version of the document they know of by now; VS Code shows what it
# is told in the order in which it is told. The item says so after all others have heard of the
# edit, so that a frame in which it is seen is one in which their answers to the edit are, too.
TELL_VERSIONS = """
  const item = vscode.window.createStatusBarItem("e2e.version", vscode.StatusBarAlignment.Left);
  item.name = "version"; item.show();
  const texts = globalThis.e2eTexts = {};
  const tell = document => {
    texts[document.version] = document.getText();
    const text = `version ${document.version}`;
    setImmediate(() => { item.text = text });
  };
  const { document } = vscode.window.activeTextEditor;
  tell(document);
  const changed = event => { if (event.document === document) tell(document) };
  globalThis.e2eVersions = vscode.Disposable.from(
    item, vscode.workspace.onDidChangeTextDocument(changed));
"""

# What is read in a task right after a frame's callbacks is what that frame paints. What extensions
# know is read at the frame's start, since what comes later isn't painted in it.
WATCH = (
    """() => {
  const read = """
    + READ_LINES
    + """;
  const editor = document.querySelector(
    ".editor-group-container.active .editor-instance .monaco-editor");
  const item = [...document.querySelectorAll(".statusbar-item")].find(
    each => each.textContent.includes("version "));
  const watch = globalThis.e2eWatch = { frames: [], keys: [], stopped: false };
  const pressed = event => watch.keys.push(performance.now());
  addEventListener("keydown", pressed, true);
  const channel = new MessageChannel();
  let known = 0, last = "";
  channel.port1.onmessage = () => {
    const lines = read(editor), frame = JSON.stringify([known, lines]);
    if (frame !== last) watch.frames.push({ time: performance.now(), known, lines });
    last = frame;
  };
  const look = () => {
    if (watch.stopped) { removeEventListener("keydown", pressed, true); return; }
    known = Number(/\\d+/.exec(item.textContent)[0]);
    channel.port2.postMessage(null);
    requestAnimationFrame(look);
  };
  look();
}"""
)


@dataclass(frozen=True)
class Frame:
    """What was painted from a time on, in milliseconds, and the version known to extensions."""

    time: float
    known: int
    lines: list[Line]

    @property
    def text(self) -> str:
        """The whole text, of a document that fits on the screen."""
        return "\n".join(line.text for line in self.lines)


@dataclass
class Watched:
    """The frames and the times of the keys, in milliseconds, and the document's versions."""

    frames: list[Frame] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)


@contextmanager
def watching(window: Window) -> Iterator[Watched]:
    """Watch the active editor; what was seen is there when this ends."""
    watched = Watched()
    window.api(TELL_VERSIONS)
    try:
        eventually(lambda: "version" in window.status("version"), True)
        window.page.evaluate(WATCH)
        yield watched
        seen: dict[str, Any] = window.page.evaluate(
            "() => { e2eWatch.stopped = true; return e2eWatch }"
        )
        watched.keys = seen["keys"]
        watched.frames = [
            Frame(frame["time"], frame["known"], [Line(**line) for line in frame["lines"]])
            for frame in seen["frames"]
        ]
        texts = window.api("return globalThis.e2eTexts")
        watched.texts = {int(version): text for version, text in texts.items()}
    finally:
        window.api("globalThis.e2eVersions.dispose()")

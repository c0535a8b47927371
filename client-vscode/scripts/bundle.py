"""Puts the server and its wheels, for one platform and every supported Python, into bundled/.

`python client-vscode/scripts/bundle.py linux-x64`; the platforms are those of VS Code's packages.
Wheels that are there already are kept, so that only the first run needs the package index. A wheel
whose hash isn't among those in bundled-requirements.txt is refused, here and where it is installed.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from pip._vendor.packaging.requirements import Requirement

CLIENT = Path(__file__).resolve().parents[1]
REQUIREMENTS = Path(__file__).with_name("bundled-requirements.txt")
WHEELS = CLIENT / "bundled/wheels"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# The one that installs the others.
INSTALLER = "pip"
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux2014_x86_64", "manylinux_2_5_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux2014_aarch64"),
    "alpine-x64": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
    "alpine-arm64": ("musllinux_1_2_aarch64", "musllinux_1_1_aarch64"),
    "darwin-x64": ("macosx_10_15_x86_64", "macosx_11_0_x86_64", "macosx_10_9_x86_64"),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
}


def bundle(target: str) -> None:
    """Make bundled/ complete for a platform."""
    text = REQUIREMENTS.read_text()
    stamp = CLIENT / "bundled/wheels.txt"
    wanted = "\n".join([target, *PYTHONS, text])
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(WHEELS, ignore_errors=True)
        for python in PYTHONS:
            download(python, PLATFORMS[target], needed_by(python, pinned(text)))
        stamp.write_text(wanted)
    promptls = build_promptls()
    version = promptls.name.split("-")[1]
    others = [str(pin) for pin in pinned(text) if pin.requirement.name != INSTALLER]
    own = f"promptls=={version} --hash=sha256:{sha256(promptls)}"
    (CLIENT / "bundled/requirements.txt").write_text("\n".join([own, *others, ""]))
    installer = next(WHEELS.glob(f"{INSTALLER}-*.whl"))
    about = {"version": version, "id": fingerprint()}
    about |= {"installer": installer.name, "installerHash": sha256(installer)}
    (CLIENT / "bundled/bundle.json").write_text(json.dumps(about) + "\n")


class Pin(NamedTuple):
    """A version of a package, and the hashes that its files may have."""

    requirement: Requirement
    hashes: tuple[str, ...]

    def __str__(self) -> str:
        return " --hash=".join([str(self.requirement), *self.hashes])


def pinned(text: str) -> list[Pin]:
    """What bundled-requirements.txt says, in which a line can go on behind a backslash."""
    lines = re.sub(r"\\\n\s*", " ", text).split("\n")
    parts = [re.split(r"\s*--hash=", line.strip()) for line in lines if line.strip()]
    return [Pin(Requirement(each), (*hashes,)) for each, *hashes in parts if each[0] != "#"]


def needed_by(python: str, pins: list[Pin]) -> list[Pin]:
    """What a Python needs, without markers: pip would apply them to the Python that runs it."""
    of_python = {"python_version": python, "python_full_version": f"{python}.0"}
    return [
        pin._replace(requirement=Requirement(f"{requirement.name}{requirement.specifier}"))
        for pin in pins
        if not (requirement := pin.requirement).marker or requirement.marker.evaluate(of_python)
    ]


def download(python: str, platforms: tuple[str, ...], pins: list[Pin]) -> None:
    tags = [option for platform in platforms for option in ("--platform", platform)]
    options = ["--no-deps", "--only-binary=:all:", "--python-version", python, *tags]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{pin}\n" for pin in pins))
        file.flush()
        # It refuses whatever has another hash, and also what has none here.
        options += ["--require-hashes", "--requirement", file.name]
        pip("download", "--dest", str(WHEELS), *options)


def build_promptls() -> Path:
    """Build the wheel of promptls anew."""
    for old in WHEELS.glob("promptls-*.whl"):
        old.unlink()
    pip("wheel", "--no-deps", "--wheel-dir", str(WHEELS), str(CLIENT.parent))
    return next(WHEELS.glob("promptls-*.whl"))


def fingerprint() -> str:
    """Changes whenever anything in the bundle does."""
    digest = hashlib.sha256()
    for wheel in sorted(WHEELS.iterdir()):
        digest.update(f"{wheel.name} {sha256(wheel)}".encode())
    return digest.hexdigest()[:12]


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def pip(*arguments: str) -> None:
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", *quiet, *arguments], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PLATFORMS:
        sys.exit(f"Usage: bundle.py {'|'.join(PLATFORMS)}")
    bundle(sys.argv[1])

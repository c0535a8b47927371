"""Puts the server and its wheels, for one platform and every supported Python, into bundled/.

`python client-vscode/scripts/bundle.py linux-x64`; the platforms are those of VS Code's packages.
Wheels that are there already are kept, so that only the first run needs the package index.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

CLIENT = Path(__file__).resolve().parents[1]
REQUIREMENTS = Path(__file__).with_name("bundled-requirements.txt")
WHEELS = CLIENT / "bundled/wheels"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# The wheel that installs the others, since a Python may come without pip.
INSTALLER = "pip==26.3"
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
    requirements = REQUIREMENTS.read_text()
    stamp = CLIENT / "bundled/wheels.txt"
    wanted = "\n".join([target, *PYTHONS, INSTALLER, requirements])
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(WHEELS, ignore_errors=True)
        for python in PYTHONS:
            download(python, PLATFORMS[target], needed_by(python, requirements))
        stamp.write_text(wanted)
    promptls = build_promptls()
    (CLIENT / "bundled/requirements.txt").write_text(f"promptls\n{requirements}")
    description = {"version": promptls.name.split("-")[1], "id": fingerprint()}
    (CLIENT / "bundled/bundle.json").write_text(json.dumps(description) + "\n")


def needed_by(python: str, requirements: str) -> list[str]:
    """What a Python needs, without markers: pip would apply them to the Python that runs it."""
    parsed = [
        Requirement(line) for line in requirements.splitlines() if line and not line.startswith("#")
    ]
    return [
        f"{requirement.name}{requirement.specifier}"
        for requirement in parsed
        if not requirement.marker or requirement.marker.evaluate({"python_version": python})
    ]


def download(python: str, platforms: tuple[str, ...], requirements: list[str]) -> None:
    tags = [option for platform in platforms for option in ("--platform", platform)]
    options = ["--no-deps", "--only-binary=:all:", "--python-version", python, *tags]
    pip("download", "--dest", str(WHEELS), *options, INSTALLER, *requirements)


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
        digest.update(wheel.name.encode() + hashlib.sha256(wheel.read_bytes()).digest())
    return digest.hexdigest()[:12]


def pip(*arguments: str) -> None:
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", *quiet, *arguments], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PLATFORMS:
        sys.exit(f"Usage: bundle.py {'|'.join(PLATFORMS)}")
    bundle(sys.argv[1])

"""The extension's settings are the server's: package.json is what the dataclass generates."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[3] / "client-vscode/scripts/settings.py"


def test_the_manifest_has_the_settings_of_the_server() -> None:
    done = subprocess.run(
        [sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr

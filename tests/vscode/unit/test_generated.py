"""What the extension has from the server is what its generators write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "client-vscode/scripts"


@pytest.mark.parametrize("name", ["settings.py", "formats.py", "contract.py"])
def test_what_is_generated_is_up_to_date(name: str) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPTS / name, "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")

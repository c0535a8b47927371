"""docs/formats.md says what the registry says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, "scripts/format_docs.py", "--check"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0

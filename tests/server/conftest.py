"""A folder of its own for every test that wants one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import COLOUR


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one; no settings file is above it, nothing coloured."""
    for name in COLOUR:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path

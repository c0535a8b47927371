"""A folder of its own for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one; no settings file is above it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path

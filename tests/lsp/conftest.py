"""Servers and clients that several files of tests start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.lsp.wire import Wire

from promptls.lsp import configuration


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A server of the test's own, not yet initialized."""
    with Wire() as wire:
        yield wire


@pytest.fixture
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server in this process looks for changed settings files all the time."""
    monkeypatch.setattr(configuration, "_LOOK_EVERY", 0.02)

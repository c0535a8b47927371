"""One module for each request that the server answers; each registers its own handlers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..app import Server

MODULES = (
    "code_action",
    "code_lens",
    "commands",
    "configuration",
    "diagnostics",
    "document_symbol",
    "folding_range",
    "hover",
    "inlay_hint",
    "selection_range",
    "semantic_tokens",
    "settings_files",
    "status",
    "synchronization",
)


def register_all(server: Server) -> None:
    """Let every feature register its handlers."""
    for module in MODULES:
        import_module(f"{__name__}.{module}").register(server)

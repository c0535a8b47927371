"""Every figure in docs/tokenization.md is what its command prints; UPDATE_DOCS=1 writes it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from tests.server.cli.test_docs import CONSOLE, ROOT, rerun

PAGE = ROOT / "docs/tokenization.md"


def without_times(page: str) -> str:
    return re.sub(r"\d+\.\d s$", "0.0 s", page, flags=re.MULTILINE)


def test_the_page_shows_what_is_printed(here: Path) -> None:
    shutil.copytree(ROOT / "docs/tokenization", here, dirs_exist_ok=True)
    page = PAGE.read_text("utf-8")
    now = rerun(page)
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(now, encoding="utf-8")
    else:
        assert without_times(now) == without_times(page)
    assert "promptls: " not in now
    assert "Traceback" not in now


def test_each_block_shows_something() -> None:
    blocks = CONSOLE.findall(PAGE.read_text("utf-8"))
    assert len(blocks) > 20
    for block in blocks:
        assert re.search(r"^(?!\$ )", block, re.MULTILINE), block

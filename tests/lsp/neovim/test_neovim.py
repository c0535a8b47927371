"""The real server in a real Neovim, configured as docs/editors/neovim.md says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tokenizer import oracle

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs/editors/neovim.md"
NVIM = os.environ.get("PROMPTLS_NVIM") or shutil.which("nvim") or ""
PROMPT = "El niño juega en el jardín.\n🙂 漢字 <|endoftext|> fin\n\nSay hel\u200blo."

pytestmark = pytest.mark.skipif(not NVIM, reason="Neovim is not installed; `make e2e` brings one")


def documented_configuration() -> str:
    """The first block of Lua in the page, which is the one that users copy."""
    block = re.search(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    return block[1]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the session in session.lua saw."""
    folder = tmp_path_factory.mktemp("neovim")
    configuration, file = folder / "init.lua", folder / "prompt 🙂.txt"
    configuration.write_text(documented_configuration(), encoding="utf-8")
    file.write_bytes(PROMPT.encode())
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        [NVIM, "--clean", "--headless", "-l", HERE / "session.lua", configuration, file],
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def counts(hints: dict[str, dict[str, Any]]) -> dict[int, int]:
    return {int(line): int(re.findall(r"\d+", hint["label"])[0]) for line, hint in hints.items()}


def test_utf_8_is_negotiated(seen: dict[str, Any]) -> None:
    assert seen["encoding"] == "utf-8"


def test_hints_are_tiktoken_s_counts(seen: dict[str, Any]) -> None:
    assert counts(seen["hints"]) == oracle.line_counts(PROMPT)


def test_hints_stand_at_the_end_of_the_line_in_bytes(seen: dict[str, Any]) -> None:
    lines = PROMPT.split("\n")
    for number, hint in seen["hints"].items():
        assert hint["column"] == len(lines[int(number) - 1].encode())


def test_hints_follow_typing(seen: dict[str, Any]) -> None:
    # Neovim ends its last line with a newline, which its buffer doesn't show.
    assert "fin and é more 🙂\n" in seen["typed_text"]
    text = PROMPT.replace("fin\n", "fin and é more 🙂\n")
    assert counts(seen["typed_hints"]) == oracle.line_counts(text)


def test_hover_names_the_token(seen: dict[str, Any]) -> None:
    first = oracle.ids(PROMPT)[0]
    assert str(first) in seen["hover"]
    assert oracle.encoding().decode([first]) in seen["hover"]


def test_diagnostics_have_byte_columns(seen: dict[str, Any]) -> None:
    lines = PROMPT.split("\n")
    special = lines[1].encode().index(b"<|endoftext|>")
    found = {each["rule"]: each for each in seen["diagnostics"]}
    assert {each["source"] for each in found.values()} == {"promptls"}
    assert (found["special-token"]["line"], found["special-token"]["from"]) == (2, special)


def test_fix_all_fixes_what_is_safe(seen: dict[str, Any]) -> None:
    assert seen["fixed_text"].endswith("Say hello.\n")
    assert "<|endoftext|>" in seen["fixed_text"]

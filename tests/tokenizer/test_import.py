"""What importing costs, and that counting needs no network: in a fresh interpreter each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tokenizer import oracle

# Refuses what reaches for the network, and what would start a program that could.
NO_NETWORK = """
import sys

def refuse(event, args):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.posix_spawn", "os.exec")):
        raise RuntimeError(f"refused: {event}")

sys.addaudithook(refuse)
"""

# Notes each file that is opened.
WATCH_FILES = """
import sys

opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
"""


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with nobody's home, cache or settings."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {
        key: os.environ[key] for key in ("PATH", "PYTHONPATH", "SYSTEMROOT") if key in os.environ
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        env=kept
        | {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def run_json(code: str, folder: Path, **environment: str) -> object:
    process = run(code, folder, **environment)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


TEXT = "Los tokenizadores, 漢字 <|endoftext|>  \n\n"


def test_every_encoding_works_without_network_or_cache(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    code = f"""{NO_NETWORK}
import json, subword
print(json.dumps({{
    name: subword.get_encoding(name).encode({TEXT!r}, special="control")
    for name in subword.list_encodings()
}}))"""
    ids = run_json(code, tmp_path, TIKTOKEN_CACHE_DIR=str(cache), TMPDIR=str(cache))
    assert isinstance(ids, dict)
    assert ids == ids | {
        name: oracle.encoding(name).encode(TEXT, allowed_special="all") for name in oracle.NAMES
    }
    assert not list(cache.iterdir())
    assert not list((tmp_path / "home").iterdir())


def test_the_network_is_really_refused(tmp_path: Path) -> None:
    """tiktoken itself can't do under these conditions what the test above shows us doing."""
    code = f"{NO_NETWORK}\nimport tiktoken\ntiktoken.get_encoding('gpt2')"
    process = run(code, tmp_path, TIKTOKEN_CACHE_DIR="")
    assert process.returncode == 1
    assert "refused: socket." in process.stderr


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import subword", {"tiktoken", "regex", "importlib.resources", "promptls", "json"}),
        ("import subword; subword.list_encodings; subword.__all__", {"regex", "promptls"}),
        ("import subword; subword.get_encoding('gpt2').split('a\\n\\nb')", {"regex", "promptls"}),
    ],
)
def test_what_an_import_does_not_load(code: str, absent: set[str], tmp_path: Path) -> None:
    listing = "import sys; loaded = [*sys.modules]; import json; print(json.dumps(loaded))"
    loaded = run_json(f"{code}\n{listing}", tmp_path)
    assert isinstance(loaded, list)
    assert "subword" in loaded
    assert not absent.intersection(loaded)


def data_files_opened(code: str, folder: Path) -> list[str]:
    code = f"{WATCH_FILES}\n{code}\nimport json; print(json.dumps(opened))"
    opened = run_json(code, folder)
    assert isinstance(opened, list)
    assert opened, "the hook must at least see the modules themselves"
    code_suffixes = (".py", ".pyc", ".so", ".pyd", ".zip")
    paths = [path for path in opened if "subword" in path or "promptls" in path]
    return [Path(path).name for path in paths if not path.endswith(code_suffixes)]


EVERY_MODULE = """
import importlib, pkgutil, subword
for module in pkgutil.walk_packages(subword.__path__, "subword."):
    importlib.import_module(module.name)
"""


def test_importing_the_engine_reads_no_data(tmp_path: Path) -> None:
    assert data_files_opened(EVERY_MODULE, tmp_path) == []


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("subword.get_encoding('gpt2').encode('hola')", ["r50k.ranks"]),
        (
            "subword.get_encoding('o200k_base'); subword.get_encoding('o200k_harmony')",
            ["o200k.ranks"],
        ),
        (
            "subword.get_encoding('cl100k_base').count(' ' * 2_000_000 + 'a')",
            ["cl100k.ranks", "unicode.json"],
        ),
    ],
)
def test_data_is_read_once_and_when_needed(call: str, expected: list[str], tmp_path: Path) -> None:
    assert data_files_opened(f"import subword; {call}", tmp_path) == expected


def test_public_names_are_there_and_others_are_not() -> None:
    import subword

    assert dir(subword) == subword.__all__
    assert all(getattr(subword, name).__name__ for name in subword.__all__ if name != "SpecialMode")
    with pytest.raises(AttributeError, match="'subword' has no attribute 'get_tokens'"):
        subword.get_tokens  # noqa: B018

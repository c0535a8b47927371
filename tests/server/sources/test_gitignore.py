"""Patterns with many stars fit what Git says, and end soon; test_files.py has the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.server.cli.running import git

from promptls.sources.gitignore import fits

PATHS = ["a", "ab", "b/a", "ab/ba", "a.b/ab/b", "*a", "[a]", "a/b/a/b", "aab/a.b/ba"]
PATTERNS = [
    "*a*b*",
    "*a*?*",
    "**/a*/**/*b",
    "/***/[^b]*?",
    "\\**a**",
    "*[!a]*.*b",
    "a*/**/*b*",
    "/*/*/*",
    "*/*b/*",
    "***",
    "\\[*]***",
    "[[]*]**",
    "!*a*b*c",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_fits_what_git_says(tmp_path: Path, pattern: str) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text(f"{pattern}\n")
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=tmp_path,
        input="\0".join(PATHS).encode(),
        capture_output=True,
    )
    ignored = [path for path in PATHS if not pattern.startswith("!") and reaches(pattern, path)]
    assert ignored == [path for path in done.stdout.decode().split("\0") if path]


def reaches(pattern: str, path: str) -> bool:
    """Whether a path or a folder that it is in fits."""
    parts = path.split("/")
    folders = ["/".join(parts[:n]) + "/" for n in range(1, len(parts))]
    return any(fits(pattern, each) for each in (*folders, path))


HOSTILE = [("*a" * 40 + "*b", "a" * 255), ("**/a/" * 30 + "b", "a/" * 1000 + "c")]


@pytest.mark.parametrize(("pattern", "path"), HOSTILE, ids=["stars", "folders"])
def test_stars_that_would_never_end(pattern: str, path: str) -> None:
    assert not fits(pattern, path)

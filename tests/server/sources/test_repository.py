"""A file has one path in its repository, however it is reached; Git is the judge."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.server.cli.running import git, run, write

from promptls.reports.sarif import uri
from promptls.sources.repository import path_in_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    write(top, {"a.md": "<|endoftext|>", "sub/b.md": "<|endoftext|>", "sub/deep/c.md": "x"})
    (top / "alias").symlink_to("sub")
    (top / "sub/link.md").symlink_to("../a.md")
    (tmp_path / "elsewhere").symlink_to("top/sub")
    git(top, "init", "-q")
    git(top, "add", ".")
    return top


WAYS = [
    # The current folder, what is typed, and what Git calls it.
    ("top", "a.md", "a.md"),
    ("top", "./sub/../a.md", "a.md"),
    ("top/sub", "b.md", "sub/b.md"),
    ("top/sub", "../a.md", "a.md"),
    ("top/sub/deep", "../../sub/b.md", "sub/b.md"),
    ("top/sub", "link.md", "sub/link.md"),
    ("top", "alias/b.md", "sub/b.md"),
    ("top/alias", "b.md", "sub/b.md"),
    ("elsewhere", "b.md", "sub/b.md"),
    ("elsewhere", "../a.md", "a.md"),
    (".", "top/sub/b.md", "sub/b.md"),
    (".", "elsewhere/b.md", "sub/b.md"),
]


@pytest.mark.parametrize("is_absolute", [False, True])
@pytest.mark.parametrize(("folder", "typed", "expected"), WAYS)
def test_however_it_is_reached(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    typed: str,
    expected: str,
    is_absolute: bool,
) -> None:
    monkeypatch.chdir(repository.parent / folder)
    typed = str(repository.parent / folder / typed) if is_absolute else typed
    assert path_in_repository(typed) == expected
    git(repository, "ls-files", "--error-unmatch", "--", expected)


@pytest.mark.parametrize("typed", ["b.md", "../sub/b.md", "ABSOLUTE"])
def test_the_reports_of_one_file_are_the_same(
    repository: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.chdir(repository.parent / "elsewhere")
    typed = str(repository / "alias/b.md") if typed == "ABSOLUTE" else typed
    (issue,) = run("check", typed, "--output-format", "gitlab").json
    assert issue["location"]["path"] == "sub/b.md"
    (result,) = run("check", typed, "--output-format", "sarif").json["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "sub/b.md"}
    assert "file=sub/b.md," in run("check", typed, "--output-format", "github").text
    monkeypatch.chdir(repository)
    (other,) = run("check", "sub/b.md", "--output-format", "gitlab").json
    assert other["fingerprint"] == issue["fingerprint"]


def test_a_baseline_knows_a_file_by_any_name(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    assert run("check", "sub", "--baseline", "x.json", "--write-baseline").code == 0
    for typed in ("sub", "./sub/", str(repository / "sub/b.md"), "alias/b.md"):
        assert run("check", typed, "--baseline", "x.json").code == 0
    assert run("check", "a.md", "--baseline", "x.json").code == 1


def test_in_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a/x.md": "", "b/y.md": ""})
    monkeypatch.chdir(tmp_path / "a")
    assert path_in_repository("x.md") == "x.md"
    outside = path_in_repository("../b/y.md")
    assert outside == (Path(os.path.realpath(tmp_path)) / "b/y.md").as_posix()
    assert uri(outside) == f"file://{outside}"
    assert path_in_repository("-") == "-"


URIS = [("a b.md", "a%20b.md"), ("C:/a.md", "file:///C:/a.md"), ("é/%.md", "%C3%A9/%25.md")]


@pytest.mark.parametrize(("path", "expected"), URIS)
def test_uris(path: str, expected: str) -> None:
    assert uri(path) == expected

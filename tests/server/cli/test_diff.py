"""`promptls diff`, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import check_refused, commit, git, run, write
from tests.tokenizer import oracle

LONG = "Una frase que no cambia.\n" * 8


@pytest.fixture
def repository(here: Path) -> Path:
    """Three prompts and a program, committed; then each is changed in a way of its own."""
    write(here, {"a.txt": "uno dos\n", "gone.md": "adiós\n", "sub/old name.md": LONG, "x.py": "1"})
    commit(here, "first")
    git(here, "tag", "v1")
    write(here, {"a.txt": "uno dos tres cuatro\n", "sub/ñ.md": LONG + "Y otra.\n", "x.py": "2"})
    (here / "gone.md").unlink()
    (here / "sub/old name.md").unlink()
    git(here, "add", "-A")
    write(here, {"new.txt": "hola"})
    return here


def summary(*arguments: str) -> list[tuple[str, int | None, int | None]]:
    rows = run("diff", "--json", *arguments).json["files"]
    return [(row["path"], row["before"], row["after"]) for row in rows]


def test_what_changed(repository: Path) -> None:
    rows = summary()
    assert [path for path, _, _ in rows] == ["a.txt", "gone.md", "new.txt", "sub/ñ.md"]
    a, gone, new, renamed = rows
    assert gone[2] is None and gone[1]
    assert new[1:] == (None, 1)
    assert renamed[1] and renamed[2] and renamed[2] > renamed[1] > 30
    assert a[2] == run("count", "--json", "a.txt").json["total"]
    assert summary("v1") == rows


def test_a_repository_without_commits(here: Path) -> None:
    write(here, {"a.txt": "hola"})
    git(here, "init", "-q")
    check_refused(run("diff"), "has no commit yet, so there is nothing to compare with\n")


def test_paths_and_revisions(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [row[0] for row in summary("a.txt", "new.txt")] == ["a.txt", "new.txt"]
    assert [row[0] for row in summary("v1", "sub")] == ["sub/ñ.md"]
    check_refused(run("diff", "v2"), "v2: is neither a revision")
    monkeypatch.chdir(repository / "sub")
    assert [row[0] for row in summary()] == ["ñ.md"]
    git(repository, "commit", "-q", "-m", "second")
    assert summary() == []
    assert run("diff").text == "No prompt file has another number of tokens than at HEAD.\n"


def test_the_table(repository: Path) -> None:
    lines = run("diff").text.split("\n")
    assert lines[0].split() == ["before", "now", "change", "file"]
    assert lines[2].split() == ["2", "–", "-2", "deleted", "gone.md"] or "deleted" in lines[2]
    assert "new" in lines[3] and lines[-2].endswith("total")


def test_markdown_for_a_pull_request(repository: Path) -> None:
    lines = run("diff", "--markdown", "v1").text.strip().split("\n")
    assert lines[0] == "| Prompt | Tokens at `v1` | Now | Change | |"
    assert {line.count("|") for line in lines} == {6}
    assert lines[4].startswith("| `new.txt` | – | 1 | +1 | new |")
    assert lines[-1].startswith("| **total** |")


def test_line_ends_as_a_checkout_has_them(here: Path) -> None:
    """Git keeps LF where the files have CRLF; that is no change of the prompt."""
    before = "|\r\n|---|\r\n"
    assert oracle.count(before) != oracle.count(before.replace("\r\n", "\n"))
    write(here, {".gitattributes": "*.txt text eol=crlf\n", "a.txt": before})
    commit(here, "first")
    after = f"{before}cuatro\r\n"
    write(here, {"a.txt": after})
    assert summary() == [("a.txt", oracle.count(before), oracle.count(after))]


def test_text_that_cannot_be_read_is_said(repository: Path) -> None:
    write(repository, {"a.txt": b"caf\xe9"})
    check_refused(run("diff", "--json"), "a.txt: isn't UTF-8")


def test_links_are_no_prompts(repository: Path) -> None:
    (repository / "link.txt").symlink_to("a.txt")
    (repository / "moved.txt").symlink_to("a.txt")
    commit(repository, "second")
    (repository / "link.txt").unlink()
    (repository / "moved.txt").rename(repository / "moved again.txt")
    git(repository, "add", "-A")
    write(repository, {"a.txt": "uno"})
    assert [row[0] for row in summary()] == ["a.txt"]

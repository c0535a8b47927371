"""CLAUDE.md's imports: which files they are, and what they cost, by tiktoken."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import run, write
from tests.tokenizer import oracle

from promptls.sources.claude_imports import has_imports, imported, missing, paths


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See @README for an overview and @package.json.", ["README", "package.json"]),
        ("- git workflow @docs/git-instructions.md", ["docs/git-instructions.md"]),
        ("@~/.claude/mine.md\n@/etc/motd", ["~/.claude/mine.md", "/etc/motd"]),
        ("(@a.md), @b.md; «@ñandú/漢字.md»", ["a.md", "b.md", "ñandú/漢字.md»"]),
        ("`@anthropic-ai/claude-code` and ``x ` @y``", []),
        ("```\n@in/code.md\n```\n@out.md", ["out.md"]),
        ("mail me@example.org, @@x", []),
        ("", []),
    ],
)
def test_which_paths_are_imports(text: str, expected: list[str]) -> None:
    assert list(paths(text)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("CLAUDE.md", True), ("a/Claude.local.md", True), ("AGENTS.md", False), (None, False)],
)
def test_which_files_import(path: str | None, expected: bool) -> None:
    assert has_imports(path) is expected


def test_imports_are_followed_five_deep_and_each_is_read_once(tmp_path: Path) -> None:
    for number in range(8):
        text = f"{number} @{number + 1}.md @0.md @CLAUDE.md @missing.md"
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0")
    main = tmp_path / "CLAUDE.md"
    found = imported(main, "@0.md @image.png @.")
    assert [path.name for path, _ in found] == ["0.md", "1.md", "2.md", "3.md", "4.md"]


@pytest.mark.parametrize("name", ["~nobody-of-that-name/a.md", "a\0.md", "x" * 5000 + ".md"])
def test_no_name_in_a_text_is_an_error(tmp_path: Path, name: str) -> None:
    assert imported(tmp_path / "CLAUDE.md", f"@{name}") == []
    assert missing(tmp_path / "CLAUDE.md", f"@{name}") == [name]


def test_count_shows_them_apart(here: Path) -> None:
    text, rules = "Sé breve. @rules.md @ruels.md @ana `@no.md`\n", "Habla español. 😀\n"
    write(here, {"CLAUDE.md": text, "rules.md": rules})
    [row] = run("count", "CLAUDE.md", "--json").json["files"]
    tokens = oracle.count(rules)
    assert row["tokens"] == oracle.count(text)
    assert row["imports"] == {"files": 1, "tokens": tokens, "missing": 1}
    assert f"+ {tokens} in 1 import · 1 import not found" in run("count", "CLAUDE.md").text

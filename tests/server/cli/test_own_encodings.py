"""A tokenizer of one's own that can't be used is one clear line, in every command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.server.cli.running import check_refused, run, write

from subword import BPE

COMMANDS = [
    ("count", "a.txt"),
    ("check", "a.txt"),
    ("split", "a.txt"),
    ("compare", "a.txt", "--encodings", "mine"),
    ("explain", "--encoding", "mine", "hello"),
]


@pytest.fixture
def folder(here: Path) -> Path:
    BPE().save(here / "bytes.tiktoken")
    write(here, {"a.txt": "hello world"})
    return here


def settings(path: str, pattern: str | None = None) -> str:
    given = "" if pattern is None else f"\npattern = '''{pattern}'''"
    return f'encoding = "mine"\n[encodings.mine]\npath = "{path}"{given}\n'


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (None, "mine: a .tiktoken file doesn't say how it splits texts"),
        ("(", "mine: its split pattern can't be used"),
        ("a", "mine: its split pattern does not match every text"),
        ("a*", "mine: its split pattern matches where there is nothing"),
        (r"(a*)*b|[\s\S]", "mine: its split pattern takes"),
    ],
)
def test_a_pattern(
    folder: Path, command: tuple[str, ...], pattern: str | None, message: str
) -> None:
    write(folder, {"promptls.toml": settings("bytes.tiktoken", pattern)})
    check_refused(run(*command), message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"model": {"type": "BPE", "vocab": {"a"', "not JSON"),
        (b'{"model": {"type": "BPE"}}', "not a tokenizer.json"),
        (b"YQ== 0\nYg==", "line 2 is not"),
        (b"\x0a\x0e\x0a\x05<unk>", "not a SentencePiece model"),
        (b"", "the file is empty"),
    ],
)
def test_a_damaged_file(folder: Path, content: bytes, message: str) -> None:
    write(folder, {"mine": content, "promptls.toml": settings("mine", "cl100k")})
    check_refused(run("count", "a.txt"), message)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name")
@pytest.mark.parametrize(
    ("kind", "message"),
    [("device", "a device"), ("pipe", "a pipe"), ("folder", "directory"), ("large", "128 MiB")],
)
def test_no_file_to_read(folder: Path, kind: str, message: str) -> None:
    path = folder / "mine"
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        # As large as it says, on a file system that keeps no holes; nothing of it is read.
        with path.open("wb") as file:
            file.truncate(1 << 40)
    write(folder, {"promptls.toml": settings("mine")})
    check_refused(run("count", "a.txt"), message)


def test_a_text_on_which_a_pattern_gives_up(folder: Path) -> None:
    r"""The other files are counted; `\w` is not the same in all engines, so only tiktoken can."""
    pattern = r"\w+|\s+(?!\S)|[\s\S]"
    text = "secret" + " " * 1_000_000 + "b"
    write(folder, {"promptls.toml": settings("bytes.tiktoken", pattern), "long.txt": text})
    result = run("count", "a.txt", "long.txt", "--json")
    assert [row["tokens"] for row in result.json["files"]] == [11]
    assert result.code == 2
    assert (
        result.err
        == "promptls: long.txt: mine: its split pattern gives up on so long a run of characters\n"
    )
    for command in (["split"], ["compare", "--encodings", "mine"]):
        result = run(*command, "long.txt")
        assert result.code == 2
        assert "mine: its split pattern gives up" in result.err
        assert "secret" not in result.err

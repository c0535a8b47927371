"""Folders, links and names that were made to do harm: each is said once, the others are handled."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from promptls.cli import inputs
from promptls.cli.check import FORMATS
from promptls.sources import files

from .running import run, write

NAME = "e\x1b]0;pwned\x07\n::error::x\u202e.md"


def faults(err: str) -> list[str]:
    """The lines of standard error; each is ours, and nothing in it is acted upon by anyone."""
    lines = err.split("\n")
    assert lines.pop() == ""
    assert all(line.startswith("promptls: ") and line.isprintable() for line in lines)
    return [line.removeprefix("promptls: ") for line in lines]


@pytest.fixture
def made(here: Path) -> Path:
    write(here, {"tree/a.md": "hi", "tree/deep/b.md": "hi", "tree/shut/c.md": "hi"})
    (here / "loop.md").symlink_to("loop.md")
    (here / "device.md").symlink_to("/dev/zero")
    os.mkfifo(here / "pipe.md")
    with (here / "huge.md").open("wb") as file:
        file.truncate(1 << 40)
    return here


WHY = {
    "loop.md": "too many levels of symbolic links",
    "device.md": "not a regular file but a device",
    "pipe.md": "not a regular file but a pipe",
    "huge.md": "larger than 64 MiB, the most that is read",
}


@pytest.mark.parametrize("name", WHY)
@pytest.mark.parametrize("command", ["count", "check", "split", "compare"])
def test_a_path_that_leads_nowhere_good(made: Path, command: str, name: str) -> None:
    result = run(command, name)
    assert (result.code, faults(result.err)) == (2, [f"{name}: can't be read: {WHY[name]}"])


def test_the_others_are_handled(made: Path) -> None:
    result = run("count", "--json", *WHY, "tree/a.md")
    assert (result.code, result.json["total"]) == (2, 1)
    assert len(faults(result.err)) == len(WHY)


def test_what_is_no_file_is_left_out_of_a_folder(made: Path) -> None:
    (made / "huge.md").unlink()
    result = run("count", "--json", ".")
    assert (result.code, len(result.json["files"]), result.err) == (0, 3, "")


def shut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may look into a folder: as the system does it, or for root, who may, as it would."""
    folder.chmod(0)
    if os.geteuid():
        return
    real_scandir, real_stat = os.scandir, os.stat

    def refuse(path: object) -> None:
        if folder == path or folder in Path(str(path)).parents:
            raise PermissionError(13, "Permission denied")

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if folder == Path(path):
            refuse(path)
        return real_scandir(path)

    def stat(path: str, **options: bool) -> os.stat_result:
        if folder in Path(path).parents:
            refuse(path)
        return real_stat(path, **options)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "stat", stat)


@pytest.mark.parametrize("output_format", FORMATS)
def test_a_folder_that_is_shut_does_not_stop_the_run(
    made: Path, monkeypatch: pytest.MonkeyPatch, output_format: str
) -> None:
    shut(made / "tree/shut", monkeypatch)
    result = run("check", "tree", "--output-format", output_format)
    counted = run("count", "tree", "--json")
    (made / "tree/shut").chmod(0o755)
    for each in (result, counted):
        assert (each.code, faults(each.err)) == (2, ["tree/shut: can't be read: permission denied"])
    assert [file["path"] for file in counted.json["files"]] == ["tree/a.md", "tree/deep/b.md"]


def test_folders_in_folders_know_no_end(here: Path) -> None:
    folder = here
    try:
        for _ in range(1200):
            Path("d").mkdir()
            os.chdir("d")
        Path("x.md").write_text("hi")
        os.chdir(here)
        result = run("count", "--json", "d")
    finally:
        # Python, and so pytest, can't remove what is nested so deeply.
        os.chdir(folder)
        subprocess.run(["rm", "-rf", "d"], check=True)
    assert (result.code, result.json["total"], result.err) == (0, 1, "")


@pytest.mark.parametrize("name", ["promptls.toml", "pyproject.toml", ".gitignore"])
def test_settings_that_are_no_file(here: Path, name: str) -> None:
    write(here, {"a.md": "hi", "b.md": "hi"})
    os.mkfifo(here / name)
    result = run("check", ".")
    (fault,) = faults(result.err)
    assert result.code == 2 and f"{name}: can't be read: not a regular file but a pipe" in fault
    assert "No findings in 2 files." in result.text


@pytest.mark.parametrize("name", ["promptls.toml", ".gitignore"])
def test_settings_have_a_limit(here: Path, name: str) -> None:
    write(here, {"a.md": "hi", name: "#" * ((1 << 20) + 1)})
    result = run("check", ".")
    assert result.code == 2
    assert f"{name}: can't be read: larger than 1 MiB, the most that is read" in result.err
    write(here, {name: "#" * (1 << 20)})
    assert run("check", ".").code == 0


def test_an_import_that_is_no_file(made: Path) -> None:
    write(made, {"CLAUDE.md": "@device.md @pipe.md @loop.md @huge.md @tree/a.md"})
    (file,) = run("count", "--json", "CLAUDE.md").json["files"]
    assert file["imports"] == {"files": 1, "tokens": 1, "missing": 3}


@pytest.mark.parametrize("command", [["count", "-"], ["check", "-"], ["explain", "-"]])
def test_standard_input_without_end(
    here: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(files, "LARGEST_PROMPT", 1 << 10)
    result = run(*command, stdin=b"y\n" * 600)
    message = "standard input: can't be read: larger than 1 KiB, the most that is read"
    assert (result.code, faults(result.err)) == (2, [message])


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (["check", "a.md", "--baseline", "/dev/zero"], ""),
        (["train", "bpe", "/dev/zero", "-o", "x.json"], ""),
        (["count", "a.md"], "encodings.x.path = '/dev/zero'\nencoding = 'x'"),
    ],
)
def test_other_files_without_end(here: Path, command: list[str], settings: str) -> None:
    write(here, {"a.md": "hi", "promptls.toml": settings})
    result = run(*command)
    (fault,) = faults(result.err)
    assert result.code == 2 and "not a regular file but a device" in fault


def test_names_that_a_terminal_or_a_server_would_act_upon(here: Path) -> None:
    write(here, {NAME: b"\xff", "promptls.toml": '"a\\u001b\\n::error::b" = 1'})
    for output_format in FORMATS:
        result = run("check", ".", "--output-format", output_format)
        assert result.code == 2 and len(faults(result.err)) == 2


@pytest.mark.parametrize("arguments", [["\n::error::x"], ["count", "\n::error::x"]])
def test_arguments_that_a_server_would_act_upon(here: Path, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.code == 2 and len(faults(result.err.replace("promptls count", "promptls"))) == 1
    # An unknown option is argparse's to tell.
    assert len(faults(run("count", "--x\n::error::x", "a").err)) == 1


def test_standard_input_that_is_closed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `<&-` does it: Python has no stream then."""
    monkeypatch.setattr(inputs, "read_input", lambda _: files.read_input(None))
    assert faults(run("count", "-").err) == ["standard input: can't be read: it is closed"]

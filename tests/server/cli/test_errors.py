"""Whatever is wrong with a command is one clear line, and the exit code says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.server.cli.running import check_refused, plain_environment, run, run_process, write

from promptls.cli.count import count_source
from promptls.cli.inputs import Source
from promptls.cli.main import SUBCOMMANDS

FILES: dict[str, str | bytes] = {
    "good.txt": "hola",
    "latin.txt": b"caf\xe9",
    "wide.txt": "hola".encode("utf-16"),
    "binary.bin": b"\0\1\2",
    "marked.txt": "hola <|endoftext|>",
    "folder/a.txt": "uno dos",
    "odd/promptls.toml": 'encoding = "o200k_bse"',
    "odd/a.txt": "x",
    "broken.json": "[",
}

ERRORS = [
    ([], "arguments are required: COMMAND"),
    (["cuont"], "no command 'cuont'; did you mean count?"),
    (["count"], "arguments are required: PATH"),
    (["count", "--lnes", "good.txt"], "unrecognized arguments: --lnes"),
    (["count", "--encod", "gpt2", "good.txt"], "unrecognized arguments: --encod"),
    (["count", "--encoding", "o200k", "good.txt"], "Did you mean o200k_base"),
    (["count", "--encoding", "o200k", "good.txt", "folder"], "Did you mean o200k_base"),
    (["count", "--model", "gpt-50foo", "good.txt"], "unknown model 'gpt-50foo'"),
    (["count", "--model", "gpt-4", "--encoding", "gpt2", "good.txt"], "not allowed with"),
    (["count", "nowhere.txt"], "nowhere.txt: can't be read: no such file or directory"),
    (["count", "latin.txt"], "latin.txt: isn't UTF-8: byte 0xe9 at byte offset 3, line 1"),
    (["count", "wide.txt"], "wide.txt: is UTF-16; save it as UTF-8"),
    (["count", "binary.bin"], "binary.bin: is a binary file, not text"),
    (
        ["count", "odd/a.txt"],
        "odd/promptls.toml:1:1: encoding: unknown encoding 'o200k_bse'. Did you mean o200k_base",
    ),
    (["count", "-"], "standard input: isn't UTF-8: byte 0xff at byte offset 0, line 1"),
    (["split", "folder"], "folder: is a folder; name one prompt file"),
    (["split", "nowhere.txt"], "nowhere.txt: can't be read"),
    (["compare", "good.txt", "--encodings", "gpt2,gpt3"], "unknown encoding 'gpt3'"),
    (["compare", "good.txt", "--encodings", ","], "no encodings to compare"),
    (["check", "good.txt", "--budget", "0"], "'0' is not a number above 0"),
    (["check", "good.txt", "--budget", "many"], "'many' is not a number above 0"),
    (["check", "good.txt", "--output-format", "xml"], "invalid choice: 'xml'"),
    (["check", "good.txt", "--write-baseline"], "--write-baseline needs --baseline FILE"),
    (["check", "good.txt", "--baseline", "none.json"], "none.json: can't be read"),
    (["check", "good.txt", "--baseline", "broken.json"], "is not a baseline of promptls"),
    (["rules", "special-tokn"], "no rule 'special-tokn'; did you mean special-token?"),
    (["diff"], "this folder is in no Git repository; run this inside of one"),
    (["serve", "--tcp", "--port", "99999"], "'99999' is not a port"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_one_line_says_what_is_wrong(here: Path, arguments: list[str], message: str) -> None:
    write(here, FILES)
    result = run(*arguments, stdin=b"\xff\xfa")
    check_refused(result, message)
    assert result.out == b"" and result.err.startswith("promptls") and "hola" not in result.err


@pytest.mark.parametrize("command", ["count", "check"])
def test_the_other_files_are_still_handled(here: Path, command: str) -> None:
    write(here, FILES)
    names = ["latin.txt", "good.txt", "nowhere.txt", "marked.txt", "wide.txt"]
    result = run(command, "--json", *names)
    assert result.code == 2
    assert [line.split(": ")[1] for line in result.err.strip().split("\n")] == names[::2]
    found = result.json["files"] if command == "count" else result.json
    assert {row["path"] for row in found} >= {"marked.txt"}


EXIT_CODES = [
    (["count", "marked.txt"], 0),
    (["check", "good.txt"], 0),
    (["check", "marked.txt"], 1),
    (["check", "marked.txt", "latin.txt"], 2),
    (["check", "--diff", "good.txt"], 0),
    (["check", "--diff", "--unsafe-fixes", "marked.txt"], 1),
    (["rules"], 0),
    (["encodings"], 0),
    (["--help"], 0),
    (["--version"], 0),
    (["count", "--help"], 0),
]


@pytest.mark.parametrize(("arguments", "code"), EXIT_CODES)
def test_exit_codes(here: Path, arguments: list[str], code: int) -> None:
    write(here, FILES)
    assert run(*arguments).code == code


@pytest.mark.parametrize(("arguments", "code"), EXIT_CODES[1:4])
def test_exit_codes_of_a_real_process(here: Path, arguments: list[str], code: int) -> None:
    write(here, FILES)
    assert run_process(*arguments).code == code


def test_a_fault_of_ours_loses_one_file_only(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(source: Source, lines: bool, for_json: bool) -> object:
        if source.name == "b.txt":
            raise IndexError("hola")
        return count_source(source, lines, for_json)

    monkeypatch.setattr("promptls.cli.count.count_source", faulty)
    write(here, {"a.txt": "hola", "b.txt": "hola", "c.txt": "hola"})
    result = run("count", "--json", ".")
    assert (result.code, result.json["total"]) == (2, 2)
    assert result.err == "promptls: b.txt: promptls failed with IndexError; please report this\n"


def test_a_folder_without_prompts(here: Path) -> None:
    write(here, {"empty/code.py": "x"})
    result = run("count", "--json", "empty")
    assert (result.code, result.json) == (0, {"total": 0, "exactness": "exact", "files": []})
    assert result.err == "promptls: empty: no prompt files in this folder\n"


def test_bad_settings_are_said_once(here: Path) -> None:
    write(here, {"promptls.toml": 'budgets = 3\nmodel = "gpt-4"', "a.txt": "x", "b.txt": "y"})
    result = run("count", "--json", ".")
    assert result.code == 0
    assert {row["encoding"] for row in result.json["files"]} == {"cl100k_base"}
    assert result.err.count("\n") == 1
    assert "budgets: is not a setting; did you mean budget?" in result.err


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert f"usage: promptls {command}" in result.text
    assert SUBCOMMANDS[command].summary.split()[0] in run("--help").text


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals are POSIX's")


@POSIX
@pytest.mark.parametrize("command", ["check", "split", "count"])
def test_a_closed_pipe_is_quiet(here: Path, command: str) -> None:
    write(here, {"long.txt": "hola <|endoftext|>\n\n" * 20_000})
    options = ["--lines"] if command == "count" else []
    script = '"$0" -m promptls "$@" | head -n 1; echo "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable, command, *options, "long.txt"],
        capture_output=True,
        env=plain_environment(),
    )
    assert done.stderr == b""
    assert done.stdout.splitlines()[-1] in (b"141", b"1")
    assert command == "check" or done.stdout.splitlines()[-1] == b"141"


@POSIX
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(here: Path, closed: str) -> None:
    write(here, {"a.txt": "hola"})
    script = f'"$0" -m promptls count a.txt {closed}'
    done = subprocess.run(["bash", "-c", script, sys.executable], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_said(here: Path) -> None:
    write(here, {"a.txt": "hola"})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "promptls", "count", "a.txt"], stdout=full, stderr=-1
        )
    assert done.returncode == 2
    assert done.stderr == b"promptls: the output: no space left on device\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
def test_ctrl_c_is_quiet(here: Path) -> None:
    """To the whole group, as a terminal does, while the workers are at work."""
    write(here, {f"{n}.txt": "नमस्ते 漢字 hello world\n" * 40_000 for n in range(60)})
    process = subprocess.Popen(
        [sys.executable, "-m", "promptls", "count", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not children(process.pid):
        assert process.poll() is None, "it was done before it had workers"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (130, b"", b"")


def children(parent: int) -> list[Path]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # After the command's name, in parentheses, come the state and the parent's id.
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(stat)
    return found

"""Runs the command: in this process, which is quick, or as users do, in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from promptls.cli.main import main
from promptls.settings_files.files import cached_settings_in

COLOUR = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")


class Result(NamedTuple):
    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    """The command in this process."""
    # Settings files change between the runs of a test.
    cached_settings_in.cache_clear()
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin)),
        # A console that speaks something else: the command must write UTF-8 all the same.
        "stdout": io.TextIOWrapper(out, encoding="latin-1", newline="\n"),
        "stderr": io.TextIOWrapper(err, encoding="latin-1", newline="\n"),
    }
    with mock.patch.multiple(sys, **streams):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    return Result(code, out.getvalue(), err.getvalue().decode())


def check_refused(result: Result, message: str) -> None:
    """The command has ended with one clear line of standard error, which has no prompt in it."""
    assert (result.code, result.err.count("\n")) == (2, 1), result.err
    assert message in result.err
    assert "please report this" not in result.err and "hello" not in result.err


def run_process(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result:
    """The command in a process of its own, with what tests it may see of the environment."""
    done = subprocess.run(
        [sys.executable, "-m", "promptls", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env={**plain_environment(), **environment},
        timeout=600,
    )
    return Result(done.returncode, done.stdout, done.stderr.decode())


def plain_environment() -> dict[str, str]:
    """The environment without what would colour the output."""
    return {name: value for name, value in os.environ.items() if name not in COLOUR}


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes to a terminal."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals are POSIX's")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "promptls", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**plain_environment(), "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    written = b""
    # A terminal holds little: it is read until the other side has gone, which is an error on Linux.
    with suppress(OSError), os.fdopen(ours, "rb", buffering=0) as screen:
        while part := screen.read(65536):
            written += part
    process.wait(60)
    return written.decode()


def git(folder: Path, *arguments: str, stdin: str = "") -> str:
    """What Git prints of a folder's repository."""
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def commit(folder: Path, message: str) -> None:
    """Commit everything in a folder, which becomes a repository if it is none."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Make files, with the folders that they are in, byte for byte."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

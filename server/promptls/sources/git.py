"""What Git knows of files: which changed since a revision, and what was in them then."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from .files import read_bytes


class GitError(Exception):
    """Git is not there or refuses; the message is one line."""


class Change(NamedTuple):
    """A file that is not as it was. Paths are relative to the current folder."""

    old_path: str | None
    """None for a new file."""
    path: str | None
    """None for a deleted one."""
    old_object: str | None
    """The id of the content that it had."""


@dataclass(frozen=True)
class Repository:
    """The repository that a folder is in. Every path is relative to that folder."""

    folder: Path
    prefix: str = ""
    """The folder's path in the repository, with a slash at its end."""

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """Raises `GitError` outside of a repository."""
        prefix = cls(folder)._git("rev-parse", "--show-prefix")
        return cls(folder, os.fsdecode(prefix.rstrip(b"\n")))

    def has_revision(self, name: str) -> bool:
        """Whether a name is one of a commit."""
        try:
            self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except GitError:
            return False
        return True

    def changes(self, revision: str, paths: Sequence[str] = ()) -> list[Change]:
        """The files that changed since a revision, untracked ones included, by path."""
        diff = self._git(
            *("diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--relative"),
            *(revision, "--", *paths),
        )
        new = self._git("ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
        untracked = [Change(None, path, None) for path in _fields(new)]
        changes = [*_parsed(_fields(diff)), *untracked]
        return sorted(changes, key=lambda change: change.path or change.old_path or "")

    def old_bytes(self, change: Change) -> bytes | None:
        """What a file had in it, with the line ends that a checkout would give it."""
        if change.old_object is None or change.old_path is None:
            return None
        path = f"--path={self.prefix}{change.old_path}"
        return self._git("cat-file", "--filters", path, change.old_object)

    def new_bytes(self, change: Change) -> bytes | None:
        """What a file has in it now; None where there is none. Raises `UnreadableText`."""
        if change.path is None:
            return None
        path = self.folder / change.path
        # To Git, what a link leads to is no part of the repository.
        if path.is_symlink() or not os.path.lexists(path):
            return None
        return read_bytes(path)

    def _git(self, *arguments: str) -> bytes:
        try:
            # A fixed language, since a refusal is shown; no optional locks, since nothing changes.
            environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
            process = subprocess.run(
                ["git", *arguments], cwd=self.folder, env=environment, capture_output=True
            )
        except FileNotFoundError:
            raise GitError("git is not installed, or not on the PATH") from None
        if process.returncode:
            message = process.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            if "not a git repository" in message:
                message = "this folder is in no Git repository; run this inside of one"
            raise GitError(message.removeprefix("fatal: ") or f"git {arguments[0]} failed")
        return process.stdout


def _fields(output: bytes) -> Iterator[str]:
    """The fields of output that NUL bytes separate."""
    return (os.fsdecode(field) for field in output.split(b"\0") if field)


def _parsed(fields: Iterator[str]) -> Iterator[Change]:
    """`git diff --raw -z`: `:modes old new status`, a path, and for a rename the new path."""
    for head in fields:
        old_mode, new_mode, old_object, _, status = head.removeprefix(":").split(" ")
        kind = status[0]
        old_path = next(fields)
        path = next(fields) if kind in "RC" else old_path
        # Links and submodules have no text of their own.
        if not (old_mode.startswith("100") or new_mode.startswith("100")):
            continue
        if kind == "A":
            yield Change(None, path, None)
        elif kind == "D":
            yield Change(old_path, None, old_object)
        else:
            yield Change(old_path, path, old_object)

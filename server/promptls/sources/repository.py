"""What a file is called in its repository, whatever it was called on the command line."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


def path_in_repository(name: str) -> str:
    """The path of a file from the top of its repository, with slashes, as Git would list it.

    Of a file in no repository, from the current folder if it is in there, and else the whole path.
    Links on the way are followed, but not the file itself if it is one: so does Git.
    """
    if name == "-":
        return name
    folder, file = os.path.split(name.rstrip("/") if os.sep == "/" else name)
    place = Path(os.path.realpath(folder or "."))
    top = _top(place) or Path(os.path.realpath("."))
    path = place / file
    return (path.relative_to(top) if path.is_relative_to(top) else path).as_posix()


@cache
def _top(folder: Path) -> Path | None:
    """The top of the repository that a folder is in. In a work tree, `.git` can be a file."""
    parents = (folder, *folder.parents)
    return next((each for each in parents if os.path.lexists(each / ".git")), None)

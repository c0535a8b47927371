"""Reading files that nobody vouches for: only regular ones, and no more of them than a limit.

A name can lead to a device without end, to a pipe that nobody writes to, or to a file that fills
the memory. None of these is waited for or read.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

# Opening a pipe doesn't wait for its writer, a terminal doesn't become ours, and a file that says
# it is regular and waits all the same, as some of the kernel's do, gives an error.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
_KINDS = {
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}
_BLOCK = 1 << 20


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """A regular file, open for reading. Raises OSError for whatever else is there."""
    # To open a device can do something by itself, so its kind is asked for first; and again
    # afterwards, since another file may be there by then.
    _demand_regular(os.stat(path).st_mode, path)  # noqa: PTH116 — any kind of path.
    descriptor = os.open(path, _FLAGS)
    try:
        _demand_regular(os.fstat(descriptor).st_mode, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: str | os.PathLike[str], limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes. Raises OSError otherwise."""
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > limit:
            raise too_large(limit, path)
        return read_stream(file, limit, path)


def read_stream(stream: BinaryIO, limit: int, name: str | os.PathLike[str] = "") -> bytes:
    """The rest of a stream, which may hold at most `limit` bytes. Raises OSError otherwise."""
    data = bytearray()
    # One block at a time, since a file can say that it is empty, or grow, or never end.
    while block := stream.read(min(_BLOCK, limit + 1 - len(data))):
        data += block
        if len(data) > limit:
            raise too_large(limit, name)
    return bytes(data)


def too_large(limit: int, name: str | os.PathLike[str] = "") -> OSError:
    """The error of a file that has more than `limit` bytes."""
    return OSError(errno.EFBIG, f"larger than {size(limit)}, the most that is read", str(name))


def size(count: int) -> str:
    """A number of bytes as people say it: `64 MiB`, `2 KiB`."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count // unit} {name}"
    return f"{count} bytes"


def _demand_regular(mode: int, path: str | os.PathLike[str]) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "of another kind")
        raise OSError(errno.EINVAL, f"not a regular file but {kind}", str(path))

"""What is read of a path that leads anywhere: a regular file up to the limit, and nothing else."""

from __future__ import annotations

import io
import os
import socket
import threading
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from subword.corpus.reading import CorpusError, find_files
from subword.files.saved import ModelError, read_bytes
from subword.regular import open_regular, read_regular, read_stream


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    for length in (0, 1, 9, 10):
        file.write_bytes(b"x" * length)
        assert read_regular(file, 10) == b"x" * length
    file.write_bytes(b"x" * 11)
    with pytest.raises(OSError, match="larger than 10 bytes, the most that is read"):
        read_regular(file, 10)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    (tmp_path / "b").symlink_to("a")
    assert read_regular(tmp_path / "b", 10) == b"text"


def test_a_hole_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    with file.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 64 MiB"):
        read_regular(file, 64 << 20)


@pytest.mark.parametrize("size", [0, 5, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_stream_without_end_stops_at_the_limit(size: int) -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, count: int = -1, /) -> bytes:
            assert count > 0
            self.taken += count
            return b"\0" * count

    stream = Endless()
    with pytest.raises(OSError, match="larger than"):
        read_stream(cast(BinaryIO, stream), size)
    assert stream.taken == size + 1
    assert read_stream(io.BytesIO(b"x" * size), size) == b"x" * size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes in the file system")
def test_what_is_no_regular_file_is_neither_waited_for_nor_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The path of a socket may only have a hundred characters.
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    kinds = {
        "pipe": "not a regular file but a pipe",
        "zero": "not a regular file but a device",
        "socket": "not a regular file but a socket",
        "loop": "symbolic links",
        ".": "Is a directory",
        "none": "No such file",
    }
    for name, message in kinds.items():
        with pytest.raises(OSError, match=message):
            read_regular(tmp_path / name, 10)
        with pytest.raises(ModelError, match="no such file" if name == "none" else message):
            read_bytes(tmp_path / name)
        if name not in (".", "none", "loop"):
            with pytest.raises(CorpusError, match=message):
                find_files([tmp_path / name])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes in the file system")
def test_a_file_that_becomes_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody replaces the file after it was looked at and before it is opened."""
    file = tmp_path / "a"
    file.write_text("text")
    status = file.stat()
    file.unlink()
    os.mkfifo(file)
    monkeypatch.setattr(os, "stat", lambda path: status)
    # Should it wait after all, the test ends all the same.
    rescue = threading.Timer(20, lambda: os.close(os.open(file, os.O_RDWR | os.O_NONBLOCK)))
    rescue.start()
    try:
        with pytest.raises(OSError, match="but a pipe"):
            open_regular(file)
        assert rescue.is_alive()
    finally:
        rescue.cancel()

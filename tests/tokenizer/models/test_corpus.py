"""Corpora in files and on a cluster: the same counts as of the whole text in memory."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.tokenizer.models.corpora import MANY_SCRIPTS, SOURCE, ZEN

from subword.corpus.cluster import ClusterError, count_on_cluster, counted
from subword.corpus.counting import count_pieces
from subword.corpus.reading import (
    CorpusError,
    add_counts,
    count_part,
    find_files,
    parts_of,
    read_texts,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    mixed = random.Random(3).sample((ZEN + MANY_SCRIPTS + SOURCE).split(" "), 2000)
    texts = {"a.txt": ZEN, "b/c.txt": MANY_SCRIPTS + "\r\n", "d.txt": " ".join(mixed) * 3}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "binary").write_bytes(b"a\0b")
    (tmp_path / ".hidden").write_text("hidden")
    return tmp_path


def whole(folder: Path) -> list[str]:
    return [(folder / name).read_bytes().decode() for name in ("a.txt", "b/c.txt", "d.txt")]


def test_finds_text_and_no_more(folder: Path) -> None:
    names = [file.relative_to(folder).as_posix() for file in find_files([folder])]
    assert names == ["a.txt", "b/c.txt", "d.txt"]
    with pytest.raises(CorpusError, match="no such file"):
        find_files([folder / "absent"])
    with pytest.raises(CorpusError, match="no text files"):
        find_files([])


@pytest.mark.parametrize("pattern", [None, "gpt2", "cl100k", "o200k", r"\w+|\W"])
@pytest.mark.parametrize("size", [100, 5000, 1 << 25])
def test_parts_count_as_the_whole(folder: Path, pattern: str | None, size: int) -> None:
    pattern = pattern and pattern.replace(r"\w", "[a-z]").replace(r"\W", "[^a-z]")
    parts = parts_of(find_files([folder]), pattern, size)
    assert len(parts) > 20 or size > 100 or pattern not in ("gpt2", "cl100k", "o200k")
    total = add_counts(count_part(part, pattern) for part in parts)
    expected = count_pieces(whole(folder), pattern)
    assert total == expected
    assert list(total) == list(expected)


def test_progress_counts_the_bytes_that_are_done_with(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    texts = read_texts(find_files([folder]), "gpt2", lambda *row: told.append(row))
    size = sum(len(text.encode()) for text in whole(folder))
    first = len(next(texts).encode())
    assert told == []
    next(texts)
    assert told == [(first, size)]
    list(texts)
    assert told == sorted(told) and told[-1] == (size, size)


def test_streams_files(folder: Path) -> None:
    assert "".join(read_texts(find_files([folder]), "gpt2")) == "".join(whole(folder))


@pytest.mark.parametrize("before", [b"", "é".encode() * 3_000_000, b"x\n" * (1 << 19)])
def test_what_is_not_utf8_is_said(tmp_path: Path, before: bytes) -> None:
    """Also where the stream's blocks and parts begin and end inside characters."""
    path = tmp_path / "bad.txt"
    path.write_bytes(before + "é".encode("latin-1") + b"x")
    offset = f"bad.txt: isn't UTF-8: byte 0xe9 at byte offset {len(before)}; save it as UTF-8"
    with pytest.raises(CorpusError, match=offset):
        list(read_texts(find_files([tmp_path])))
    path.write_bytes(before + b"\xf0\x9f")
    with pytest.raises(CorpusError, match=f"byte 0xf0 at byte offset {len(before)};"):
        list(read_texts(find_files([tmp_path]), "gpt2"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the corpus is empty"),
        (b"a\0b", "bad: is a binary file, not text"),
        ("hola".encode("utf-16"), "bad: is UTF-16; save it as UTF-8"),
    ],
)
def test_a_named_file_that_is_no_text(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(CorpusError, match=message):
        find_files([tmp_path / "bad"])


@pytest.mark.slow
def test_a_cluster_of_two_workers_counts_as_one_machine(folder: Path) -> None:
    distributed = pytest.importorskip("distributed")
    files = find_files([folder])
    expected = count_pieces(whole(folder), "cl100k")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        parts = parts_of(files, "cl100k", 2000)
        assert len(parts) > 8
        total = counted(client, parts, "cl100k")
        by_address = count_on_cluster(files, "cl100k", cluster.scheduler_address, 2000)
        # A file that a worker can't read is an error that names it.
        absent = parts[0]._replace(path=str(folder / "gone.txt"))
        with pytest.raises(CorpusError, match=r"on a worker: .*gone\.txt"):
            counted(client, [absent], "cl100k")
    assert total == by_address == expected
    assert list(total) == list(by_address) == list(expected)


def test_no_scheduler_at_the_address(folder: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at nonsense://x"):
        count_on_cluster(find_files([folder]), "gpt2", "nonsense://x")


def test_dask_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ClusterError, match="extra cluster"):
        count_on_cluster([], "gpt2")

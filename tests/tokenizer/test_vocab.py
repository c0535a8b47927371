"""The packed tables: the same bytes that OpenAI publishes, and clear errors when damaged."""

from __future__ import annotations

import hashlib
import importlib.util
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tokenizer import oracle
from tiktoken.load import load_tiktoken_bpe

from subword import get_encoding
from subword.encodings import TABLES, load_table
from subword.files.saved import ModelError
from subword.files.tiktoken import read_tiktoken, write_tiktoken
from subword.vocab import VocabularyError, pack, unpack, with_space_runs

PACKAGE = Path(str(files("subword")))
SCRIPTS = Path(__file__).parents[2] / "scripts"
every_encoding = pytest.mark.parametrize("name", oracle.NAMES)


@every_encoding
def test_tiktokens_own_files_can_be_rebuilt(name: str) -> None:
    """The oracle refuses a file whose SHA-256 is not the one that tiktoken pins."""
    assert get_encoding(name).ranks == oracle.encoding(name)._mergeable_ranks


@every_encoding
def test_an_encoding_is_what_tiktoken_has(name: str) -> None:
    ours, theirs = get_encoding(name), oracle.encoding(name)
    assert (ours.name, ours.n_vocab) == (name, theirs.n_vocab)
    assert ours.pattern == theirs._pat_str
    assert ours.special_tokens == theirs._special_tokens


def test_the_oracle_refuses_a_changed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *others = load_table("r50k")
    monkeypatch.setattr(oracle, "load_table", lambda _: [second, first, *others])
    expected = "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
    with pytest.raises(AssertionError, match="not what tiktoken pins"):
        oracle.rebuilt_file("https://example.org/r50k_base.tiktoken", expected)


@pytest.mark.parametrize("table", ["r50k", "cl100k", "o200k"])
def test_our_writer_and_readers_agree_with_tiktokens_reader(table: str, tmp_path: Path) -> None:
    data = oracle._FILES[f"{table}_base.tiktoken"]()
    ranks = load_table(table)
    assert write_tiktoken(ranks) == data
    assert read_tiktoken(data, "x") == ranks
    path = tmp_path / "vocabulary.tiktoken"
    path.write_bytes(write_tiktoken(ranks))
    assert load_tiktoken_bpe(str(path)) == ranks


def test_our_p50k_file_is_the_pinned_one() -> None:
    digest = hashlib.sha256(write_tiktoken(with_space_runs(load_table("r50k")))).hexdigest()
    assert digest == "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"


@given(tokens=st.lists(st.binary(min_size=1, max_size=255), unique=True))
def test_unpack_undoes_pack(tokens: list[bytes]) -> None:
    packed, digest = pack(tokens)
    assert unpack(packed, digest) == {token: rank for rank, token in enumerate(tokens)}


@given(ranks=st.dictionaries(st.binary(min_size=1), st.integers(0, 1 << 31)))
def test_reading_undoes_writing(ranks: dict[bytes, int]) -> None:
    assert read_tiktoken(write_tiktoken(ranks), "x") == ranks


def check_damage(data: bytes | None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "data").mkdir()
    if data is not None:
        (folder / "data/r50k.ranks").write_bytes(data)
    monkeypatch.setattr("subword.data.__file__", str(folder / "data/__init__.py"))
    with pytest.raises(VocabularyError) as raised:
        load_table("r50k")
    message = str(raised.value)
    assert "'r50k' is damaged" in message
    assert "install promptls again" in message
    assert "\n" not in message
    assert raised.value.__suppress_context__


def _flipped(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


SOUND = (PACKAGE / "data/r50k.ranks").read_bytes()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(None, id="missing"),
        pytest.param(b"", id="empty"),
        pytest.param(SOUND[:-1], id="cut short by a byte"),
        pytest.param(SOUND[: len(SOUND) // 2], id="half"),
        pytest.param(_flipped(SOUND, 0), id="a bit in the header"),
        pytest.param(_flipped(SOUND, len(SOUND) // 2), id="a bit in the middle"),
        pytest.param(_flipped(SOUND, len(SOUND) - 1), id="a bit in the checksum"),
        pytest.param((PACKAGE / "data/cl100k.ranks").read_bytes(), id="another table"),
        pytest.param(b"version https://git-lfs.github.com/spec/v1\n", id="a Git LFS pointer"),
    ],
)
def test_a_damaged_table_is_one_clear_error(
    data: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_damage(data, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"IQ== 0\nIg==\n", 2),
        (b"IQ== 0\n\nIg== 1 2\n", 3),
        (b"I? 0\n", 1),
        (b"IQ== zero\n", 1),
        (b"IQ== 0\r\nIg== x\r\n", 2),
        (b"\xef\xbb\xbfIQ== 0\n", 1),
        ("¡hola! 0\n".encode(), 1),
        (b"<!DOCTYPE html>\n", 1),
    ],
)
def test_a_wrong_line_in_a_tiktoken_file_is_named(data: bytes, line: int) -> None:
    with pytest.raises(ModelError, match=rf"line {line}\b"):
        read_tiktoken(data, "x")


def test_line_ends_of_windows_and_a_missing_last_one() -> None:
    assert read_tiktoken(b"IQ== 0\r\nIg== 1", "x") == {b"!": 0, b'"': 1}


def test_the_packing_script_makes_the_tables_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("pack_vocab", SCRIPTS / "pack_vocab.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "DATA", tmp_path)
    for table, (digest, *_) in TABLES.items():
        file = tmp_path / f"{table}.tiktoken"
        file.write_bytes(write_tiktoken(load_table(table)))
        script.main(table, file)
        # zlib versions compress differently; what they hold is the same.
        packed = (tmp_path / f"{table}.ranks").read_bytes()
        assert unpack(packed, digest) == load_table(table)
        assert capsys.readouterr().out.startswith(f"{digest}  {table}.ranks")

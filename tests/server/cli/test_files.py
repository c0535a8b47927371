"""Which files of a folder are prompts, with Git itself as the judge of what is ignored."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.cli.running import git, run, write

from promptls.sources.files import UnreadableText, decode, find_prompts, read_text, write_text
from promptls.sources.prompt_folders import PROMPT_FOLDERS


def found(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_prompts(folder)]


FILES = [
    ("a.txt", True),
    ("notes.MD", True),
    ("image.png", False),
    ("code.py", False),
    (".hidden.md", False),
    (".github/prompts/x.prompt.md", True),
    (".claude/commands/y.md", True),
    (".git/description.txt", False),
    (".tox/readme.md", False),
    ("node_modules/left-pad/README.md", False),
    ("env/pyvenv.cfg", False),
    ("env/lib/readme.md", False),
    ("sub/日本語 名.txt", True),
]


def test_what_is_taken_from_a_folder(here: Path) -> None:
    write(here, {name: "x" for name, _ in FILES})
    assert found(here) == sorted(name for name, wanted in FILES if wanted)


def test_the_hidden_folders_of_tools_are_searched_and_settings_add_more(here: Path) -> None:
    write(here, {f"{folder}/rules/a.md": "x" for folder in (*PROMPT_FOLDERS, ".ours", ".theirs")})
    assert {Path(name).parts[0] for name in found(here)} == set(PROMPT_FOLDERS)
    known = {".windsurf", ".kiro", ".roo", ".clinerules", ".junie", ".opencode", ".genaiscript"}
    assert known < set(PROMPT_FOLDERS)
    write(here, {"promptls.toml": 'promptFolders = [".ours"]'})
    counted = {file["path"] for file in run("count", "--json", ".").json["files"]}
    assert counted == {*found(here), ".ours/rules/a.md"}


def test_links_to_folders_are_not_followed(here: Path) -> None:
    write(here, {"sub/a.txt": "x"})
    (here / "sub/up").symlink_to(here, target_is_directory=True)
    (here / "b.txt").symlink_to(here / "sub/a.txt")
    assert found(here) == ["b.txt", "sub/a.txt"]


PATTERNS = ["*.txt", "!a.txt", "/a.txt", "sub/", "!sub/", "sub/*.txt", "**/deep", "deep/**", "#x"]
PATTERNS += ["a.???", "[ab].txt", "!deep/b.txt", "*", "!*/", "\\!x.txt", "x.txt ", "sub/deep/a*"]
# With many stars, which are fitted in another way.
PATTERNS += [
    "*.*t*t",
    "**/s*b/**/*.t*",
    "!*a*.*",
    "*/*e*p/",
    "/s*/***/[^b]*?",
    "\\**b*",
    "*u*/*p/*",
]
ignore_files = st.lists(st.sampled_from(PATTERNS), max_size=4).map("\n".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ignores=st.tuples(ignore_files, ignore_files, ignore_files), ends=st.sampled_from("\n\r"))
def test_gitignore_means_what_git_says(
    tmp_path_factory: pytest.TempPathFactory, ignores: tuple[str, str, str], ends: str
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    names = [f"{at}{name}" for at in ("", "sub/", "sub/deep/") for name in ("a.txt", "b.txt")]
    end = "\n" if ends == "\n" else "\r\n"
    files = [f"{at}.gitignore" for at in ("", "sub/", "sub/deep/")]
    write(folder, dict.fromkeys(names, "x"))
    write(
        folder, {name: text.replace("\n", end) for name, text in zip(files, ignores, strict=True)}
    )
    listed = git(folder, "ls-files", "--others", "--exclude-standard", "*.txt")
    assert found(folder) == sorted(listed.split())


def test_a_folder_inside_a_repository(here: Path) -> None:
    git(here, "init", "-q")
    write(here, {".gitignore": "draft*\nbuild/\n", "sub/draft.txt": "x", "sub/a.txt": "x"})
    write(here, {"build/b.txt": "x"})
    assert found(here / "sub") == ["a.txt"]
    assert found(here) == ["sub/a.txt"]
    # Asked for by name, it is wanted.
    assert found(here / "build") == ["b.txt"]


UNREADABLE = [
    (b"caf\xe9 ol\xe9", "isn't UTF-8: byte 0xe9 at byte offset 3, line 1"),
    (b"a\nb\r\nc\rd \xff", "isn't UTF-8: byte 0xff at byte offset 9, line 4"),
    ("hola".encode("utf-16"), "is UTF-16; save it as UTF-8"),
    (b"\xfe\xff" + "hola".encode("utf-16-be"), "is UTF-16"),
    ("hola".encode("utf-32"), "is UTF-32"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a binary file"),
]


@pytest.mark.parametrize(("data", "message"), UNREADABLE)
def test_what_is_no_text(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableText) as error:
        decode(data)
    assert message in str(error.value)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_file_is_read_and_written_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("files") / "prompt.txt"
    data = ("\ufeff" + text.replace("\0", "")).encode()
    path.write_bytes(data)
    write_text(path, read_text(path))
    assert path.read_bytes() == data


def test_writing_keeps_the_mode_and_the_link(here: Path) -> None:
    write(here, {"real.txt": "a"})
    (here / "real.txt").chmod(0o640)
    (here / "link.txt").symlink_to("real.txt")
    write_text(here / "link.txt", "b")
    assert (here / "link.txt").is_symlink()
    assert (here / "real.txt").read_text() == "b"
    assert (here / "real.txt").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in here.iterdir()) == ["link.txt", "real.txt"]


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder of a user who may not write everywhere, as root may."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
    if is_root:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX's permissions")
def test_a_read_only_file_is_not_replaced(ordinary_user: Path) -> None:
    path = ordinary_user / "a.txt"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(UnreadableText, match="can't be written: permission denied"):
        write_text(path, "new")
    assert path.read_text() == "old"


def test_a_write_that_fails_leaves_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"a.txt": "old"})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UnreadableText, match="no space left"):
        write_text(here / "a.txt", "new")
    assert [(path.name, path.read_text()) for path in here.iterdir()] == [("a.txt", "old")]

"""`promptls check`: findings, `--fix`, `--diff`, baselines, and what is kept of a file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.server.cli.running import run, write

MARKED = "Escribe <|endoftext|> al final.\n"


def test_the_contract_of_the_json(here: Path) -> None:
    write(here, {"a.txt": "👩‍🚀 漢 <|endoftext|>\n"})
    result = run("check", "--json", "a.txt")
    [row] = result.json
    assert result.code == 1
    assert row.pop("message").startswith("<|endoftext|> is a special token of o200k_base")
    assert row == {
        "rule": "special-token",
        "severity": "warning",
        "path": "a.txt",
        # Characters are code points: the astronaut is three.
        "range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 19}},
        "fixable": False,
        "applicability": "unsafe",
    }
    assert run("check", "--output-format=json", "a.txt") == result


KEPT = [
    ("\ufeffuno\n<|endoftext|>\n", "\ufeffuno\n<|endoftext |>\n"),
    ("uno\r\n<|endoftext|>\r\n", "uno\r\n<|endoftext |>\r\n"),
    ("uno\r<|endoftext|>\u2028dos\x0c", "uno\r<|endoftext |>\u2028dos\x0c"),
    ("日本語<|endoftext|>😀", "日本語<|endoftext |>😀"),
]
# So that only the special token is found.
OTHERS_OFF = '[rules]\nline-separator = "off"\ncontrol-character = "off"\n'


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_fix_keeps_everything_else(here: Path, before: str, after: str) -> None:
    write(here, {"a.txt": before, "promptls.toml": OTHERS_OFF})
    (here / "a.txt").chmod(0o600)
    result = run("check", "--fix", "--unsafe-fixes", "a.txt")
    assert (here / "a.txt").read_bytes() == after.encode()
    assert (here / "a.txt").stat().st_mode & 0o777 == 0o600
    assert result.code == 0
    assert result.text == "1 finding mended, none left in 1 file.\n"
    # A second time there is nothing to do, and nothing is written.
    (here / "a.txt").chmod(0o400)
    stamp = (here / "a.txt").stat()
    assert run("check", "--fix", "--unsafe-fixes", "a.txt").text == "No findings in 1 file.\n"
    assert (here / "a.txt").stat().st_ino == stamp.st_ino


@pytest.mark.parametrize("text", [MARKED, *(before for before, _ in KEPT)])
def test_git_applies_the_diff(here: Path, text: str) -> None:
    write(here, {"sub/mío.txt": text, "promptls.toml": OTHERS_OFF})
    result = run("check", "--diff", "--unsafe-fixes", "sub/mío.txt")
    assert result.code == 1
    assert (here / "sub/mío.txt").read_bytes() == text.encode()
    subprocess.run(["git", "apply", "-"], input=result.out, check=True)
    assert (here / "sub/mío.txt").read_bytes() == text.replace("t|>", "t |>").encode()


def test_fix_of_standard_input(here: Path) -> None:
    result = run("check", "--fix", "--unsafe-fixes", "-", stdin="año <|endoftext|>\r\n".encode())
    assert result.out == "año <|endoftext |>\r\n".encode()
    assert result.err == "1 finding mended, none left in 1 file.\n"


def test_a_baseline_hides_what_was_there(here: Path) -> None:
    write(here, {"a.txt": MARKED, "b.txt": MARKED})
    options = ["check", "--json", "a.txt", "b.txt", "--baseline", "known.json"]
    recorded = run(*options, "--write-baseline")
    assert (recorded.code, recorded.text) == (0, "Recorded 2 findings in known.json.\n")
    assert "Escribe" not in (here / "known.json").read_text()
    assert run(*options) == (0, b"[]\n", "")
    # Lines above change nothing; one more of the same is new; so is one in another file.
    write(here, {"a.txt": "Hola.\n\n" + MARKED, "b.txt": MARKED + MARKED})
    assert [(f["path"], f["range"]["start"]["line"]) for f in run(*options).json] == [("b.txt", 1)]
    write(here, {"b.txt": "<|endofprompt|>"})
    assert [f["path"] for f in run(*options).json] == ["b.txt"]
    assert set(json.loads((here / "known.json").read_text())["files"]) == {"a.txt", "b.txt"}


def test_settings_decide_what_is_found(here: Path) -> None:
    write(here, {"a.txt": MARKED, "old/b.txt": MARKED})
    settings = '[perFileIgnores]\n"old/*" = ["special-token"]\n[rules]\nspecial-token = "error"\n'
    write(here, {"pyproject.toml": "[tool.promptls]\n", "promptls.toml": settings})
    [row] = run("check", "--json", ".").json
    assert (row["path"], row["severity"]) == ("a.txt", "error")


def test_the_budget(here: Path) -> None:
    write(here, {"a.txt": "uno dos tres cuatro cinco"})
    assert run("check", "a.txt", "--budget", "50").code == 0
    result = run("check", "--json", "a.txt", "--budget", "3")
    assert result.code == 1
    assert [row["rule"] for row in result.json] == ["over-budget"]


# Safe fixes, unsafe ones, and one that would make another prompt of the file.
FAULTS = {
    "nada.txt": "Hola\u00a0mundo y <|endoftext|>\n",
    "fin.txt": "La respuesta es ",
    "turno.messages.json": '[{"role": "user", "content": "Hola "}]',
    "rol.prompty": "---\nname: x\n---\nus\u200ber:\n\nHola",
}


@pytest.mark.parametrize("options", [(), ("--unsafe-fixes",)])
def test_what_is_said_to_be_mended_is_mended(here: Path, options: tuple[str, ...]) -> None:
    write(here, FAULTS)
    rows = run("check", "--json", ".").json
    wanted = {"safe", "unsafe"} if options else {"safe"}
    kept = [row for row in rows if row["applicability"] not in wanted]
    assert [row["fixable"] for row in rows] == [row["applicability"] == "safe" for row in rows]
    left = run("check", "--json", "--fix", *options, ".").json
    assert [(row["path"], row["rule"]) for row in left] == [(r["path"], r["rule"]) for r in kept]
    assert 0 < len(left) < len(rows)


def test_a_safe_fix_breaks_no_stop_word(here: Path) -> None:
    write(here, {"a.txt": MARKED})
    assert run("check", "--fix", "a.txt").code == 1
    assert (here / "a.txt").read_text() == MARKED
    assert "--fix --unsafe-fixes mends it" in run("check", "a.txt").text


@pytest.mark.parametrize(
    ("level", "options", "code"),
    [
        ("hint", (), 0),
        ("info", (), 1),
        ("info", ("--fail-on", "warning"), 0),
        ("error", ("--fail-on", "warning"), 1),
        ("hint", ("--fail-on", "hint"), 1),
        ("error", ("--exit-zero",), 0),
    ],
)
def test_which_level_fails(here: Path, level: str, options: tuple[str, ...], code: int) -> None:
    settings = f'rules.special-token = "{level}"\n'
    write(here, {"a.txt": MARKED, "promptls.toml": settings})
    result = run("check", "a.txt", *options)
    assert (result.code, f"{level}[special-token]" in result.text) == (code, True)

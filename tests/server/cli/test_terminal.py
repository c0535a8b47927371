"""Colour where a terminal wants it, and nowhere else; UTF-8 whatever the locale says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.server.cli.running import on_a_terminal, run_process, write

ESCAPE = "\x1b["
CHECK = ["check", "a.txt"]


COLOURS = [
    ({}, True),
    ({"NO_COLOR": "1"}, False),
    ({"NO_COLOR": ""}, True),
    ({"TERM": "dumb"}, False),
]


@pytest.mark.parametrize(("environment", "coloured"), COLOURS)
def test_colour_on_a_terminal(here: Path, environment: dict[str, str], coloured: bool) -> None:
    write(here, {"a.txt": "hola <|endoftext|>"})
    shown = on_a_terminal(*CHECK, **environment)
    assert "warning[special-token]" in shown
    assert (ESCAPE in shown) is coloured


def test_no_colour_in_a_pipe(here: Path) -> None:
    write(here, {"a.txt": "hola <|endoftext|>"})
    plain = run_process(*CHECK)
    assert ESCAPE not in plain.text
    coloured = run_process(*CHECK, FORCE_COLOR="1")
    assert ESCAPE in coloured.text


def test_a_prompt_cannot_speak_to_the_terminal(here: Path) -> None:
    write(here, {"a.txt": "\x1b]0;title\x07 [bold]no markup[/] \x1b[31m<|endoftext|>"})
    shown = on_a_terminal(*CHECK)
    assert "<U+001B>]0;title<U+0007>" in shown and "[bold]no markup[/]" in shown
    assert "\x1b]0;" not in shown


def test_progress_is_on_standard_error_and_goes_away(here: Path) -> None:
    write(here, {f"{n}.txt": "hola" for n in range(300)})
    shown = on_a_terminal("count", ".")
    assert "Counting" in shown and "100%" not in shown.rpartition("total")[2]
    assert "   300  total" in shown.replace(ESCAPE, "").replace("1;36m", "") or "300" in shown
    assert run_process("count", ".").err == ""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_utf8_in_any_locale(here: Path, locale: str) -> None:
    write(here, {"漢字.txt": "<|endoftext|> ñ"})
    result = run_process("check", "--json", ".", LC_ALL=locale, PYTHONIOENCODING="latin-1")
    assert [row["path"] for row in result.json] == ["漢字.txt"]
    assert "ñ" in run_process("check", ".", LC_ALL=locale, PYTHONIOENCODING="latin-1").text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow only Unicode names")
def test_a_name_that_is_not_unicode(here: Path) -> None:
    (here / os.fsdecode(b"caf\xe9.txt")).write_text("hola")
    result = run_process("count", "--json", ".")
    assert [os.fsencode(row["path"]) for row in result.json["files"]] == [b"caf\xe9.txt"]
    assert run_process("count", ".").code == 0

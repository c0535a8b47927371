"""`make demo` end to end: the examples, and the real server answering about one of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.cli.running import plain_environment, run

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def shown() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.demo"],
        cwd=ROOT,
        capture_output=True,
        env=plain_environment(),
        timeout=600,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def test_the_demo_counts_as_the_command_does(shown: str) -> None:
    result = run("count", "--json", ROOT / "examples").json
    line = re.search(rf"^all {len(result['files'])} examples .* (\d+)$", shown, re.MULTILINE)
    assert line and int(line[1]) == result["total"]
    for row in result["files"]:
        assert Path(row["path"]).name in shown


def test_the_server_really_answers(shown: str) -> None:
    answers = shown.partition("promptls serve")[2]
    for request in ("initialize", "inlayHint", "diagnostic", "hover", "codeAction", "didChange"):
        assert re.search(rf"^{request}.* \d+\.\d$", answers, re.MULTILINE), request
    assert "the process ends with exit code 0" in answers


def test_the_demo_is_plain_in_a_pipe(shown: str) -> None:
    assert "\x1b" not in shown
    assert str(ROOT) not in shown


def test_the_picture_asks_nobody_for_anything() -> None:
    picture = (ROOT / "docs/images/demo.svg").read_text("utf-8")
    assert picture.startswith("<svg") and "control-token" in picture
    addresses = set(re.findall(r"https?://[\w.]+", picture))
    # A namespace and a comment; neither is ever loaded.
    assert addresses == {"http://www.w3.org", "https://www.textualize.io"}

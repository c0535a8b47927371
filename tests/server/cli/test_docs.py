"""What the pages show is what the commands print; UPDATE_DOCS=1 writes it into the pages.

In a page, a block with a file name behind its language is that file; a `console` block has
commands, each behind `$ `, and what they print.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.server.cli.running import commit, plain_environment, run, write

from promptls.formats import all_formats
from promptls.settings import Settings
from promptls.settings.tables import read_settings
from promptls.settings_files.toml import parse

ROOT = Path(__file__).parents[3]
FLAGS = re.DOTALL | re.MULTILINE
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", FLAGS)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", FLAGS)


# What only a shell understands.
SHELLS = set("|<>$;&*")


def rerun(page: str) -> str:
    """The page with what its commands print now, in its own order, in the current folder."""
    for block in re.finditer(rf"{FILE.pattern}|{CONSOLE.pattern}", page, FLAGS):
        if block[1]:
            write(Path(), {block[1]: block[2]})
            continue
        commands = [line for line in block[3].split("\n") if line.startswith("$ ")]
        printed = "\n".join(f"{line}\n{execute(line[2:])}" for line in commands)
        page = page.replace(block[0], f"```console\n{printed.rstrip()}\n```", 1)
    return page


def execute(command: str) -> str:
    if command.startswith("promptls ") and not SHELLS & set(command):
        done = run(*shlex.split(command)[1:])
        return done.err + done.text
    environment = plain_environment()
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    shell = ["bash", "-c", command]
    output = subprocess.PIPE
    return subprocess.run(
        shell, env=environment, stdout=output, stderr=subprocess.STDOUT, timeout=600, text=True
    ).stdout


@pytest.mark.parametrize("name", ["README.md", "docs/cli.md", "docs/ci.md"])
def test_the_page_shows_what_is_printed(here: Path, name: str) -> None:
    path = ROOT / name
    page = path.read_text("utf-8")
    if "examples/" in page:
        shutil.copytree(ROOT / "examples", "examples")
    now = rerun(page)
    if os.environ.get("UPDATE_DOCS"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == page
    assert "promptls: error" not in now and "Traceback" not in now


def test_the_readmes_python_gives_what_it_says() -> None:
    [code] = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), FLAGS)
    names: dict[str, object] = {}
    checked = 0
    for statement in ast.parse(code).body:
        line = code.split("\n")[statement.lineno - 1]
        source, _, said = line.partition("  # ")
        if said:
            assert repr(eval(source, names)) == said.strip()
            checked += 1
        else:
            exec(source, names)
    assert checked > 2


def test_every_example_of_a_setting_is_one() -> None:
    page = (ROOT / "docs/settings.md").read_text("utf-8")
    examples = re.findall(r"^- Example: `(.*)`$", page, re.MULTILINE)
    head = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert head and len(examples) == page.count("\n### ")
    for example in [*examples, head[1]]:
        settings, bad = read_settings(parse(example), "the page")
        assert bad == []
        assert settings != Settings()


# --- For CI ------------------------------------------------------------------------------------


def action_step(name: str) -> str:
    """The script of a step of the GitHub action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    [script] = [step["run"] for step in action["runs"]["steps"] if step.get("name") == name]
    return str(script)


def run_step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    empty = dict.fromkeys(("ENCODING", "BUDGET", "BASELINE", "SARIF", "REVISION"), "")
    return subprocess.run(
        # As GitHub runs `shell: bash`.
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", action_step(name)],
        cwd=folder,
        env={**plain_environment(), **empty, "PATH": path, **inputs},
        capture_output=True,
        text=True,
    )


def test_the_action_checks(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.txt": "<|endoftext|>", "b/y.txt": "hola"})
    done = run_step("Check prompts", tmp_path, PATHS="a b", SARIF="out.sarif")
    assert done.returncode == 1
    assert done.stdout.startswith("::warning title=promptls (special-token),file=a/x.txt,line=1")
    assert '"version": "2.1.0"' in (tmp_path / "out.sarif").read_text()
    assert run_step("Check prompts", tmp_path, PATHS="b").returncode == 0
    lines = run_step("Check prompts", tmp_path, PATHS="b *\n\n  b/y.txt\na/x.txt\n")
    assert "file=a/x.txt,line=1" in lines.stdout and "*: can't be read" in lines.stderr
    assert run_step("Check prompts", tmp_path, PATHS="b", BUDGET="$(exit 1)").returncode == 2
    assert run_step("Check prompts", tmp_path, PATHS="c", SARIF="out.sarif").returncode == 2


def test_the_action_compares(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "hola"})
    commit(tmp_path, "first")
    write(tmp_path, {"a.txt": "hola hola"})
    summary = tmp_path / "summary.md"
    done = run_step("Compare tokens", tmp_path, REVISION="HEAD", GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 0
    assert "| `a.txt` | 1 | 2 | +1 | +100.0% |" in summary.read_text()


def test_the_action_leaves_the_jobs_python_alone() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (python,) = [step for step in action["runs"]["steps"] if "setup-python" in step.get("uses", "")]
    # Names of inputs and outputs: action.yml of actions/setup-python, v5.
    assert python["with"]["update-environment"] is False
    for step in action["runs"]["steps"]:
        script = step.get("run", "")
        assert "GITHUB_PATH" not in script and "GITHUB_ENV" not in script
        # What isn't ours is called by the path that is known, not by whichever is found.
        assert not re.search(r"(?m)^\s*(python|pip|promptls)\b", script)


def test_the_action_installs_beside_the_jobs_python(tmp_path: Path) -> None:
    """With a Python that only says what it is asked to do."""
    write(tmp_path, {"python": '#!/bin/sh\necho "$0 $*" >> "$LOG"\n[ "$2" = venv ] || exit 0\n'})
    with (tmp_path / "python").open("a") as script:
        script.write('mkdir -p "$3/bin" && cp "$0" "$3/bin/python"\n')
    (tmp_path / "python").chmod(0o755)
    told = {name: str(tmp_path / name.lower()) for name in ("LOG", "GITHUB_OUTPUT", "RUNNER_TEMP")}
    paths = {"PYTHON": str(tmp_path / "python"), "ACTION_PATH": "/the action"}
    assert run_step("Install promptls", tmp_path, **told, **paths).returncode == 0
    environment = tmp_path / "runner_temp/promptls"
    first, second = (tmp_path / "log").read_text().split("\n")[:2]
    assert first == f"{tmp_path}/python -m venv {environment}"
    assert second.startswith(f"{environment}/bin/python -m pip install")
    assert second.endswith(" /the action")
    output = (tmp_path / "github_output").read_text()
    assert output == f"promptls={environment}/bin/promptls\n"


def test_the_hooks_take_every_format() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for each in all_formats():
        for pattern in each.patterns:
            name = pattern.replace("*", "x")
            assert re.search(hooks[0]["files"], f"prompts/{name}") or "*" not in pattern
            if each.accepts is None and each.name not in ("markdown", "plain"):
                assert re.search(hooks[0]["files"], f"src/{name.upper()}")


HOOKED = [
    ("AGENTS.md", True),
    ("docs/CLAUDE.md", True),
    (".github/prompts/mail.prompt.md", True),
    ("mail.prompty", True),
    ("x/greet.prompt", True),
    ("models/a.prompt.yml", True),
    ("prompts/deep/plantilla.j2", True),
    ("src/plantilla.jinja2", True),
    ("a/promptfooconfig.dev.yaml", True),
    ("prompts/x.ndjson", True),
    (".kiro/steering/product.md", True),
    ("app/.clinerules/a.md", True),
    (".github/ISSUE_TEMPLATE/bug.md", False),
    (".github/workflows/ci.yml", False),
    ("src/promptly.md", False),
    ("README.md", False),
    ("requirements.txt", False),
    ("package.json", False),
]


@pytest.mark.parametrize(("path", "taken"), HOOKED)
def test_the_hooks_take_prompt_files(path: str, taken: bool) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["promptls", "promptls-fix"]
    for hook in hooks:
        assert bool(re.search(hook["files"], path)) is taken
        assert hook["entry"].split()[0] == "promptls"
        assert run(*hook["entry"].split()[1:], "--help").code == 0

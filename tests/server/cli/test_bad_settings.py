"""Settings that can't be used fail a check, and every report says where they stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from promptls.cli.check import FORMATS

from .running import Result, run, write

SCHEMA = json.loads(
    Path(__file__).parents[1].joinpath("reports/sarif-2.1.0-rtm.5.json").read_text("utf-8")
)

FAULTS = [
    # The settings, what is said, the line and the column from 1, and the end column.
    ("family = 'chatml'\nencodng = 'x'\n", "encodng: is not a setting", 2, 1, 8),
    ("budget = 'x'", "budget: should be a number", 1, 1, 7),
    ("[rules]\nno-such-rule = 'off'", "rules.no-such-rule: there is no such rule", 2, 1, 13),
    ("\n  x = [1", "isn't valid TOML: Unclosed array", 2, 8, 9),
    ("compareEncodings = ['nope']", "compareEncodings: unknown encoding", 1, 1, 17),
]


def check(here: Path, settings: str, output_format: str) -> Result:
    write(here, {"team/promptls.toml": settings, "team/a.txt": "<|endoftext|>"})
    result = run("check", "team", "--output-format", output_format)
    assert result.code == 2
    return result


@pytest.mark.parametrize(("settings", "message", "line", "column", "end"), FAULTS)
def test_each_report_says_where(
    here: Path, settings: str, message: str, line: int, column: int, end: int
) -> None:
    said = f"promptls: team/promptls.toml:{line}:{column}: {message}"
    for output_format in FORMATS:
        result = check(here, settings, output_format)
        assert said in result.err and result.err.count("\n") == 1
        REPORTS[output_format](result, message, line, column, end)


def text(result: Result, message: str, line: int, column: int, end: int) -> None:
    assert "team/a.txt:1:1: warning[special-token]" in result.text


def github(result: Result, message: str, line: int, column: int, end: int) -> None:
    fault, finding = result.text.split("\n")[:2]
    assert fault.startswith(
        f"::error title=promptls (settings),file=team/promptls.toml,line={line},col={column},"
        f"endLine={line},endColumn={end}::{message}"
    )
    assert finding.startswith("::warning title=promptls (special-token),file=team/a.txt")


def rows(result: Result, message: str, line: int, column: int, end: int) -> None:
    fault, finding = result.json
    assert fault["message"].startswith(message)
    assert (fault["rule"], fault["severity"], fault["path"], fault["fixable"]) == (
        "settings",
        "error",
        "team/promptls.toml",
        False,
    )
    assert fault["range"] == {
        "start": {"line": line - 1, "character": column - 1},
        "end": {"line": line - 1, "character": end - 1},
    }
    assert finding["rule"] == "special-token"


def gitlab(result: Result, message: str, line: int, column: int, end: int) -> None:
    fault, finding = result.json
    assert fault["description"].startswith(message)
    assert (fault["check_name"], fault["severity"]) == ("settings", "critical")
    place = {"path": "team/promptls.toml", "lines": {"begin": line, "end": line}}
    assert fault["location"] == place
    assert finding["check_name"] == "special-token"
    assert fault["fingerprint"] != finding["fingerprint"]


def sarif(result: Result, message: str, line: int, column: int, end: int) -> None:
    log: Any = result.json
    jsonschema.validate(log, SCHEMA)
    (run_,) = log["runs"]
    (invocation,) = run_["invocations"]
    (note,) = invocation["toolConfigurationNotifications"]
    assert invocation["executionSuccessful"] is False
    assert (note["level"], note["descriptor"]) == ("error", {"id": "settings"})
    assert note["message"]["text"].startswith(message)
    place = note["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "team/promptls.toml"}
    assert place["region"]["startLine"] == line and place["region"]["startColumn"] == column
    assert [result["ruleId"] for result in run_["results"]] == ["special-token"]


REPORTS = {"text": text, "github": github, "json": rows, "gitlab": gitlab, "sarif": sarif}


def test_each_report_is_tested() -> None:
    assert set(REPORTS) == set(FORMATS)


LACKING = [
    ("encoding = 'o200'", 1, 1),
    ("\nmodel = 'gpt-0'", 2, 1),
    ("encoding = 'x'\n[encodings]\nx.path = 'gone.json'", 3, 1),
    ("encoding = 'x'\nencodings.x = { path = '/dev/zero' }", 2, 17),
]


@pytest.mark.parametrize(("settings", "line", "column"), LACKING)
def test_without_an_encoding_the_other_findings_are_there(
    here: Path, settings: str, line: int, column: int
) -> None:
    write(here, {"promptls.toml": settings, "a.txt": "a\u202eb", "b.txt": "y" * 99})
    result = run("check", ".", "--output-format", "github")
    assert result.code == 2 and result.err.count("\n") == 1
    fault, finding, end = result.text.split("\n")
    place = f"file=promptls.toml,line={line},col={column},"
    assert fault.startswith(f"::error title=promptls (settings),{place}")
    assert "(bidi-control),file=a.txt" in finding and end == ""
    assert run("count", ".").code == 2


def test_an_encoding_of_an_option_is_not_the_settings_fault(here: Path) -> None:
    write(here, {"promptls.toml": "encodings.x.path = 'gone'", "a.txt": "x"})
    result = run("check", ".", "--encoding", "x", "--output-format", "json")
    assert (result.code, result.json) == (2, [])
    assert result.err == "promptls: encodings.x.path: there is no file gone\n"


@pytest.mark.parametrize("name", ["a\\u001b[1mb", "a\\nb", "\\u202e", " "])
def test_a_name_that_can_not_be_shown_is_none(here: Path, name: str) -> None:
    write(here, {"promptls.toml": f'encodings."{name}".path = "x"', "a.txt": "x"})
    result = run("check", ".")
    assert result.code == 2 and "has characters that can't be shown" in result.err


def test_a_model_that_is_stood_in_for_is_no_fault(here: Path) -> None:
    write(here, {"promptls.toml": "model = 'claude-opus-4-5'", "a.txt": "x"})
    assert run("check", ".").code == 0


def test_a_file_that_was_not_checked_is_in_the_report(here: Path) -> None:
    write(here, {"a.txt": b"\xff", "b.txt": "x"})
    log = run("check", ".", "--output-format", "sarif").json
    jsonschema.validate(log, SCHEMA)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("a.txt: isn't UTF-8")


def test_a_run_that_went_well_says_so(here: Path) -> None:
    write(here, {"a.txt": "<|endoftext|>"})
    log = run("check", ".", "--output-format", "sarif").json
    jsonschema.validate(log, SCHEMA)
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize("options", [["--diff"], ["--write-baseline", "--baseline", "b.json"]])
def test_other_ways_of_checking_fail_too(here: Path, options: list[str]) -> None:
    write(here, {"promptls.toml": "x = 1", "a.txt": "x"})
    assert run("check", ".", *options).code == 2

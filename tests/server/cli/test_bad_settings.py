"""Settings that can't be used fail a check, and every report says where they stand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from promptls.cli.check import FORMATS

from .running import Result, check_refused, run, write

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
    write(here, {"team/promptls.toml": settings, "team/a.txt": "<|endoftext|>"})
    for output_format in FORMATS:
        result = run("check", "team", "--output-format", output_format)
        assert result.code == 2
        said = f"promptls: team/promptls.toml:{line}:{column}: {message}"
        assert said in result.err and result.err.count("\n") == 1
        told, place, rule = REPORTS[output_format](result)
        assert told.startswith(message) and rule == "special-token"
        # Not every report has columns.
        assert place == (line, column, end)[: len(place)]


Told = tuple[str, tuple[int, ...], str]


def text(result: Result) -> Told:
    """The finding alone: people have read of the settings on standard error."""
    assert result.text.startswith("team/a.txt:1:1: warning[")
    return result.err.split(": ", 2)[2], (), result.text.partition("[")[2].partition("]")[0]


def github(result: Result) -> Told:
    fault, finding = result.text.split("\n")[:2]
    pattern = r"::error title=promptls \(settings\),file=team/promptls.toml,line=(\d+),col=(\d+),"
    told = re.match(pattern + r"endLine=\1,endColumn=(\d+)::(.*)", fault)
    found = re.match(r"::warning title=promptls \((.*?)\),file=team/a.txt", finding)
    assert told and found
    return told[4], tuple(map(int, told.groups()[:3])), found[1]


def rows(result: Result) -> Told:
    fault, finding = result.json
    about = [fault[name] for name in ("rule", "severity", "path", "fixable")]
    assert about == ["settings", "error", "team/promptls.toml", False]
    start, end = fault["range"]["start"], fault["range"]["end"]
    assert start["line"] == end["line"]
    place = start["line"] + 1, start["character"] + 1, end["character"] + 1
    return fault["message"], place, finding["rule"]


def of_gitlab(result: Result) -> Told:
    fault, finding = result.json
    assert (fault["check_name"], fault["severity"]) == ("settings", "critical")
    assert fault["fingerprint"] != finding["fingerprint"]
    lines = fault["location"]["lines"]
    assert fault["location"]["path"] == "team/promptls.toml" and lines["begin"] == lines["end"]
    return fault["description"], (lines["begin"],), finding["check_name"]


def of_sarif(result: Result) -> Told:
    jsonschema.validate(result.json, SCHEMA)
    (log,) = result.json["runs"]
    (invocation,) = log["invocations"]
    (note,) = invocation["toolConfigurationNotifications"]
    assert invocation["executionSuccessful"] is False
    assert (note["level"], note["descriptor"]) == ("error", {"id": "settings"})
    place = note["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "team/promptls.toml"}
    region = place["region"]
    (finding,) = log["results"]
    at = region["startLine"], region["startColumn"], region["endColumn"]
    return note["message"]["text"], at, finding["ruleId"]


REPORTS = {"text": text, "github": github, "json": rows, "gitlab": of_gitlab, "sarif": of_sarif}


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
    check_refused(run("check", "."), "has characters that can't be shown")


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

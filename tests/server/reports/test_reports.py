"""Each way of writing findings down, against the format's own schema or documentation."""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from promptls.cli.terminal import print_json
from promptls.findings import Fix, apply_fixes
from promptls.reading.reading import read
from promptls.reports import baseline, github, gitlab, sarif, text
from promptls.reports.diff import unified_diff
from promptls.reports.located import Excerpt, Located, locate
from promptls.rules.checking import check
from promptls.text import Edit

SCHEMA = Path(__file__).parent / "sarif-2.1.0-rtm.5.json"

PROMPTS = {
    "plano.txt": "Escribe <|endoftext|> al final.\r\nY otra vez: <|endoftext|> ",
    "con espacio/日本語.txt": "漢字\t👩‍🚀 <|endoftext|>\u202e",
    "100%: a,b.txt": "<|endoftext|>\n\n\nfin  ",
    "nada.txt": "Todo bien.",
}


def found(name: str, content: str) -> list[Located]:
    return locate(check(read(content, name)), name)


@cache
def all_found() -> tuple[Located, ...]:
    return tuple(finding for name, content in PROMPTS.items() for finding in found(name, content))


def test_there_is_something_to_report() -> None:
    assert len(all_found()) >= 5
    assert {finding.path for finding in all_found()} == set(PROMPTS) - {"nada.txt"}


# --- SARIF -------------------------------------------------------------------------------------


def validate(log: dict[str, Any]) -> None:
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(log)


@pytest.mark.parametrize("findings", [all_found(), ()], ids=["some", "none"])
def test_sarif_is_valid(findings: tuple[Located, ...]) -> None:
    log = json.loads(json.dumps(sarif.report(findings)))
    validate(log)
    assert len(log["runs"][0]["results"]) == len(findings)
    with pytest.raises(jsonschema.ValidationError):
        validate({**log, "version": "2.0.0"})


def test_sarif_rules_and_places() -> None:
    run: Any = sarif.report(all_found())["runs"]
    rules, results = run[0]["tool"]["driver"]["rules"], run[0]["results"]
    for finding, result in zip(all_found(), results, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
        location = result["locations"][0]["physicalLocation"]
        assert location["region"]["startLine"] == finding.start.line + 1
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert "con%20espacio/%E6%97%A5%E6%9C%AC%E8%AA%9E.txt" in uris
    assert "100%25%3A%20a%2Cb.txt" in uris


@pytest.mark.parametrize("name", PROMPTS)
def test_sarif_fixes_do_what_ours_do(name: str) -> None:
    """Replacements are applied by line and column, in code points, as SARIF defines them."""
    content = PROMPTS[name]
    checked = check(read(content, name))
    run: Any = sarif.report(locate(checked, name))["runs"]
    for finding, result in zip(checked.findings, run[0]["results"], strict=True):
        with_edits = [fix for fix in finding.fixes if fix.edits]
        assert len(with_edits) == len(result.get("fixes", []))
        for ours, theirs in zip(with_edits, result.get("fixes", []), strict=True):
            replacements = theirs["artifactChanges"][0]["replacements"]
            edits = tuple(edit(checked.reading.line_starts, each) for each in replacements)
            assert apply_fixes(content, [Fix("", edits)]) == apply_fixes(content, [ours])


def edit(line_starts: list[int], replacement: Any) -> Edit:
    region = replacement["deletedRegion"]
    start = line_starts[region["startLine"] - 1] + region["startColumn"] - 1
    end = line_starts[region["endLine"] - 1] + region["endColumn"] - 1
    return Edit(start, end, replacement["insertedContent"]["text"])


# --- GitHub and GitLab -------------------------------------------------------------------------


def unescape(value: str) -> str:
    """As GitHub's runner does (actions/runner, ActionCommand)."""
    for escape, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n")):
        value = value.replace(escape, character)
    return value.replace("%25", "%")


def test_github_commands_can_be_read_back() -> None:
    lines = list(github.report(all_found()))
    for finding, line in zip(all_found(), lines, strict=True):
        assert "\n" not in line and "\r" not in line
        head, _, message = line.removeprefix("::").partition("::")
        command, _, properties = head.partition(" ")
        values = dict(pair.split("=", 1) for pair in properties.split(","))
        assert command in {"error", "warning", "notice"}
        assert unescape(values["file"]) == finding.path
        assert int(values["line"]) == finding.start.line + 1
        assert int(values["col"]) == finding.start.column + 1
        assert unescape(message) == finding.message


def test_gitlab_issues_have_what_gitlab_asks_for() -> None:
    issues = gitlab.report(all_found())
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(map(str, prints))) == len(prints) == len(all_found())
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}


def test_a_fingerprint_stays_when_lines_move() -> None:
    before = found("a.txt", "uno <|endoftext|> dos <|endoftext|>")
    after = found("a.txt", "Hola.\n\nuno dos\n<|endoftext|> <|endoftext|>")
    assert [f.fingerprint for f in before] == [f.fingerprint for f in after]
    assert len({f.fingerprint for f in before}) == 2
    assert before[0].fingerprint != found("b.txt", "<|endoftext|>")[0].fingerprint


# --- Text --------------------------------------------------------------------------------------


def plain(lines: Any) -> list[str]:
    return ["".join(part for part, _ in line) for line in lines]


FRAMES = [
    ("hola <|endoftext|> fin", "    1 │ hola <|endoftext|> fin"),
    ("\t<|endoftext|>", "    1 │     <|endoftext|>"),
    ("漢字 한글 <|endoftext|>", "    1 │ 漢字 한글 <|endoftext|>"),
    ("👩‍🚀 e\u0301 <|endoftext|>", "    1 │ 👩‍🚀 e\u0301 <|endoftext|>"),
    ("\u202ea\x1b[31m\u200b <|endoftext|>", "    1 │ <U+202E>a<U+001B>[31m<U+200B> <|endoftext|>"),
    ("uno\r\ndos\rtres\u2028 <|endoftext|>\n", "    3 │ tres<U+2028> <|endoftext|>"),
    ("a " * 90 + "<|endoftext|>", f"    1 │ … {'a ' * 38}<|endoftext|>"),
    ("x" * 300 + "<|endoftext|>" + "y" * 300, f"    1 │ …{'x' * 38}<|endoftext|>{'y' * 39}…"),
    ("漢" * 300 + "<|endoftext|>" + "字" * 300, f"    1 │ …{'漢' * 19}<|endoftext|>{'字' * 19}…"),
    ("\u200b" * 16 + "\u200b<|endoftext|>", "    1 │ <17 invisible characters><|endoftext|>"),
]


@pytest.mark.parametrize(("content", "line"), FRAMES)
def test_the_carets_stand_below_what_was_found(content: str, line: str) -> None:
    [finding] = [f for f in found("a.txt", content) if f.rule == "special-token"]
    shown, carets = plain(text.frame(finding))
    assert shown == line
    before, _, rest = carets.partition("^")
    assert cell_len(before) == cell_len(shown.partition("<|endoftext|>")[0])
    assert rest.startswith("^" * 12 + " fix: ")


@given(
    st.text(st.sampled_from("a 漢👩\u200d\u0301\t\u202e\U000e0041"), max_size=220),
    st.integers(1, 40),
    st.text(st.sampled_from("a 漢👩\u200d\u0301\t\u202e\U000e0041"), max_size=220),
    st.integers(10, 200),
)
def test_a_frame_fits_the_terminal(before: str, length: int, after: str, columns: int) -> None:
    finding = replace(all_found()[0], excerpt=Excerpt(before, "漢" * length, after))
    shown, carets = plain(text.frame(finding, columns))
    assert cell_len(shown) <= max(columns, 40)
    assert "漢" in shown
    assert carets.rindex("^") < max(columns, 40)


def test_blanks_are_shown_where_they_are_the_matter() -> None:
    [finding] = [f for f in found("a.txt", "La respuesta es  ") if "trailing" in f.rule]
    shown, carets = plain(text.frame(finding))
    assert shown == "    1 │ La respuesta es··"
    assert carets.startswith("      │                ^^ fix: ")


def test_a_finding_is_found_by_editors() -> None:
    [finding] = [f for f in found("a b.txt", "ñ\n 漢<|endoftext|>") if f.rule == "special-token"]
    head = plain(text.report([finding]))[0]
    assert head.startswith("a b.txt:2:3: warning[special-token]: <|endoftext|> ")


@pytest.mark.parametrize(
    ("count", "files", "mended", "line"),
    [
        (0, 0, 0, "No findings in 0 files."),
        (0, 1, 2, "2 findings mended, none left in 1 file."),
        (1, 3, 0, "1 finding in 3 files; --fix --unsafe-fixes mends it."),
        (2, 1, 1, "1 finding mended. 2 findings in 1 file; --fix --unsafe-fixes mends 2."),
    ],
)
def test_the_summary(count: int, files: int, mended: int, line: str) -> None:
    findings = found("a.txt", "<|endoftext|>\n" * count)
    assert plain([text.summary(findings, files, mended)]) == [line]


def test_the_summary_tells_safe_from_unsafe() -> None:
    safe, both = found("a.txt", "a\u200bb\n"), found("a.txt", "a\u200bb <|endoftext|>\n")
    assert plain([text.summary(safe, 1)]) == ["1 finding in 1 file; --fix mends it."]
    assert plain([text.summary(both, 1)]) == [
        "2 findings in 1 file; --fix mends 1; --fix --unsafe-fixes mends 1 more."
    ]


# --- Baselines and patches ---------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 3}', '{"files": {"a": []}}', "\0"])
def test_what_is_no_baseline(content: str) -> None:
    with pytest.raises(ValueError):
        baseline.load(content)


def test_a_baseline_reads_what_it_writes() -> None:
    known = baseline.load(baseline.dump(all_found()))
    assert baseline.new_findings(all_found(), known) == []
    assert baseline.new_findings([*all_found(), *all_found()], known) == list(all_found())


@pytest.mark.parametrize("name", ["a b.txt", "á.txt", 'q"x.txt', "e\x1b\n\t.txt", "\u202e.txt"])
def test_git_applies_the_patch_of_a_file_of_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a\n")
    patch = unified_diff("a\n", "b\n", name)
    assert all(line.isprintable() for line in patch.split("\n"))
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, text=True, check=True)
    assert (tmp_path / name).read_text() == "b\n"


LINES = st.lists(st.sampled_from(["a", "b", "", "c\r", *map(str, range(30))]), max_size=40)


@given(pairs=st.lists(st.tuples(LINES, LINES, st.booleans(), st.booleans()), min_size=20))
@settings(max_examples=20)
def test_git_applies_the_patch_from_any_text_to_any_other(
    pairs: list[tuple[list[str], list[str], bool, bool]],
) -> None:
    texts = [
        ("\n".join(old) + "\n" * old_ends, "\n".join(new) + "\n" * new_ends)
        for old, new, old_ends, new_ends in pairs
    ]
    check_patches([(old, new) for old, new in texts if old and new])


def test_git_applies_the_patch_of_some_changes_among_many_lines() -> None:
    lines = [f"line {n % 40 or n}" for n in range(400)]
    changed = [f"{line}!" if n % 31 == 0 else line for n, line in enumerate(lines)]
    changed[250:300] = []
    changed[90:90] = ["more", "more"]
    before, after = "\n".join(lines), "\n".join(changed)
    check_patches([(before, after), (after, before), ("\n" * 100, "\n" * 9)])
    # Hardly more is said to change than does.
    removed = [line for line in unified_diff(before, after, "x").split("\n") if line[:1] == "-"]
    assert len(removed) <= 1 + 13 + 50 + 40


def check_patches(texts: list[tuple[str, str]]) -> None:
    """Git makes each second text of the first one with the patch between them."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{n}.txt" for n in range(len(texts))]
        for file, (before, _) in zip(files, texts, strict=True):
            file.write_bytes(before.encode())
        patch = "".join(
            unified_diff(*pair, file.name) for file, pair in zip(files, texts, strict=True)
        )
        if patch:
            command = ["git", "apply", "--whitespace=nowarn", "-"]
            subprocess.run(command, cwd=folder, input=patch.encode(), check=True)
        assert [file.read_bytes().decode() for file in files] == [after for _, after in texts]


def test_no_change_is_no_patch() -> None:
    assert unified_diff("a\r\nb", "a\r\nb", "x.txt") == ""


def test_no_report_says_what_a_terminal_acts_upon() -> None:
    name = "e\x1b]0;x\x07\n::error::y\x9b\u202e.md"
    findings = found(name, "<|endoftext|>")
    (line,) = github.report(findings)
    assert line.isprintable()
    out = io.StringIO()
    print_json(sarif.report(findings), out)
    print_json(gitlab.report(findings), out)
    print_json([name, "\U000e0041\ud800"], out)
    assert all(line.isprintable() for line in out.getvalue().split("\n"))
    last = out.getvalue().rpartition("\n[")[2]
    assert json.loads(f"[{last}") == [name, "\U000e0041\ud800"]

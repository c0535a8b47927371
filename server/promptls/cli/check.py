"""`promptls check`: what is wrong in prompt files, and `--fix`, which mends it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TextIO

from subword.cli.shared import EXIT_FINDINGS, EXIT_OK, CommandError, positive
from subword.wording import amount

from ..reading.encodings import MissingEncoding
from ..reading.reading import Reading, read
from ..reports import baseline, github, gitlab, sarif, text
from ..reports.diff import unified_diff
from ..reports.json import finding_row
from ..reports.located import Located, locate, locate_fault
from ..rules.checking import Checked, check
from ..rules.fixing import fix_all
from ..sources.files import UnreadableText, read_text, write_text
from .inputs import Complaints, Failure, Source, load, sources, unavailable
from .parallel import map_sources
from .terminal import columns, print_json, print_lines

FORMATS = ("text", "json", "sarif", "github", "gitlab")
LEVELS = ("error", "warning", "info", "hint")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find what is wrong in prompt files. Exits with 1 when something is found that is more "
        "than a hint."
    )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="the most tokens that a prompt may have"
    )
    parser.add_argument("--fix", action="store_true", help="mend in place what can be mended")
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff, make the changes, too, by which a model reads another text",
    )
    failing = parser.add_mutually_exclusive_group()
    failing.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="info",
        metavar="LEVEL",
        help=f"exit with 1 from this level on: {', '.join(LEVELS)}; the default is %(default)s",
    )
    failing.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 whatever is found; errors still are 2"
    )
    parser.add_argument(
        "--diff", action="store_true", help="print what --fix would change, as a patch"
    )
    parser.add_argument(
        "--output-format", choices=FORMATS, default="text", help="the default is %(default)s"
    )
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="output_format",
        help="the same as --output-format json",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="leave out the findings that FILE has recorded"
    )
    parser.add_argument(
        "--write-baseline",
        action="store_true",
        help="record all present findings in the baseline's FILE",
    )


def run(args: argparse.Namespace, complaints: Complaints) -> int:
    if args.write_baseline and not args.baseline:
        raise CommandError("--write-baseline needs --baseline FILE, the file to write")
    todo = sources(args, complaints)
    # A check with other settings than the ones that were written can't be passed.
    complaints.count += len(complaints.bad_settings)
    work = partial(
        check_source, fix=args.fix and not args.diff, diff=args.diff, unsafe=args.unsafe_fixes
    )
    checked: list[Report] = []
    for result in map_sources(work, todo, "Checking"):
        if failure := result if isinstance(result, Failure) else result and result.lacking:
            _complain(failure, complaints)
        if isinstance(result, Report):
            checked.append(result)
    if args.diff:
        return _print_diffs(checked)
    findings = [finding for each in checked for finding in each.findings]
    if args.write_baseline:
        return _write_baseline(Path(args.baseline), findings)
    if args.baseline:
        findings = baseline.new_findings(findings, _read_baseline(Path(args.baseline)))
    _print_findings(args.output_format, findings, checked, complaints)
    return _verdict(findings, args)


def _verdict(findings: Sequence[Located], args: argparse.Namespace) -> int:
    """Whether the findings fail a build: a hint is an opinion, what is above it is a fault."""
    failing = LEVELS[: LEVELS.index(args.fail_on) + 1]
    is_failed = any(finding.severity in failing for finding in findings)
    return EXIT_FINDINGS if is_failed and not args.exit_zero else EXIT_OK


@dataclass(frozen=True)
class Report:
    """What a file's check gave: the findings that are left, and what was mended."""

    findings: list[Located]
    mended: int = 0
    fixed_text: str | None = None
    """The text of standard input as `--fix` leaves it."""
    diff: str = ""
    lacking: Failure | None = None
    """Why there are only the findings that need no tokenizer, if that is so."""


def check_source(source: Source, fix: bool, diff: bool, unsafe: bool) -> Report | Failure | None:
    """Check one file, in whichever process, and mend it if that is asked for."""
    reading = load(source, needs_tokenizer=False)
    if not isinstance(reading, Reading):
        return reading
    report = _check(source, check(reading), fix, diff, unsafe)
    encoding = reading.encoding
    if isinstance(encoding, MissingEncoding) and isinstance(report, Report):
        return replace(report, lacking=unavailable(source, encoding.error))
    return report


def _check(
    source: Source, checked: Checked, fix: bool, diff: bool, unsafe: bool
) -> Report | Failure:
    if not fix and not diff:
        return Report(locate(checked, source.name))
    before, text = checked.reading, fix_all(checked, unsafe=unsafe)
    if diff:
        return Report([], diff=unified_diff(before.text, text, source.name))
    is_changed, fixed = text != before.text, checked
    if is_changed:
        fixed = check(read(text, before.path, before.settings, needs_tokenizer=False))
    report = Report(locate(fixed, source.name), len(checked.findings) - len(fixed.findings))
    if source.text is not None:
        return replace(report, fixed_text=text)
    if is_changed:
        assert source.path
        try:
            write_text(source.path, text)
        except UnreadableText as error:
            return Failure(f"{source.name}: {error}")
    return report


def _complain(failure: Failure, complaints: Complaints) -> None:
    """Say why a file was not checked, or not wholly."""
    if failure.fault is None:
        complaints.add(failure.message)
    else:
        complaints.count += 1
        complaints.blame(failure.fault)


def _print_findings(
    output_format: str, findings: list[Located], checked: Sequence[Report], complaints: Complaints
) -> None:
    """Print the report. When standard input was mended, its text has standard output for itself.

    What is wrong in the settings is in each report; people have read it on standard error.
    """
    faults = [locate_fault(fault) for fault in complaints.bad_settings]
    file: TextIO = sys.stdout
    for each in checked:
        if each.fixed_text is not None:
            file = sys.stderr
            sys.stdout.flush()
            sys.stdout.buffer.write(each.fixed_text.encode("utf-8"))
    if output_format == "json":
        print_json([finding_row(finding) for finding in (*faults, *findings)], file)
    elif output_format == "sarif":
        print_json(sarif.report(findings, faults, complaints.errors), file)
    elif output_format == "gitlab":
        print_json(gitlab.report([*faults, *findings]), file)
    elif output_format == "github":
        file.writelines(f"{line}\n" for line in github.report([*faults, *findings]))
    else:
        print_lines(text.report(findings, columns()), file)
        print_lines([text.summary(findings, len(checked), sum(c.mended for c in checked))], file)


def _print_diffs(checked: Sequence[Report]) -> int:
    sys.stdout.flush()
    for each in checked:
        # Bytes, since a patch must keep the line ends of the file.
        sys.stdout.buffer.write(each.diff.encode("utf-8"))
    return EXIT_FINDINGS if any(each.diff for each in checked) else EXIT_OK


def _write_baseline(path: Path, findings: list[Located]) -> int:
    try:
        path.write_text(baseline.dump(findings), encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"{path}: can't be written: {error.strerror}") from None
    print_lines([[(f"Recorded {amount(len(findings), 'finding')} in {path}.", "green")]])
    return EXIT_OK


def _read_baseline(path: Path) -> baseline.Baseline:
    try:
        return baseline.load(read_text(path))
    except UnreadableText as error:
        hint = "" if path.exists() else "; write it with --write-baseline"
        raise CommandError(f"{path}: {error}{hint}") from None
    except ValueError:
        raise CommandError(f"{path}: is not a baseline of promptls") from None

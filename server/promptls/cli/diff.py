"""`promptls diff`: the tokens of prompt files now, against a Git revision."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypedDict

from subword.cli.shared import CommandError, Line, Result, add_json

from ..reading.amounts import Amount, Exactness, sum_of
from ..reading.reading import Reading
from ..sources.files import UnreadableText, can_be_prompt, decode, is_prompt
from ..sources.git import Change, GitError, Repository
from .inputs import Complaints, Failure, Source, load, settings_here


class _Bounds(TypedDict, total=False):
    """The least tokens, where that is a range; `before` and `after` are then the most."""

    before_low: int
    after_low: int


Side = Literal["before", "after"]
_SIDES: tuple[Side, ...] = ("before", "after")


class DiffRow(_Bounds):
    path: str
    before: int | None
    """The tokens at the revision; None for a new file."""
    after: int | None
    """The tokens now; None for a deleted file."""
    change: int
    exactness: Exactness
    """`exact` where both numbers are."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compare the tokens of the prompt files that changed since a Git revision, new files "
        "included, with what they had then. Both are counted with the settings of now."
    )
    parser.add_argument(
        "revision",
        nargs="?",
        default="HEAD",
        metavar="REV",
        help="the revision to compare with (default: %(default)s)",
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only these files and folders")
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--markdown", action="store_true", help="print a Markdown table, for a pull request"
    )
    add_json(group)


def run(args: argparse.Namespace, complaints: Complaints) -> Result:
    try:
        repository = Repository.around(Path())
        revision, paths = _revision_and_paths(repository, args.revision, args.paths)
        rows = list(_rows(repository, repository.changes(revision, paths), args, complaints))
    except GitError as error:
        raise CommandError(str(error)) from None
    total = {name: value for name, value in _totals(rows).items() if name != "path"}
    json = {"revision": revision, "files": rows, "total": total}
    if args.markdown:
        return Result(json, ([(line, "")] for line in _markdown(rows, revision)))
    return Result(json, _table(rows, revision))


def _revision_and_paths(
    repository: Repository, first: str, paths: list[str]
) -> tuple[str, list[str]]:
    """As Git does: what is no revision but a path is a path, and the revision is HEAD."""
    if repository.has_revision(first):
        return first, paths
    if not repository.has_revision("HEAD"):
        raise CommandError("this repository has no commit yet, so there is nothing to compare with")
    if Path(first).exists():
        return "HEAD", [first, *paths]
    raise CommandError(f"{first}: is neither a revision of this repository nor a path")


def _rows(
    repository: Repository,
    changes: list[Change],
    args: argparse.Namespace,
    complaints: Complaints,
) -> Iterator[DiffRow]:
    for change in changes:
        if not can_be_prompt(Path(change.path or change.old_path or "").name):
            continue
        before = _count(change.old_path, repository.old_bytes(change), args, complaints)
        try:
            data = repository.new_bytes(change)
        except UnreadableText as error:
            complaints.add(f"{change.path}: {error}")
            continue
        after = _count(change.path, data, args, complaints)
        if before != after:
            yield _row(change.path or change.old_path or "", before, after)


def _count(
    path: str | None, data: bytes | None, args: argparse.Namespace, complaints: Complaints
) -> Amount | None:
    """The tokens of a version of a file; None where there is no such version, or no prompt."""
    if path is None or data is None:
        return None
    try:
        text = decode(data)
    except UnreadableText as error:
        complaints.add(f"{path}: {error}")
        return None
    if not is_prompt(Path(path), text):
        return None
    settings = settings_here(Path(path).parent, args, complaints)
    reading = load(Source(path, Path(path), settings, text=text))
    if isinstance(reading, Reading):
        return reading.amount
    if isinstance(reading, Failure):
        complaints.add(reading.message)
    return None


def _row(path: str, before: Amount | None, after: Amount | None) -> DiffRow:
    both = sum_of(filter(None, (before, after)))
    row = DiffRow(
        path=path,
        before=before and before.tokens,
        after=after and after.tokens,
        change=(after.tokens if after else 0) - (before.tokens if before else 0),
        exactness=both.exactness,
    )
    if before and before.is_range:
        row["before_low"] = before.least
    if after and after.is_range:
        row["after_low"] = after.least
    return row


def _totals(rows: list[DiffRow]) -> DiffRow:
    before = sum_of(_amount(row, "before") or Amount(0, row["exactness"]) for row in rows)
    after = sum_of(_amount(row, "after") or Amount(0) for row in rows)
    return _row("total", before, after)


def _table(rows: list[DiffRow], revision: str) -> Iterator[Line]:
    if not rows:
        yield [(f"No prompt file has another number of tokens than at {revision}.", "green")]
        return
    shown = [*rows, _totals(rows)] if len(rows) > 1 else rows
    cells = [_cell(row, side) for row in shown for side in _SIDES]
    width = max(8, *(len(cell) + 2 for cell in cells))
    yield [(f"{'before':>{width}}{'now':>{width}}{'change':>9}           file", "dim")]
    for row in shown:
        style = "red" if row["change"] > 0 else "green"
        yield (
            (f"{_cell(row, 'before'):>{width}}{_cell(row, 'after'):>{width}}", ""),
            (f"{row['change']:>+9}{_share(row):>9}", style),
            (f"  {row['path']}", "bold" if row["path"] == "total" else ""),
        )


def _markdown(rows: list[DiffRow], revision: str) -> Iterator[str]:
    if not rows:
        yield f"No prompt file has another number of tokens than at `{revision}`."
        return
    yield f"| Prompt | Tokens at `{revision}` | Now | Change | |"
    yield "|---|---:|---:|---:|---:|"
    for row in rows:
        name = row["path"].replace("|", "\\|").replace("`", "'")
        yield f"| `{name}` {_cells(row)}"
    if len(rows) > 1:
        yield f"| **total** {_cells(_totals(rows))}"


def _cells(row: DiffRow) -> str:
    before, after = _cell(row, "before"), _cell(row, "after")
    return f"| {before} | {after} | {row['change']:+} | {_share(row).strip()} |"


def _cell(row: DiffRow, side: Side) -> str:
    amount = _amount(row, side)
    return "–" if amount is None else amount.brief


def _amount(row: DiffRow, side: Side) -> Amount | None:
    tokens = row[side]
    if tokens is None:
        return None
    low = row.get("before_low") if side == "before" else row.get("after_low")
    return Amount(tokens, row["exactness"], low, None if low is None else tokens)


def _share(row: DiffRow) -> str:
    """The change in percent; `new` and `deleted` where there is nothing to compare with."""
    if row["before"] is None:
        return "new"
    if row["after"] is None:
        return "deleted"
    return f"{row['change'] / row['before']:+.1%}" if row["before"] else ""

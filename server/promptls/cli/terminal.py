"""What people see: lines that are coloured on a terminal and plain elsewhere, and progress."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO, TypeVar

from subword.cli.shared import Line

from ..reports.text import COLUMNS
from ..wording import UNSEEN, visible

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

# With fewer files than this, the result is there before a bar could be read.
_MANY = 200


def print_lines(lines: Iterable[Line], file: TextIO | None = None) -> None:
    """Print lines, coloured if `file` (standard output) is a terminal that wants colour.

    Nothing in them, be it a file's name or a prompt, is acted upon by a terminal.
    """
    file = file or sys.stdout
    console = colours(file)
    for line in lines:
        parts = [(visible(text), style) for text, style in line]
        if console is None:
            file.write("".join(text for text, _ in parts) + "\n")
        else:
            from rich.text import Text

            console.print(Text.assemble(*parts), soft_wrap=True)


def columns() -> int:
    """How many columns standard output has, or is taken to have where it is no terminal."""
    return shutil.get_terminal_size((COLUMNS, 0)).columns


def print_json(value: object, file: TextIO | None = None) -> None:
    """Print a value as JSON, readable for people too.

    JSON escapes some of what a terminal acts upon; here it does so with the rest.
    """
    lines = json.dumps(value, ensure_ascii=False, indent=2).split("\n")
    (file or sys.stdout).writelines(f"{UNSEEN.sub(_escaped, line)}\n" for line in lines)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def colours(file: TextIO) -> Console | None:
    """rich's console for a stream; None where the output is to be plain.

    FORCE_COLOR asks for colour anywhere, NO_COLOR for none (no-color.org).
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return None
    if not (file.isatty() or os.environ.get("FORCE_COLOR")):
        return None
    # rich takes 50 ms to import; a pipe doesn't need it.
    from rich.console import Console

    return Console(file=file, highlight=False)


def with_progress(results: Iterable[T], count: int, what: str) -> Iterator[T]:
    """The results as they come, with a bar on the terminal while there are many."""
    if count < _MANY or not sys.stderr.isatty():
        yield from results
        return
    iterator = iter(results)
    # The first result is there once the workers are started; only then may the bar's thread be.
    first = next(iterator)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=count, completed=1)
        yield first
        for result in iterator:
            progress.advance(task)
            yield result


def warn(message: str) -> None:
    """One line to standard error, whatever the names of files and settings in it are."""
    sys.stderr.write(f"promptls: {visible(message)}\n")

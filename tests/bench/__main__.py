"""`make bench`: every comparison, as a table and in bench.json.

    python -m tests.bench [--quick] [NAME …]

NAME is a module of this folder. A ratio is the other's time divided by ours, measured in the same
run: above 1 we are faster.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

MODULES = ("load", "start", "count", "server", "index", "train")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(MODULES)}")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and runs")
    parser.add_argument("--json", default="bench.json", metavar="FILE", help="where to write it")
    args = parser.parse_args()
    if unknown := set(args.names) - set(MODULES):
        parser.error(f"no bench is called {', '.join(sorted(unknown))}")
    console = Console()
    rows: list[dict[str, Any]] = []
    for name in args.names or MODULES:
        with console.status(f"{name} …"):
            measured = list(import_module(f"tests.bench.{name}").rows(args.quick))
        console.print(table(name, measured))
        rows += measured
    machine = {"python": platform.python_version(), "processors": os.cpu_count()}
    Path(args.json).write_text(json.dumps({"machine": machine, "rows": rows}, indent=1))
    console.print(f"written to {args.json}")


def table(name: str, rows: Iterable[dict[str, Any]]) -> Table:
    columns = ("case", "size", "ours", "other", "other's", "ratio")
    shown = Table(*columns, title=name, title_justify="left")
    for row in rows:
        shown.add_row(
            row["case"],
            row["size"],
            time(row["ours_us"]),
            row["other"],
            time(row["other_us"]),
            f"{row['ratio']:,.2f}",
        )
    return shown


def time(microseconds: float) -> str:
    """A time in the unit that a person would use."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:,.2f} {unit}"
    return f"{microseconds:,.1f} µs"


if __name__ == "__main__":
    main()

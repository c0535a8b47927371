"""Begins a rule or a format: the files that each has, with TODO where somebody must think.

make rule NAME=some-name
make format NAME=some-name
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from promptls import __version__
from promptls.lint.context import GROUPS

ROOT = Path(__file__).parents[1]
SERVER = "server/promptls"
TESTS = "tests/server"
GROWTH = ROOT / TESTS / "growth/test_rules_growth.py"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

RULE = '''"""TODO: A sentence of what should be, or should not.

## What it does
TODO: What is reported, and what is left alone.

## Why it matters
TODO: What a model or a reader makes of it, and where that is said.

## Example
`TODO: a text in which something is found`

## Use instead
`TODO: the same text as it should be`

## Fix
None: TODO why not, or what it does.

## Known limits
TODO: What it takes for a fault that is none, and what it doesn't see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

# TODO: What is looked for, so that no character is looked at again and again.
_FAULT = re.compile(r"(?!)")


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        for match in context.search(_FAULT, message.text):
            yield context.report("TODO: What is wrong", message.file_span(*match.span()))


# TODO: One of lint.context.GROUPS, and how bad it is.
RULE = Rule(check, "{group}", Severity.INFO, since="{version}")
'''

RULE_TEST = '''"""`{name}` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "{name}",
    "TODO: a text in which ⟦this⟧ is found",
    "TODO: one that looks alike, in which nothing is found",
)
'''

FORMAT = '''"""TODO: Whose files these are, and what of them is sent."""

from __future__ import annotations

from ..syntax.front_matter import parse_with_header
from . import Format

# TODO: What reads them: see promptls.syntax. By which names and languages they are known.
FORMAT = Format(
    name="{name}",
    parse=parse_with_header,
    patterns=("*.{name}",),
    language_ids=("{name}",),
)
'''


def begin_rule(name: str) -> dict[str, str]:
    module = name.replace("-", "_")
    growth = GROWTH.read_text("utf-8")
    head = re.search(r"^PUMPS: .* = \{\n", growth, re.MULTILINE)
    assert head, "the growth of rules has no PUMPS"
    row = f'    # TODO: What it looks for, again and again.\n    "{name}": (pump(Many("a")),),\n'
    group = next(iter(GROUPS))
    return {
        f"{SERVER}/rules/{module}.py": RULE.format(group=group, version=__version__),
        f"{TESTS}/rules/test_{module}.py": RULE_TEST.format(name=name),
        str(GROWTH.relative_to(ROOT)): growth[: head.end()] + row + growth[head.end() :],
    }


def begin_format(name: str) -> dict[str, str]:
    folder = f"{TESTS}/formats/{name}"
    return {
        f"{SERVER}/formats/{name.replace('-', '_')}.py": FORMAT.format(name=name),
        f"{folder}/example.{name}": "TODO: a file as users have it, then --update-fixtures\n",
        # TODO of its own would be read as text: one row for each thing that is looked for.
        f"{folder}/texts.growth": "include header\n",
    }


def main() -> int:
    kinds = {"rule": begin_rule, "format": begin_format}
    kind, name = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    if not NAME.fullmatch(name):
        print(f"make {kind} NAME=some-name: {name!r} is no name of small letters and hyphens")
        return 2
    files = kinds[kind](name)
    first = ROOT / next(iter(files))
    if first.exists():
        print(f"{first.relative_to(ROOT)} is there already")
        return 2
    for path, text in files.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
        print(f"wrote {path}")
    print("Fill in each TODO; CONTRIBUTING.md has the list of what is left.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the rules say about texts that nobody wrote as prompts: documentation that packages carry.

    python tests/server/rules/realworld.py [--texts N] [--rule NAME] [FOLDER…]

Prints every finding at default settings, to be read by a person, and how many there are of each
rule for each hundred texts. READMEs, documentation, licences, docstrings and locale files are
looked for in the folders given, or below the Python and Node installations of this machine.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from promptls.reading.reading import read
from promptls.rules.checking import check

PATTERNS = ("*.md", "*.txt", "*.rst", "*.po", "METADATA", "*.mdx", "*.adoc", "LICENSE*")
LARGEST = 200_000
"""In bytes; longer files say no more."""
PER_PACKAGE = 12


def roots() -> list[Path]:
    """Folders in which installed packages carry texts."""
    here = Path(__file__).parents[3]
    candidates = [
        Path(sys.prefix),
        Path(sys.base_prefix) / "lib",
        here / "client-vscode" / "node_modules",
        Path("/usr/share/doc"),
        Path("/usr/share/perl"),
        Path("/usr/lib/node_modules"),
        Path("/usr/share/vim"),
    ]
    return [path for path in candidates if path.is_dir()]


def texts(folders: list[Path]) -> Iterator[tuple[str, str]]:
    """Names and texts, a few of each package, so that no package decides the figure."""
    seen: Counter[str] = Counter()
    known: set[str] = set()
    for root in folders:
        for path in sorted(chain.from_iterable(root.rglob(p) for p in (*PATTERNS, "*.py"))):
            package = "/".join(path.relative_to(root).parts[:6][:-1])
            kind = f"{package} {path.suffix}"
            if seen[kind] >= PER_PACKAGE or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            text = _text_of(path)
            if text and text not in known:
                known.add(text)
                seen[kind] += 1
                yield str(path), text


def _text_of(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            return text
        return ast.get_docstring(ast.parse(text)) or ""
    except (OSError, ValueError, SyntaxError):
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--rule", help="show only the findings of this rule")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    seen = characters = 0
    for name, text in islice(texts(arguments.folders or roots()), arguments.texts):
        seen += 1
        characters += len(text)
        shown = name if not name.endswith(".py") else f"{name}.txt"
        for finding in check(read(text, shown)).findings:
            counts[finding.rule] += 1
            if arguments.rule in (None, finding.rule):
                line = text.count("\n", 0, finding.start) + 1
                around = text[max(finding.start - 30, 0) : finding.end + 30][:160]
                print(f"{shown}:{line}: {finding.rule}: {finding.message}\n    {around!a}")
    print(f"\n{seen} texts, {characters:,} characters")
    for rule, count in counts.most_common():
        print(f"{count:5} {rule} ({100 * count / max(seen, 1):.1f} in 100 texts)")


if __name__ == "__main__":
    main()

"""Write docs/rules from the docstrings of the rules, or check that it is up to date.

python scripts/rule_docs.py           writes the pages
python scripts/rule_docs.py --check   says which pages are out of date; exit 1 if any is
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from promptls.rules import Rule, all_rules

DOCS = Path(__file__).parent.parent / "docs" / "rules"

INDEX_HEAD = """# Rules

Each rule can be set to `off`, `hint`, `info`, `warning` or `error`, and be turned off for some
files:

```toml
# promptls.toml
[rules]
unusual-space = "off"
trailing-space-on-line = "hint"

[perFileIgnores]
"tests/*" = ["special-token", "control-token"]
```

A 🛠 marks rules with a fix that `promptls check --fix` applies, or `--fix --unsafe-fixes` where a
model would read another text: the page says which. More than 10 findings of one thing in a file
are shown as one, and so are more than 100 of one rule.

How often each rule finds something in public prompt files, and how often that is false, is
[measured](../measured.md).

| Rule | By default | |
| --- | --- | --- |
"""


def pages() -> dict[str, str]:
    """The text of each page, by file name."""
    rules = all_rules()
    rows = "\n".join(map(_row, rules))
    return {"README.md": f"{INDEX_HEAD}{rows}\n"} | {f"{r.name}.md": _page(r) for r in rules}


def _row(rule: Rule) -> str:
    mark = " 🛠" if _is_fixable(rule) else ""
    return f"| [`{rule.name}`]({rule.name}.md){mark} | {_level(rule)} | {rule.summary} |"


def _page(rule: Rule) -> str:
    is_safe = "It is unsafe" not in rule.documentation
    option = "--fix" if is_safe else "--fix --unsafe-fixes"
    fix = f"It has a fix that `{option}` applies." if _is_fixable(rule) else ""
    head = f"# {rule.name}\n\n*By default: {_level(rule)}. {fix}".rstrip() + "*\n\n"
    return head + rule.documentation.strip() + "\n"


def _level(rule: Rule) -> str:
    return "off" if rule.severity is None else str(rule.severity)


def _is_fixable(rule: Rule) -> bool:
    """Whether the page describes a fix that is applied without being asked for."""
    return re.search(r"^## Fix\n(?!None|Offered)", rule.documentation, re.MULTILINE) is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    check = parser.parse_args().check
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    differing = [name for name in wanted | present if wanted.get(name) != present.get(name)]
    if check:
        for name in differing:
            print(f"docs/rules/{name} is out of date; run python scripts/rule_docs.py")
        return 1 if differing else 0
    DOCS.mkdir(parents=True, exist_ok=True)
    for name in differing:
        path = DOCS / name
        if name in wanted:
            path.write_text(wanted[name], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())

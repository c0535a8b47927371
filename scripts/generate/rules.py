"""The rules' pages in docs/rules, made of the docstrings of the rules."""

from __future__ import annotations

from promptls.lint.context import GROUPS, Rule
from promptls.rules import all_rules
from promptls.rules.pages import level, page

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
"""


def files() -> dict[str, str]:
    groups = "".join(map(_group, GROUPS))
    index = {"docs/rules/README.md": f"{INDEX_HEAD}{groups}"}
    return index | {f"docs/rules/{rule.name}.md": page(rule) for rule in all_rules()}


def _group(group: str) -> str:
    rows = "\n".join(_row(rule) for rule in all_rules() if rule.group == group)
    head = f"## {group.capitalize()}\n{GROUPS[group]}"
    return f"\n{head}\n\n| Rule | By default | |\n| --- | --- | --- |\n{rows}\n"


def _row(rule: Rule) -> str:
    mark = " 🛠" if rule.fix in ("safe", "unsafe") else ""
    return f"| [`{rule.name}`]({rule.name}.md){mark} | {level(rule)} | {rule.summary} |"

"""The rules' pages in docs/rules, made of the docstrings of the rules."""

from __future__ import annotations

import re

from promptls.rules import Rule, all_rules

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


def files() -> dict[str, str]:
    rules = all_rules()
    rows = "\n".join(map(_row, rules))
    index = {"docs/rules/README.md": f"{INDEX_HEAD}{rows}\n"}
    return index | {f"docs/rules/{rule.name}.md": _page(rule) for rule in rules}


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

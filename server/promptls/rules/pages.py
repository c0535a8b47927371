"""The page of a rule: what its docstring says, and what it is as data."""

from __future__ import annotations

from collections.abc import Iterator

from ..lint.context import Rule
from ..settings import all_settings

_FIXES = {
    "safe": "safe (`--fix`)",
    "unsafe": "unsafe (`--fix --unsafe-fixes`)",
    "manual": "offered, not applied",
    None: "none",
}


def page(rule: Rule) -> str:
    """A rule's page in Markdown."""
    kind = f"Group: {rule.group}. Since {rule.since}."
    facts = f"*By default: {level(rule)}. Fix: {_FIXES[rule.fix]}. {kind}*"
    parts = (f"# {rule.name}", facts, rule.documentation.strip(), *_options(rule))
    return "\n\n".join(parts) + "\n"


def level(rule: Rule) -> str:
    """The severity by default, as settings have it."""
    return "off" if rule.severity is None else str(rule.severity)


def _options(rule: Rule) -> Iterator[str]:
    settings = {each.metadata["name"]: each.metadata["description"] for each in all_settings()}
    if rule.options:
        rows = (f"- `{name}`: {settings[name]}" for name in rule.options)
        yield "\n".join(("## Options", *rows))

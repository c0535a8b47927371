"""`promptls rules`: the rules that check prompts, and the page of each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TypedDict

from subword.cli.shared import EXIT_OK, CommandError, Line, Result

from ..lint.context import Rule
from ..reports.text import STYLES
from ..rules import all_rules
from ..rules.pages import level, page
from ..wording import did_you_mean
from .terminal import colours


class RuleRow(TypedDict):
    name: str
    severity: str
    """`off` for a rule that is off by default."""
    summary: str
    documentation: str
    group: str
    fix: str | None
    """`safe`, `unsafe` or `manual`; None where there is none."""
    options: list[str]
    """The settings that it depends on."""
    since: str


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "List the rules with their default severities, or print the page of one."
    parser.add_argument("name", nargs="?", metavar="NAME", help="the rule to explain")


def run(args: argparse.Namespace, _: object) -> Result | int:
    rules = all_rules() if args.name is None else (_rule(args.name),)
    if args.name is not None and not args.json:
        _print_page(rules[0])
        return EXIT_OK
    return Result([_row(rule) for rule in rules], _list(rules))


def _rule(name: str) -> Rule:
    known = {rule.name: rule for rule in all_rules()}
    if name in known:
        return known[name]
    hint = did_you_mean(name, known, otherwise="; promptls rules lists them")
    raise CommandError(f"there is no rule {name!r}{hint}")


def _row(rule: Rule) -> RuleRow:
    return RuleRow(
        name=rule.name,
        severity=level(rule),
        summary=rule.summary,
        documentation=rule.documentation,
        group=rule.group,
        fix=rule.fix,
        options=list(rule.options),
        since=rule.since,
    )


def _list(rules: tuple[Rule, ...]) -> Iterator[Line]:
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        severity = level(rule)
        yield (
            (f"{rule.name:<{width}}", "bold"),
            (f"  {severity:<8}", STYLES.get(severity, "dim")),
            (rule.summary, ""),
        )


def _print_page(rule: Rule) -> None:
    console = colours(sys.stdout)
    if console is None:
        sys.stdout.write(page(rule))
    else:
        from rich.markdown import Markdown

        console.print(Markdown(page(rule)))

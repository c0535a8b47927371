"""The registry of rules: one module for each, whose docstring is its documentation page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from subword.special import families, family_tokens

from ..lint.context import Rule
from ..settings import Settings


def misnamed(settings: Settings) -> Iterator[tuple[str, str]]:
    """The settings that name a rule or a model family that isn't there, and what is wrong."""
    names = (
        [rule.name for rule in all_rules()] if settings.rules or settings.per_file_ignores else []
    )
    for rule in settings.rules:
        if rule not in names:
            yield f"rules.{rule}", f"there is no such rule{_nearest(rule, names)}"
    for pattern, ignored in settings.per_file_ignores.items():
        for rule in ignored:
            if rule not in names:
                message = f"there is no rule {rule}{_nearest(rule, names)}"
                yield f"perFileIgnores.{pattern}", message
    if settings.family is not None and not family_tokens(settings.family):
        known = ", ".join(families())
        yield "family", f"there is no family {settings.family}; the families are {known}"


def _nearest(name: str, names: list[str]) -> str:
    close = get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]}?" if close else "; `promptls rules` lists them"


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by name: each module here that has a `RULE`."""
    found = (import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
    return tuple(_named(each) for each in found if hasattr(each, "RULE"))


def _named(module: ModuleType) -> Rule:
    rule: Rule = module.RULE
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    return replace(rule, name=name, documentation=module.__doc__ or "")

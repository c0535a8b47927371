"""The registry of rules: one module for each, whose docstring is its documentation page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from subword.special import families, family_tokens

from ..lint.context import FLOOD, MANY, Context, Rule, Superseded
from ..settings import Settings

__all__ = [
    "FLOOD",
    "MANY",
    "MODULES",
    "Context",
    "Rule",
    "Superseded",
    "all_rules",
    "misnamed",
]

MODULES = (
    # Control tokens
    "special_token",
    "control_token",
    "role_marker",
    "split_control_token",
    "lookalike_control_token",
    # Characters
    "hidden_characters",
    "bidi_control",
    "not_nfc",
    "replacement_character",
    "mojibake",
    "control_character",
    "line_separator",
    # Whitespace
    "trailing_space_in_prompt",
    "assistant_prefill_whitespace",
    "extra_final_newlines",
    "trailing_space_on_line",
    "mixed_line_endings",
    "unusual_space",
    # Vocabulary and cost
    "glitch_token",
    "over_budget",
    "costly_json",
    "base64_blob",
    "data_url",
    "padded_table",
    "repeated_blank_lines",
    # Templates and formats
    "undefined_placeholder",
    "unused_input",
    "placeholder_in_control",
    "unclosed_tag",
    "unreadable",
)


def misnamed(settings: Settings) -> Iterator[tuple[str, str]]:
    """The settings that name a rule or a model family that isn't there, and what is wrong."""
    names = [module.replace("_", "-") for module in MODULES]
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
    """Every rule, by name."""
    return tuple(sorted(map(_load, MODULES), key=lambda rule: rule.name))


def _load(module_name: str) -> Rule:
    module = import_module(f"{__name__}.{module_name}")
    rule: Rule = module.RULE
    return replace(rule, documentation=module.__doc__ or "")

"""The registry of rules: one module for each, whose docstring is its documentation page."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module

from .context import FLOOD, Context, Rule, Superseded
from .writing import Change

__all__ = ["FLOOD", "MODULES", "Change", "Context", "Rule", "Superseded", "all_rules"]

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


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by name."""
    return tuple(sorted(map(_load, MODULES), key=lambda rule: rule.name))


def _load(module_name: str) -> Rule:
    module = import_module(f"{__name__}.{module_name}")
    rule: Rule = module.RULE
    return replace(rule, documentation=module.__doc__ or "")

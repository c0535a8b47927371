"""The registry of rules: one module for each, whose docstring is its documentation page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Protocol

from subword import Encoding

from ..findings import Finding, Fix, Severity
from ..prompt import Message, Prompt
from ..settings import Settings

MODULES = (
    "special_token",
    "trailing_space_in_prompt",
)

# How much text a rule may scan before others get a turn; about half a millisecond.
_STRETCH = 1 << 16


class Superseded(Exception):
    """The text that is being checked is no longer the current one."""


class _Check(Protocol):
    def __call__(self, context: Context, /) -> Iterator[Finding]: ...


@dataclass(frozen=True)
class Rule:
    """A rule: its name, its severity by default, and the function that finds."""

    name: str
    """Kebab-case."""
    severity: Severity | None
    """The severity by default; None when the rule is off by default."""
    check: _Check
    documentation: str = ""
    """Markdown with fixed sections; the registry takes it from the module's docstring."""

    @property
    def summary(self) -> str:
        """The documentation's first line."""
        return self.documentation.partition("\n")[0]


@dataclass(frozen=True)
class Context:
    """All that a rule may look at. It reads no files and changes nothing."""

    text: str
    """The file's text."""
    prompt: Prompt
    encoding: Encoding
    settings: Settings
    path: str | None = None
    is_superseded: Callable[[], bool] = field(default=lambda: False)

    def search(
        self, pattern: re.Pattern[str], text: str, reach: int = 256
    ) -> Iterator[re.Match[str]]:
        """The matches of a pattern in a text, found in turns so that no keystroke waits for them.

        `reach` is the number of characters within which any match is decided: at least the
        shortest length that a match of the pattern can need. Raises `Superseded` as soon as the
        text is no longer the current one.
        """
        at = 0
        while at < len(text):
            if self.is_superseded():
                raise Superseded
            end = min(at + _STRETCH + reach, len(text))
            match = pattern.search(text, at, end)
            if match and match.end() == end < len(text):
                # The match touches the turn's end and might go on behind it.
                match = pattern.search(text, at)
            if match:
                yield match
                at = max(match.end(), match.start() + 1)
            else:
                # What begins just before the turn's end is found from there again.
                at = end if end == len(text) else end - reach

    def is_structure(self, start: int, end: int) -> bool:
        """Whether file[start:end] is a marker of the format itself."""
        return any(s.start <= start and end <= s.end for s in self.prompt.structure)

    def token_ids(self, message: Message) -> list[int]:
        """The ids of a message's text, with special tokens read as text."""
        return self._ids_by_message[id(message)]

    @cached_property
    def _ids_by_message(self) -> dict[int, list[int]]:
        return {id(m): self.encoding.encode(m.text) for m in self.prompt.messages}

    def finding(self, rule: Rule, message: str, start: int, end: int, *fixes: Fix) -> Finding:
        """A finding with the severity that the settings give the rule."""
        severity = self.settings.rule_severity(rule.name, rule.severity)
        return Finding(rule.name, severity or Severity.HINT, message, start, end, fixes)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by name."""
    return tuple(sorted(map(_load, MODULES), key=lambda rule: rule.name))


def _load(module_name: str) -> Rule:
    module = import_module(f"{__name__}.{module_name}")
    rule: Rule = module.RULE
    return replace(rule, documentation=module.__doc__ or "")

"""The registry of prompt file formats: one module for each, found by name, language or content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import PurePath

from ..prompt import Prompt

# Each module here has a `FORMAT`. The first that claims a file gets it, so the more specific
# names come first; plain text comes last and takes whatever is left.
MODULES = (
    "prompt_markdown",
    "instructions",
    "agent",
    "skill",
    "mdc",
    "prompty",
    "dotprompt",
    "promptfile",
    "continue_prompt",
    "prompt_text",
    "chatml",
    "harmony",
    "github_models",
    "promptfoo",
    "promptfoo_text",
    "openai_messages",
    "openai_jsonl",
    "langchain",
    "semantic_kernel",
    "baml",
    "jinja",
    "handlebars",
    "mustache",
    "markdown",
    "plain",
)


@dataclass(frozen=True)
class Format:
    """A prompt file format and how to recognise its files."""

    name: str
    """Kebab-case, as `promptls count --json` prints it."""
    parse: Callable[[str], Prompt]
    """A file's text → `Prompt`. Total: a half-typed file gives what can be read of it."""
    patterns: tuple[str, ...] = ()
    """File name patterns such as `*.prompt.md`, lower case, matched against the name alone."""
    language_ids: tuple[str, ...] = ()
    """The editor's language ids that mean this format."""
    accepts: Callable[[str], bool] | None = None
    """For a name that several formats share: whether the text looks like this one."""
    own_patterns: tuple[str, ...] = ()
    """Those of `patterns` that no other format shares: `accepts` has no say there."""
    verbatim: bool = False
    """Whether the model always sees the file exactly as it stands, as one message."""


def detect(path: str | None, text: str, language_id: str | None = None) -> Format:
    """The format of a file, by its name, then by the editor's language id, else plain text.

    `path` may be None for text without a file; only its last part is looked at. `text` is asked
    only where the name alone doesn't tell.
    """
    name = PurePath(path).name.lower() if path else ""
    formats = all_formats()
    by_name = (each for each in formats if _claims(each, name, text))
    by_language = (
        each
        for each in formats
        if language_id in each.language_ids and (each.accepts is None or each.accepts(text))
    )
    return next(chain(by_name, by_language), formats[-1])


def _claims(candidate: Format, name: str, text: str) -> bool:
    if any(fnmatchcase(name, pattern) for pattern in candidate.own_patterns):
        return True
    if not any(fnmatchcase(name, pattern) for pattern in candidate.patterns):
        return False
    return candidate.accepts is None or candidate.accepts(text)


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, the most specific first."""
    return tuple(import_module(f"{__name__}.{module}").FORMAT for module in MODULES)

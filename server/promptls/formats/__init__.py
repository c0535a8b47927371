"""The registry of prompt file formats: one module for each, found by name, language or content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import translate
from functools import cache, lru_cache, wraps
from importlib import import_module
from pathlib import PurePath

from ..prompt import Problem, Prompt

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
    "raw_chat",
    "prompt_text",
    "chatml",
    "harmony",
    "github_models",
    "promptfoo",
    "promptfoo_text",
    "langchain",
    "semantic_kernel",
    "openai_messages",
    "openai_jsonl",
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
    for candidate, is_certain in _candidates(name, language_id or "plaintext"):
        if is_certain or candidate.accepts is None or candidate.accepts(text):
            return candidate
    return all_formats()[-1]


# An editor asks for the same few files at each keystroke.
@lru_cache(maxsize=256)
def _candidates(name: str, language_id: str) -> tuple[tuple[Format, bool], ...]:
    """The formats that a file can have, the likeliest first, and whether the name is enough."""
    by_name = [
        (each, _matches(name, each.own_patterns))
        for each in all_formats()
        if _matches(name, each.own_patterns) or _matches(name, each.patterns)
    ]
    by_language = [(each, False) for each in all_formats() if language_id in each.language_ids]
    return (*by_name, *by_language)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return bool(patterns) and _compiled(patterns).match(name) is not None


@cache
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the patterns: a folder of thousands of files asks with a new name each time."""
    return re.compile("|".join(map(translate, patterns)))


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, the most specific first."""
    formats = (import_module(f"{__name__}.{module}").FORMAT for module in MODULES)
    return tuple(replace(each, parse=_never_silent(each.parse)) for each in formats)


def _never_silent(parse: Callable[[str], Prompt]) -> Callable[[str], Prompt]:
    """The reader, with a problem where nothing is sent of a file that isn't blank.

    What is filled in later and what can't be counted is named by the count itself.
    """

    @wraps(parse)
    def read(text: str) -> Prompt:
        prompt = parse(text)
        is_said = prompt.problems or prompt.value_count or prompt.uncounted
        if is_said or any(message.text for message in prompt.messages):
            return prompt
        start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
        if start == len(text) or prompt.has_open_turn:
            return prompt
        what = "no text to send was found in this file, so it counts 0"
        return replace(prompt, problems=(Problem(start, start + 1, what, "empty"),))

    return read

"""Settings: one dataclass, whose fields say all that the schema, the docs and the reader need.

Who wins, from strong to weak: the command line's flags and the editor's Select Encoding command;
`promptls.toml`, or `[tool.promptls]` in pyproject.toml, in the nearest folder above the file that
has one; the editor's settings; the defaults. So a team's numbers are the same in every editor and
in CI.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Any, Literal

from subword import SpecialMode, list_encodings
from subword.encodings import ENCODINGS

from ..findings import Severity
from .kinds import BUDGET, CUSTOM_ENCODING, TEXT, TEXTS, CustomEncoding, Kind, one_of, table

DEFAULT_ENCODING = "o200k_base"
RULE_LEVELS = ("off", "hint", "info", "warning", "error")
HINT_MODES = ("line", "cumulative", "message", "off")

HintMode = Literal["line", "cumulative", "message", "off"]


def _setting(name: str, kind: Kind, default: Any, description: str, example: str) -> Any:
    """A field, with what the documentation, the editor's schema and the reader need to know.

    `example` is a line of promptls.toml.
    """
    metadata = {"name": name, "read": kind.read, "schema": kind.schema}
    metadata |= {"description": description, "example": example}
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. Field order is the order of the documentation."""

    encoding: str | None = _setting(
        "encoding",
        TEXT,
        None,
        "The encoding to count with. Wins over `model`. `promptls encodings` lists them.",
        'encoding = "cl100k_base"',
    )
    model: str | None = _setting(
        "model",
        TEXT,
        None,
        "The model that the prompts are for, such as `gpt-4o`; its encoding is used. Like "
        "`encoding`, it wins over the model that a file itself names.",
        'model = "gpt-4o"',
    )
    special_tokens: SpecialMode = _setting(
        "specialTokens",
        one_of("text", "control"),
        "text",
        "How text that spells a special token is counted: as plain `text`, or as one `control` "
        "token.",
        'specialTokens = "control"',
    )
    family: str | None = _setting(
        "family",
        TEXT,
        None,
        "The model family whose control tokens are looked for, such as `llama-3` or `chatml`.",
        'family = "llama-3"',
    )
    budget: int | dict[str, int] | None = _setting(
        "budget",
        BUDGET,
        None,
        "The most tokens that a prompt may have: a number, or a table of file pattern = number.",
        'budget = { "*.prompt.md" = 4000 }',
    )
    compare_encodings: tuple[str, ...] = _setting(
        "compareEncodings",
        TEXTS,
        tuple(name for name, row in ENCODINGS.items() if row.is_compared),
        "The encodings that Compare Encodings shows.",
        'compareEncodings = ["o200k_base", "gpt2"]',
    )
    hint_mode: HintMode = _setting(
        "hints.mode",
        one_of(*HINT_MODES),
        "line",
        "What the hint at a line's end counts: the `line`, all lines so far (`cumulative`), each "
        "`message` at its first line, or nothing (`off`).",
        'hints.mode = "message"',
    )
    rules: dict[str, str] = _setting(
        "rules",
        table(one_of(*RULE_LEVELS), "rule = level"),
        dict,
        "The level of each rule: `off`, `hint`, `info`, `warning` or `error`.",
        'rules.special-token = "error"',
    )
    per_file_ignores: dict[str, tuple[str, ...]] = _setting(
        "perFileIgnores",
        table(TEXTS, "file pattern = list of rules"),
        dict,
        "Rules that are off in some files: a table of file pattern = list of rule names.",
        'perFileIgnores = { "examples/*" = ["special-token"] }',
    )
    samples: dict[str, str] = _setting(
        "samples",
        table(TEXT, "placeholder = sample value"),
        dict,
        "Sample values for placeholders, for a second, marked count.",
        'samples = { customer = "Sra. Núñez" }',
    )
    allowed_tokens: tuple[str, ...] = _setting(
        "allowedTokens",
        TEXTS,
        (),
        "Control tokens that are written on purpose and are not reported.",
        'allowedTokens = ["<|endoftext|>"]',
    )
    prompt_folders: tuple[str, ...] = _setting(
        "promptFolders",
        TEXTS,
        (),
        "More hidden folders in which prompts are looked for when a folder is counted or checked, "
        "such as `.ours`, besides those that tools have. Only in a settings file.",
        'promptFolders = [".ours"]',
    )
    encodings: dict[str, CustomEncoding] = _setting(
        "encodings",
        table(CUSTOM_ENCODING, "name = { path = … }", list_encodings),
        dict,
        "Tokenizers of your own: a table of name = { path = … }. A .tiktoken file also needs its "
        "pattern: gpt2, cl100k, o200k or a regular expression.",
        'encodings.ours.path = "tokenizers/ours.json"',
    )

    is_commanded: bool = False
    """Whether an option or a command asked for `encoding` or `model`: not to be set in a file."""

    def rule_severity(self, rule: str, default: Severity | None) -> Severity | None:
        """The severity of a rule's findings; None when it is off."""
        level = self.rules.get(rule)
        if level is None:
            return default
        return None if level == "off" else Severity.named(level)

    def is_ignored(self, rule: str, path: str | None) -> bool:
        """Whether `perFileIgnores` turns the rule off in a file."""
        return any(
            rule in ignored and path is not None and matches(pattern, path)
            for pattern, ignored in self.per_file_ignores.items()
        )

    def budget_for(self, path: str | None) -> int | None:
        """The budget of a file, in tokens: of the last pattern that matches it."""
        if not isinstance(self.budget, dict):
            return self.budget
        fitting = [n for pattern, n in self.budget.items() if path and matches(pattern, path)]
        return fitting[-1] if fitting else None


def all_settings() -> tuple[Field[Any], ...]:
    """The fields of `Settings` that can be set in a file or an editor."""
    return tuple(each for each in fields(Settings) if each.metadata)


def matches(pattern: str, path: str) -> bool:
    """Whether a file pattern fits a path: by its whole, its end after a `/`, or its name.

    `*` also matches `/`, as in `prompts/*.md`.
    """
    path = path.replace("\\", "/")
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")

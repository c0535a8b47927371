"""Settings: one dataclass, read from promptls.toml, pyproject.toml and the editor.

Who wins, from strong to weak: the command line's flags and the editor's Select Encoding command;
`promptls.toml`, or `[tool.promptls]` in pyproject.toml, in the nearest folder above the file that
has one; the editor's settings; the defaults. So a team's numbers are the same in every editor and
in CI. A value that is null is as if absent; a value that is not valid is reported once and the
default is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from subword import SpecialMode, list_encodings

from ..findings import Severity
from ..wording import visible

DEFAULT_ENCODING = "o200k_base"
RULE_LEVELS = ("off", "hint", "info", "warning", "error")
HINT_MODES = ("line", "cumulative", "message", "off")

# What a tokenizer of the user's own is described by.
ENCODING_KEYS = ("path", "pattern")

# So many problems of one source are said one by one; nobody reads more.
MOST_SAID = 20

HintMode = Literal["line", "cumulative", "message", "off"]


class SettingPlace(NamedTuple):
    """Where something stands in a settings file: a part of one line."""

    line: int
    """From 0."""
    start: int
    end: int
    """In characters of the line, as `start`; a byte order mark is none of them."""
    text: str
    """The whole line, by which the characters can be told in other units."""


class BadSetting(NamedTuple):
    """A setting that can't be used, and what to do about it."""

    source: str
    """Where it stands: a file's path or `the editor`."""
    name: str
    """Empty where it is the whole file that can't be used."""
    message: str
    place: SettingPlace | None = None
    """The key, or what can't be read; None where the source is no text."""

    def __str__(self) -> str:
        place = f":{self.place.line + 1}:{self.place.start + 1}" if self.place else ""
        # A key can be any text, and an editor or a terminal would act upon some of it.
        return visible(": ".join(filter(None, (f"{self.source}{place}", self.name, self.message))))


@dataclass(frozen=True)
class CustomEncoding:
    """A tokenizer file that is counted with, under a name of the user's own."""

    path: str
    """As written; relative to the settings file's folder."""
    base: str | None = None
    """The folder that `path` is relative to."""
    pattern: str | None = None
    """What splits a text first, for a `.tiktoken` file, which doesn't say: a name or a regex."""


def _setting(
    name: str, read: Callable[[object], Any], default: Any, description: str, **schema: object
) -> Any:
    """A field, with what the documentation, the editor's schema and the reader need to know."""
    metadata = {"name": name, "read": read, "description": description, "schema": schema}
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


class _Unfit(ValueError):
    """The value of a setting is not of its kind; the message says what is."""


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _Unfit("should be text")


def _one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value in choices:
            return value
        raise _Unfit(f"should be one of {', '.join(choices)}")

    return read


def _list(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise _Unfit("should be a list of texts")


class _PartlyUnfit(_Unfit):
    """Some entries of a table are not of its kind; `value` has the others."""

    def __init__(self, value: dict[str, Any], problems: dict[str, str]) -> None:
        self.value = value
        self.problems = problems


def _table(
    read: Callable[[object], Any], what: str, reserved: Callable[[], Sequence[str]] | None = None
) -> Callable[[object], dict[str, Any]]:
    """A reader of tables, which keeps the entries that are right.

    Where some names are `reserved`, the others are names that are shown.
    """

    def read_table(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _Unfit(f"should be a table of {what}")
        entries: dict[str, Any] = {}
        problems: dict[str, str] = {}
        for key, item in value.items():
            if reserved and key in reserved():
                problems[str(key)] = "comes with promptls; choose another name"
            elif reserved and not (str(key).isprintable() and str(key).strip()):
                problems[str(key)] = "has characters that can't be shown; choose another name"
            elif item is not None:
                try:
                    entries[str(key)] = read(item)
                except _Unfit as error:
                    problems[str(key)] = str(error)
        if problems:
            raise _PartlyUnfit(entries, problems)
        return entries

    return read_table


def _budget(value: object) -> int | dict[str, int]:
    return _budgets(value) if isinstance(value, Mapping) else _count(value)


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _Unfit("should be a number of tokens above 0, or a table of pattern = number")


_budgets = _table(_count, "pattern = number")


def _custom_encoding(value: object) -> CustomEncoding:
    if isinstance(value, Mapping) and isinstance(value.get("path"), str) and value["path"]:
        pattern = value.get("pattern")
        if pattern is None or (isinstance(pattern, str) and pattern):
            return CustomEncoding(value["path"], pattern=pattern)
        raise _Unfit('should have as its pattern "gpt2", "cl100k", "o200k" or a regular expression')
    raise _Unfit('should have a path, such as encodings.mine.path = "mine.json"')


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. Field order is the order of the documentation."""

    encoding: str | None = _setting(
        "encoding",
        _text,
        None,
        "The encoding to count with. Wins over `model`. `promptls encodings` lists them.",
        type="string",
    )
    model: str | None = _setting(
        "model",
        _text,
        None,
        "The model that the prompts are for, such as `gpt-4o`; its encoding is used. Like "
        "`encoding`, it wins over the model that a file itself names.",
        type="string",
    )
    special_tokens: SpecialMode = _setting(
        "specialTokens",
        _one_of("text", "control"),
        "text",
        "How text that spells a special token is counted: as plain `text`, or as one `control` "
        "token.",
        type="string",
        enum=["text", "control"],
    )
    family: str | None = _setting(
        "family",
        _text,
        None,
        "The model family whose control tokens are looked for, such as `llama-3` or `chatml`.",
        type="string",
    )
    budget: int | dict[str, int] | None = _setting(
        "budget",
        _budget,
        None,
        "The most tokens that a prompt may have: a number, or a table of file pattern = number.",
        type=["integer", "object"],
        minimum=1,
        additionalProperties={"type": "integer", "minimum": 1},
    )
    compare_encodings: tuple[str, ...] = _setting(
        "compareEncodings",
        _list,
        ("o200k_base", "cl100k_base", "p50k_base", "r50k_base"),
        "The encodings that Compare Encodings shows.",
        type="array",
        items={"type": "string"},
    )
    hint_mode: HintMode = _setting(
        "hints.mode",
        _one_of(*HINT_MODES),
        "line",
        "What the hint at a line's end counts: the `line`, all lines so far (`cumulative`), each "
        "`message` at its first line, or nothing (`off`).",
        type="string",
        enum=list(HINT_MODES),
    )
    rules: dict[str, str] = _setting(
        "rules",
        _table(_one_of(*RULE_LEVELS), "rule = level"),
        dict,
        "The level of each rule: `off`, `hint`, `info`, `warning` or `error`.",
        type="object",
        additionalProperties={"type": "string", "enum": list(RULE_LEVELS)},
    )
    per_file_ignores: dict[str, tuple[str, ...]] = _setting(
        "perFileIgnores",
        _table(_list, "file pattern = list of rules"),
        dict,
        "Rules that are off in some files: a table of file pattern = list of rule names.",
        type="object",
        additionalProperties={"type": "array", "items": {"type": "string"}},
    )
    samples: dict[str, str] = _setting(
        "samples",
        _table(_text, "placeholder = sample value"),
        dict,
        "Sample values for placeholders, for a second, marked count.",
        type="object",
        additionalProperties={"type": "string"},
    )
    allowed_tokens: tuple[str, ...] = _setting(
        "allowedTokens",
        _list,
        (),
        "Control tokens that are written on purpose and are not reported.",
        type="array",
        items={"type": "string"},
    )
    prompt_folders: tuple[str, ...] = _setting(
        "promptFolders",
        _list,
        (),
        "More hidden folders in which prompts are looked for when a folder is counted or checked, "
        "such as `.ours`, besides those that tools have. Only in a settings file.",
        type="array",
        items={"type": "string"},
    )
    encodings: dict[str, CustomEncoding] = _setting(
        "encodings",
        _table(_custom_encoding, "name = { path = … }", list_encodings),
        dict,
        "Tokenizers of your own: a table of name = { path = … }. A .tiktoken file also needs its "
        "pattern: gpt2, cl100k, o200k or a regular expression.",
        type="object",
        additionalProperties={
            "type": "object",
            "properties": {"path": {"type": "string"}, "pattern": {"type": "string"}},
            "required": ["path"],
        },
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


def read_settings(
    table: Mapping[str, object], source: str, base: Settings | None = None
) -> tuple[Settings, list[BadSetting]]:
    """Settings from a table as TOML and editors have it, over `base` (the defaults).

    Names may be nested (`hints = {mode = …}`) or dotted (`hints.mode`).
    """
    settings = base or Settings()
    bad: list[BadSetting] = []
    known = {setting.metadata["name"]: setting for setting in all_settings()}
    values = _flattened(table, frozenset(known))
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if value is None:
            continue
        if name not in known:
            # To look for what was meant takes a while, and a file may have many of them.
            nearest = _nearest(name, known) if len(bad) < MOST_SAID else ""
            bad.append(BadSetting(source, name, f"is not a setting{nearest}"))
            continue
        try:
            changes[known[name].name] = known[name].metadata["read"](value)
        except _PartlyUnfit as error:
            changes[known[name].name] = error.value
            bad += [
                BadSetting(source, f"{name}.{key}", f"{problem}; it is ignored")
                for key, problem in error.problems.items()
            ]
        except _Unfit as error:
            bad.append(BadSetting(source, name, f"{error}; it is ignored"))
    return replace(settings, **changes), bad


def _flattened(table: Mapping[str, object], known: frozenset[str]) -> dict[str, object]:
    """`{"hints": {"mode": …}}` as `{"hints.mode": …}`, and `{"rules.x": …}` as a table."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        head, _, rest = key.partition(".")
        if key in known:
            flat[key] = _merged(flat.get(key), value) if isinstance(value, Mapping) else value
        elif rest and head in known:
            flat[head] = _merged(flat.get(head), {rest: value})
        elif isinstance(value, Mapping) and any(name.startswith(f"{key}.") for name in known):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    if isinstance(encodings := flat.get("encodings"), Mapping):
        flat["encodings"] = _with_levels(encodings)
    return flat


def _merged(table: object, more: Mapping[str, object]) -> dict[str, object]:
    """A table with more entries; tables in it that both have become one."""
    merged: dict[str, object] = dict(table) if isinstance(table, Mapping) else {}
    for key, value in more.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(old, value) if both and isinstance(value, Mapping) else value
    return merged


def _with_levels(encodings: Mapping[str, object]) -> dict[str, object]:
    """`{"mine.path": …, "mine.pattern": …}` as `{"mine": {"path": …, "pattern": …}}`."""
    nested: dict[str, object] = {}
    for key, value in encodings.items():
        name, dot, last = str(key).rpartition(".")
        is_dotted = dot and last in ENCODING_KEYS and not isinstance(value, Mapping)
        nested = _merged(nested, {name: {last: value}} if is_dotted else {str(key): value})
    return nested


def _nearest(name: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""

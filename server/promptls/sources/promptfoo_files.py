"""The files that a promptfoo configuration names as its prompts, read as promptfoo reads them.

promptfoo (prompts/index.ts, prompts/processors/): a `.txt` holds several prompts with `---` between
them, a line of a `.jsonl` is a prompt, a `.json` or `.yaml` is one, which can be a chat, a `.md` or
`.j2` is one as it stands. Names are relative to the configuration, and `*` stands for several.
Programs that make prompts (`.py`, `.js`, executables) are not run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..formats import Format, all_formats
from ..formats.promptfoo import Reference
from ..prompt import Prompt
from .files import UnreadableText, read_text

# The formats of a file with such an ending: the first one that accepts its text.
_FORMATS = {
    ".txt": ("promptfoo-text",),
    ".jsonl": ("openai-jsonl",),
    ".md": ("jinja",),
    ".j2": ("jinja",),
    **dict.fromkeys((".json", ".yaml", ".yml"), ("openai-messages", "plain")),
}
# As many files as a pattern may stand for; more are a slip.
_MOST_FILES = 200


class PromptFile(NamedTuple):
    """A file with prompts, or one that can't be read here."""

    name: str
    """As the configuration says it, or, of a pattern, as it was found."""
    reference: Reference
    prompt: Prompt | None

    @property
    def label(self) -> str:
        """What the configuration calls it, or else its name."""
        reference = self.reference
        return self.name if reference.label == reference.path else reference.label


def prompt_files(configuration: Path, references: tuple[Reference, ...]) -> Iterator[PromptFile]:
    """The files that are named, in the order of the configuration."""
    for reference in references:
        name = reference.path.removeprefix("file://")
        for path in _paths(configuration.parent, name):
            shown = name if "*" not in name else path.relative_to(configuration.parent).as_posix()
            yield PromptFile(shown, reference, _read(path))


def _paths(folder: Path, name: str) -> list[Path]:
    try:
        if "*" in name:
            return sorted(islice(folder.glob(name), _MOST_FILES))
        return [folder / name]
    except (OSError, ValueError, NotImplementedError):
        # A pattern that goes nowhere, or out of every folder.
        return []


def _read(path: Path) -> Prompt | None:
    names = _FORMATS.get(path.suffix.lower(), ())
    try:
        text = read_text(path) if names else ""
    except (UnreadableText, ValueError):
        return None
    formats = (each for name in names for each in all_formats() if each.name == name)
    return next((each.parse(text) for each in formats if _accepts(each, text)), None)


def _accepts(file_format: Format, text: str) -> bool:
    return file_format.accepts is None or file_format.accepts(text)

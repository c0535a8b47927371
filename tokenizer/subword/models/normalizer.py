"""What SentencePiece does to a text before it looks for pieces, with the way back to the source.

Normalization, collapsed spaces, the dummy prefix and `▁` for a space all change the text; each
character of the result knows which characters of the source it stands for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..spelling import SPACE_MARK

Form = Literal["identity", "nfkc"]


@dataclass(frozen=True)
class Options:
    """SentencePiece's options, under its own names where it has one.

    `normalization`: `identity`, or Unicode's NFKC. `dummy_prefix`: a space is put before the text,
    so that a word is the same at its start and in its middle. `collapse_spaces`: runs of spaces
    become one, and those at both ends none. `character_coverage`: the share of the corpus's
    characters that the alphabet must cover; the rarest are left out. `byte_fallback`: such
    characters become byte tokens instead of `<unk>`.
    """

    normalization: Form = "nfkc"
    dummy_prefix: bool = True
    collapse_spaces: bool = True
    character_coverage: float = 0.9995
    byte_fallback: bool = False

    def __post_init__(self) -> None:
        if self.normalization not in ("identity", "nfkc"):
            raise ValueError(f"normalization is identity or nfkc, not {self.normalization!r}")
        if not 0 < self.character_coverage <= 1:
            raise ValueError("character_coverage is above 0 and at most 1")


class Normalized(NamedTuple):
    """A normalized text; character i of it stands for source characters starts[i] to ends[i]."""

    text: str
    starts: list[int]
    ends: list[int]


def normalize(text: str, options: Options) -> Normalized:
    """Apply the options to a text."""
    parts = _normal_forms(text, options.normalization)
    if options.collapse_spaces:
        parts = _collapsed(parts)
    characters, starts, ends = [], [], []
    for part, start, end in parts:
        for character in part:
            characters.append(character)
            starts.append(start)
            ends.append(end)
    if options.dummy_prefix and characters:
        characters.insert(0, " ")
        starts.insert(0, 0)
        ends.insert(0, 0)
    return Normalized("".join(characters).replace(" ", SPACE_MARK), starts, ends)


def denormalize(text: str, options: Options) -> str:
    """Pieces as text again: spaces for marks, without the dummy prefix."""
    text = text.replace(SPACE_MARK, " ")
    return text.removeprefix(" ") if options.dummy_prefix else text


def _normal_forms(text: str, form: Form) -> Iterator[tuple[str, int, int]]:
    """The normal form of each stretch of the text that normalizes by itself, and its place."""
    if form == "identity" or text.isascii():
        yield from ((character, at, at + 1) for at, character in enumerate(text))
        return
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or _is_boundary(text[start:end], text[end]):
            yield unicodedata.normalize("NFKC", text[start:end]), start, end
            start = end


def _is_boundary(before: str, character: str) -> bool:
    """Whether a character neither combines nor composes with what stands before it."""
    if character.isascii():
        return True
    # A mark can change what its base composes to, and some starters (Hangul vowels) compose too.
    apart = unicodedata.normalize("NFKC", before) + unicodedata.normalize("NFKC", character)
    return not unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) and (
        unicodedata.normalize("NFKC", before + character) == apart
    )


def _collapsed(parts: Iterator[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Without spaces at both ends, and one space for each run of them."""
    held: tuple[str, int, int] | None = None
    seen = False
    for part, start, end in parts:
        for character in part:
            if character == " ":
                held = (" ", held[1] if held else start, end)
                continue
            if held and seen:
                yield held
            held, seen = None, True
            yield character, start, end

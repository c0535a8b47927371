"""Special tokens: an encoding's own in a text, and the control tokens of each model family."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

from . import data
from .encoding import SpecialMode, SpecialTokenError


class SpecialTokens:
    """The special tokens of an encoding, where a text spells them; of two that fit, the longer."""

    def __init__(self, ids: Mapping[str, int], owner: str = "") -> None:
        self._ids = ids
        self._owner = f" of {owner}" if owner else ""

    def parts(self, text: str, special: SpecialMode) -> Iterator[tuple[str, int | None]]:
        """The text cut at special tokens, each of which comes with its id. Raises as `refuse`."""
        start = 0
        if special == "error":
            self.refuse(text)
        elif special == "control" and self._ids:
            for match in self._regex.finditer(text):
                yield text[start : match.start()], None
                yield match[0], self._ids[match[0]]
                start = match.end()
        yield text[start:], None

    def refuse(self, text: str) -> None:
        """Raise `SpecialTokenError` when a text spells a special token."""
        if self._ids and (found := self._regex.search(text)):
            raise self.error(found[0])

    def error(self, token: str) -> SpecialTokenError:
        """What is raised of a text that spells a token."""
        return SpecialTokenError(
            f"the text spells {token}, a special token{self._owner}; "
            'special="text" reads it as text, special="control" as that token'
        )

    @cached_property
    def overlap(self) -> bool:
        """Whether a special token begins another; tiktoken then takes either one, by chance."""
        return any(later.startswith(token) for token, later in pairwise(sorted(self._ids)))

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        longest_first = sorted(self._ids, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))


class ControlToken(NamedTuple):
    """A string that a model family reads as control, in its exact spelling."""

    family: str
    token: str
    """Of a numbered series, its form: `<|reserved_N|>`."""
    id: int | None
    """None where it was not verified, or where the token stands for a series."""
    role: str
    kind: str
    """`special`: one id of the vocabulary; `text`: a marker in plain text."""
    source: str
    regex: str
    """Matches exactly the token, or any member of its series."""

    @property
    def is_unmistakable(self) -> bool:
        """Whether nobody writes this by accident: `<|im_end|>` is, `<s>` and `[INST]` are not."""
        return _UNMISTAKABLE.fullmatch(self.token) is not None


_UNMISTAKABLE = re.compile(r"<\|\w+\|>|<｜\S+｜>|\[\|\w+\|\]|<(start|end)_of_(turn|image)>")


@cache
def control_tokens() -> tuple[ControlToken, ...]:
    """The control tokens of every known model family; each row names its source."""
    text = data.read("special_tokens.json")
    return tuple(
        ControlToken(
            **{field: row[field] for field in ("family", "token", "id", "role", "kind", "source")},
            regex=row.get("regex") or re.escape(row["token"]),
        )
        for row in json.loads(text)["tokens"]
    )


def families() -> list[str]:
    """The names of the known model families."""
    return sorted({token.family for token in control_tokens()})


@cache
def family_tokens(name: str) -> tuple[ControlToken, ...]:
    """The control tokens of a family; none for an unknown one.

    A name also stands for what it begins, so `llama` is every Llama, and a member that isn't
    listed apart falls under its family, so `llama-3.1` is `llama-3`.
    """
    name = name.strip().lower()
    return tuple(token for token in control_tokens() if _is_of(token.family, name))


def _is_of(family: str, name: str) -> bool:
    return f"{family}-".startswith(f"{name}-") or name.startswith((f"{family}-", f"{family}."))

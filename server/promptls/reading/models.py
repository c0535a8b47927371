"""Which encoding counts a file, and why: the one asked for, the file's own model's, or the default.

Who decides, from strong to weak: an option of the command line or the editor's Select Encoding
command; a settings file or the editor's settings; the model that the file itself names; the
default. A model whose tokenizer isn't here is counted with a stand-in, which is named, and its
number is `about`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

from subword import Encoding
from subword.encodings import UnknownModelError, encoding_name_for_model

from ..settings import DEFAULT_ENCODING, Settings
from ..wording import visible
from .amounts import Amount, Exactness
from .encodings import load_encoding
from .families import Ratio, family_of

Origin = Literal["command", "settings", "file", "default"]


@dataclass(frozen=True)
class Choice:
    """The encoding that counts a file."""

    encoding: Encoding
    origin: Origin = "default"
    model: str | None = None
    """The model that decided."""
    others: tuple[str, ...] = ()
    """More models that the file names; another tokenizer counts for some of them."""
    exactness: Exactness = "exact"
    ratio: Ratio | None = None

    def amount(
        self,
        tokens: int,
        low: int | None = None,
        high: int | None = None,
        is_bounds: bool = False,
    ) -> Amount:
        """A count under this choice; `low` and `high` are what branches leave of it."""
        if self.ratio:
            low = floor((tokens if low is None else low) * self.ratio.low)
            high = ceil((tokens if high is None else high) * self.ratio.high)
        exactness = "about" if is_bounds and self.exactness == "exact" else self.exactness
        return Amount(tokens, exactness, low, high, is_bounds)

    def __str__(self) -> str:
        """`o200k_base`, `cl100k_base (gpt-4)`, `o200k_base, standing in for claude-opus-4-5`."""
        return described(self.encoding.name, self.origin, self.models, self.exactness)

    @property
    def models(self) -> list[str]:
        """The models that decided, if any did: the one that counts or is stood in for first."""
        return [self.model, *self.others] if self.model else []


def described(encoding: str, origin: Origin, models: Sequence[str], exactness: Exactness) -> str:
    """An encoding with the models that it counts or stands in for, where that must be known.

    A file names its models, and so people their encodings, with any characters.
    """
    encoding, (first, *others) = visible(encoding), [*map(visible, models)] or [""]
    if exactness == "exact":
        return f"{encoding} ({', '.join([first, *others])})" if origin == "file" else encoding
    if others and _known(models[0]) == encoding:
        return f"{encoding} ({first}), standing in for {', '.join(others)}"
    return f"{encoding}, standing in for {', '.join([first, *others])}"


def choose(settings: Settings, models: Sequence[str] = ()) -> Choice:
    """The encoding for a file that names `models`, under settings.

    Raises `EncodingUnavailable` when the settings name an encoding that can't be had, or a model
    of which nothing is known.
    """
    origin: Origin = "command" if settings.is_commanded else "settings"
    if settings.encoding is not None:
        return Choice(load_encoding(settings), origin)
    if settings.model is not None:
        return _for_models(settings, (settings.model,), origin, must_be_known=True)
    if models:
        return _for_models(settings, models, "file")
    return Choice(load_encoding(settings))


def stand_in(model: str, origin: Origin = "settings") -> Choice:
    """The default encoding in the place of a model's own."""
    family = family_of(model)
    encoding = load_encoding(Settings(), DEFAULT_ENCODING)
    return Choice(encoding, origin, model, (), "about", family.ratio if family else None)


def _for_models(
    settings: Settings, models: Sequence[str], origin: Origin, must_be_known: bool = False
) -> Choice:
    """What counts for several models: their encoding if they share one, else that of the first."""
    model, *others = dict.fromkeys(models)
    names = {each: _encoding_of(settings, each) for each in (model, *others)}
    counted = next((each for each in names if names[each]), None)
    if counted is None:
        if must_be_known and not family_of(model):
            load_encoding(settings)  # raises, and says the nearest names
        only = stand_in(model, origin)
        return Choice(
            only.encoding, origin, model, tuple(others), "about", None if others else only.ratio
        )
    encoding = load_encoding(settings, names[counted])
    rest = tuple(each for each in names if each != counted)
    is_exact = len(set(names.values())) == 1
    return Choice(encoding, origin, counted, rest, "exact" if is_exact else "about")


def _encoding_of(settings: Settings, model: str) -> str | None:
    """The encoding of a model: one of the user's own under its name, or a known one."""
    return model if model in settings.encodings else _known(model)


def _known(model: str) -> str | None:
    try:
        # Editors show names with spaces: `GPT-5 (Preview)`.
        return encoding_name_for_model(model.replace(" ", "-"))
    except UnknownModelError:
        return None

"""Which encoding counts a file, and why: the one asked for, the file's own model's, or the default.

Who decides, from strong to weak: an option of the command line or the editor's Select Encoding
command; a settings file or the editor's settings; the model that the file itself names; the
default. A model whose tokenizer isn't here is counted with a stand-in, which is named, and its
number is `about`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal, NamedTuple

from subword import Encoding
from subword.encodings import UnknownModelError, encoding_name_for_model

from .amounts import Amount, Exactness
from .encodings import load_encoding
from .settings import DEFAULT_ENCODING, Settings

Origin = Literal["command", "settings", "file", "default"]


class Ratio(NamedTuple):
    """How many tokens a model has for each of o200k_base's: the 5th and the 95th percentile."""

    low: float
    high: float


class Family(NamedTuple):
    """Models that are known, but whose tokenizer isn't here."""

    sign: re.Pattern[str]
    """Found in the names of its models, in lower case."""
    ratio: Ratio | None = None


# Measured on code in many languages (Rosetta, MultiPL-E) and on 501 natural ones (the Declaration
# of Human Rights), against counts that Anthropic's API gave.
_OLDER_CLAUDE, _NEWER_CLAUDE = Ratio(1.06, 2.02), Ratio(1.17, 2.07)
_FAMILIES = (
    Family(re.compile(r"claude-(?:instant|v?[12])")),
    Family(
        re.compile(
            r"claude-3|claude-4-(?:opus|sonnet|haiku)"
            r"|claude-(?:opus|sonnet|haiku)-4(?:-?[0-9]{8}|[-.@][0-6](?![0-9])|(?![-.][0-9]))"
        ),
        _OLDER_CLAUDE,
    ),
    Family(re.compile(r"claude-(?:opus|sonnet|haiku|fable|mythos)-[4-9]"), _NEWER_CLAUDE),
    Family(
        re.compile(
            r"claude|gemini|gemma|llama|mistral|mixtral|ministral|codestral|magistral|devstral"
            r"|pixtral|qwen|qwq|deepseek|glm-|kimi|moonshot|grok|command-[ar]|nova-|minimax|jamba"
            r"|granite|phi-?[1-9]|olmo|falcon|yi-|dbrx|titan|palm|bison|sonar|hermes"
        )
    ),
)


def family_of(model: str) -> Family | None:
    """The family of a model that is known and can't be counted for; None for any other name."""
    name = model.lower()
    return next((family for family in _FAMILIES if family.sign.search(name)), None)


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

    def amount(self, tokens: int, low: int | None = None, high: int | None = None) -> Amount:
        """A count under this choice; `low` and `high` are what branches leave of it."""
        if self.ratio:
            low = floor((tokens if low is None else low) * self.ratio.low)
            high = ceil((tokens if high is None else high) * self.ratio.high)
        return Amount(tokens, self.exactness, low, high)

    def __str__(self) -> str:
        """`o200k_base`, `cl100k_base (gpt-4)`, `o200k_base, standing in for claude-opus-4-5`."""
        return described(self.encoding.name, self.origin, self.models, self.exactness)

    @property
    def models(self) -> list[str]:
        """The models that decided, if any did: the one that counts or is stood in for first."""
        return [self.model, *self.others] if self.model else []


def described(encoding: str, origin: Origin, models: Sequence[str], exactness: Exactness) -> str:
    """An encoding with the models that it counts or stands in for, where that must be known."""
    if exactness != "exact":
        return f"{encoding}, standing in for {', '.join(models)}"
    return f"{encoding} ({', '.join(models)})" if origin == "file" else encoding


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
    if model in settings.encodings:
        return model
    try:
        return encoding_name_for_model(model)
    except UnknownModelError:
        return None

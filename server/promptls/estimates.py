"""Figures beside the exact count: what a chat's wrapper adds, and what filled placeholders cost.

They are never mixed into a count, and are always shown as what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from subword import Encoding

from .prompt import Message, Prompt
from .settings import Settings

# OpenAI's cookbook (How to count tokens with tiktoken): each message costs 3 tokens and those of
# its role, and the answer is begun with 3 more. The harmony format's start, message and end marks
# and its role are the same 4. For other families nothing is documented that could be stated.
_WRAPPED = frozenset({"cl100k_base", "o200k_base", "o200k_harmony"})
PER_MESSAGE = 4
PER_ANSWER = 3


@dataclass(frozen=True)
class Wrapper:
    """What a chat's wrapper adds, about."""

    per_message: int
    per_answer: int
    messages: int

    @property
    def total(self) -> int:
        return self.per_message * self.messages + self.per_answer


def chat_wrapper(prompt: Prompt, encoding: Encoding) -> Wrapper | None:
    """What the wrapper of a chat adds; None where that isn't documented, or there is no chat."""
    if not prompt.is_chat or encoding.name not in _WRAPPED or not prompt.messages:
        return None
    return Wrapper(PER_MESSAGE, PER_ANSWER, len(prompt.messages))


@dataclass(frozen=True)
class Filled:
    """The count of a prompt with sample values in its placeholders."""

    tokens: int
    filled: int
    """How many placeholders have a sample."""
    left: int
    """How many have none, and still count nothing."""


def count_filled(prompt: Prompt, encoding: Encoding, settings: Settings) -> Filled | None:
    """The count with the samples of the settings, or else of the header; None without any."""
    samples = {**dict(prompt.samples), **settings.samples}
    filled = sum(p.kind == "variable" and p.name in samples for p in prompt.placeholders)
    if not filled:
        return None
    special = settings.special_tokens
    tokens = sum(
        encoding.count(fill(message, prompt, samples), special) for message in prompt.messages
    )
    return Filled(tokens, filled, prompt.value_count - filled)


def fill(message: Message, prompt: Prompt, samples: Mapping[str, str]) -> str:
    """A message's text with sample values in its placeholders."""
    parts: list[str] = []
    at = 0
    for placeholder in prompt.placeholders:
        inside = message.start <= placeholder.start and placeholder.end <= message.end
        if inside and placeholder.kind == "variable" and placeholder.name in samples:
            place = message.source.to_text(placeholder.start)
            parts += (message.text[at:place], samples[placeholder.name])
            at = place
    return "".join([*parts, message.text[at:]])

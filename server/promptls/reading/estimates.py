"""Figures beside the count: a chat's wrapper, a chat's own markers, and filled placeholders.

They are never mixed into a count, and are always shown as what they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from subword import Encoding, SpecialMode
from subword.encodings import ENCODINGS

from ..conditions import Subject, Values, tests
from ..prompt import Prompt
from ..settings import Settings
from .drafts import Draft
from .ranges import Counter, Range, file_ranges

# OpenAI's cookbook (How to count tokens with tiktoken): each message costs 3 tokens and those of
# its role, and the answer is begun with 3 more. The harmony format's start, message and end marks
# and its role are the same 4. For other families nothing is documented that could be stated.
_WRAPPED = frozenset(name for name, row in ENCODINGS.items() if row.has_chat_wrapper)
PER_MESSAGE = 4
PER_ANSWER = 3


@dataclass(frozen=True)
class Wrapper:
    """What a chat's wrapper adds, about."""

    per_message: int
    per_answer: int
    messages: int
    """A turn that is left open for the model isn't one of them: it is where the answer begins."""
    prompts: int = 1
    """As many answers are begun."""
    names: int = 0
    """What the names of those who speak add: their tokens, and one for each."""

    @property
    def total(self) -> int:
        return self.per_message * self.messages + self.per_answer * self.prompts + self.names


def chat_wrapper(prompt: Prompt, encoding: Encoding) -> Wrapper | None:
    """What the wrapper of a chat adds; None where that isn't documented, or there is no chat."""
    if not prompt.is_chat or encoding.name not in _WRAPPED or not prompt.messages:
        return None
    names = (encoding.count(message.name) + 1 for message in prompt.messages if message.name)
    messages = len(prompt.messages) - prompt.has_open_turn
    prompts = len(prompt.alternatives) or 1
    return Wrapper(PER_MESSAGE, PER_ANSWER, messages, prompts, sum(names))


# The control tokens with which families mark turns. `[INST]` is one in Mistral's later families;
# Llama 2 and the first of Mistral's read it as text.
_MARKER = re.compile(
    r"<\|[^\s|<>]{1,40}\|>|<｜[^\s｜<>]{1,40}｜>|</?s>|<bos>|<BOS_TOKEN>|<(?:start|end)_of_turn>"
    r"|<\|turn>|<turn\|>|\[gMASK\]|<sop>|\[/?SYSTEM_PROMPT\]"
)


def with_markers(
    text: str, prompt: Prompt, encoding: Encoding, special: SpecialMode = "text"
) -> int | None:
    """The tokens of a chat that is written in a model's own markers, these included.

    Each marker is one token, as it is to its model; placeholders count nothing. None for a prompt
    that isn't written so.
    """
    if prompt.markers is None:
        return None
    edges = [0, *(edge for each in prompt.placeholders for edge in each[:2]), len(text)]
    sent = "".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
    parts = _MARKER.split(sent)
    return len(parts) - 1 + sum(encoding.count(part, special) for part in parts if part)


@dataclass(frozen=True)
class Filled:
    """The count of a prompt with sample values in its placeholders."""

    tokens: Range | None
    """None where the samples make more text than any prompt has."""
    filled: int
    """How many placeholders have a sample."""
    left: int
    """How many have none, and still count nothing."""


# How much text samples may make, in characters.
_MOST_FILLED = 1 << 22


def count_filled(prompt: Prompt, encoding: Encoding, settings: Settings) -> Filled | None:
    """The count with the samples of the settings, or else of the header; None without any use.

    They decide the conditions of branches, too, as far as those are of the simple kinds that are
    worked out (see `conditions`).
    """
    samples = {**dict(prompt.samples), **settings.samples}
    filled = {
        placeholder.start: samples[placeholder.name]
        for placeholder in prompt.placeholders
        if placeholder.kind == "variable" and placeholder.name in samples
    }
    if sum(map(len, filled.values())) > _MOST_FILLED:
        return Filled(None, len(filled), prompt.value_count - len(filled))
    known = {**dict(prompt.given), **settings.samples}
    given: dict[Subject, object] = {(name,): value for name, value in known.items()}
    if not filled and not _decides(prompt, given):
        return None
    counter = Counter(encoding, settings.special_tokens)
    counts = [counter.count(Draft(message, filled).text) for message in prompt.messages]
    tokens = file_ranges(prompt, counts, counter, given, filled).total
    return Filled(tokens, len(filled), prompt.value_count - len(filled))


def _decides(prompt: Prompt, given: Values) -> bool:
    """Whether some of the values are asked for by a condition."""
    return any(
        test.subject[:1] in given
        for message in prompt.messages
        for branch in message.branches
        for test in tests(option.condition for option in branch.options)
    )

"""What is in a vocabulary: long tokens, numbers, indentation, and tokens that no text reaches."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ..encoding import Encoding

Reason = Literal["part of a character", "not its own text's token", "never in the corpus"]


class LongToken(NamedTuple):
    """A token and its length in characters (bytes for one that is no whole characters)."""

    id: int
    token: bytes
    length: int


class DigitGroups(NamedTuple):
    """How numbers of a length are cut."""

    digits: int
    example: str
    groups: list[str]
    mean_tokens: float


class IndentCost(NamedTuple):
    """What an indentation costs before a word, beyond the word itself."""

    indent: str
    tokens: int


class Suspect(NamedTuple):
    """A token that a model may hardly have met in training, and why."""

    id: int
    token: bytes
    reason: Reason
    instead: list[int]
    """What the token's text encodes to; empty for a part of a character."""


def longest_tokens(encoding: Encoding, count: int = 20) -> list[LongToken]:
    """The longest entries, by characters; of equals the lowest id first."""
    rows = [LongToken(id, t, _length(t)) for id, t in encoding.token_bytes.items()]
    return sorted(rows, key=lambda row: (-row.length, row.id))[:count]


def digit_groups(encoding: Encoding, longest: int = 12) -> list[DigitGroups]:
    """How numbers of 1 to `longest` digits are cut.

    The mean is over all numbers of up to four digits; of longer ones over 10,000, one at random
    from each of as many equal stretches, since numbers at equal steps would end alike.
    """
    return [_digits(encoding, length) for length in range(1, longest + 1)]


def indent_costs(encoding: Encoding, deepest: int = 16, word: str = "return") -> list[IndentCost]:
    """What 0 to `deepest` spaces, and 1 to 4 tabs, cost before a word on a line of its own."""
    bare = encoding.count(f"x\n{word}")
    indents = [" " * n for n in range(deepest + 1)] + ["\t" * n for n in range(1, 5)]
    return [IndentCost(i, encoding.count(f"x\n{i}{word}") - bare) for i in indents]


def unreachable_tokens(encoding: Encoding) -> list[Suspect]:
    """Tokens that their own text doesn't encode to, so that only other texts could, if any.

    The cheapest sign of an under-trained token (Land and Bartolo 2024, arXiv:2405.05417). Parts
    of characters have no text of their own and are listed as such. Special tokens are left out.
    """
    special = set(encoding.special_tokens.values())
    found = []
    for id, token in sorted(encoding.token_bytes.items()):
        if id in special:
            continue
        try:
            text = token.decode()
        except UnicodeDecodeError:
            found.append(Suspect(id, token, "part of a character", []))
            continue
        ids = encoding.encode(text)
        if ids != [id]:
            found.append(Suspect(id, token, "not its own text's token", ids))
    return found


def unused_tokens(encoding: Encoding, texts: Iterable[str], part_of: int = 2) -> list[Suspect]:
    """Tokens that a corpus never has although tokens that begin with them occur often.

    These are steps on the way to longer tokens: a model meets them seldom, even where the text
    is common. Single bytes are left out. `part_of` is how often such a longer token must occur.
    """
    used: Counter[int] = Counter()
    for text in texts:
        used.update(encoding.encode(text))
    beginnings: Counter[bytes] = Counter()
    for id, count in used.items():
        token = encoding.token_bytes[id]
        for end in range(1, len(token)):
            beginnings[token[:end]] += count
    rows = sorted((id, token) for token, id in encoding.ranks.items())
    return [
        Suspect(id, token, "never in the corpus", [])
        for id, token in rows
        if len(token) > 1 and not used[id] and beginnings[token] >= part_of
    ]


def _digits(encoding: Encoding, length: int) -> DigitGroups:
    low, high = 10 ** (length - 1) if length > 1 else 0, 10**length
    size = min(high - low, 10_000)
    stretch = (high - low) / size
    draw = random.Random(0).random
    numbers = [str(low + int((place + draw()) * stretch)) for place in range(size)]
    example = "1234567890" * (length // 10 + 1)
    example = example[:length]
    groups = [token.text or token.bytes.hex() for token in encoding.split(example)]
    return DigitGroups(length, example, groups, _mean([encoding.count(n) for n in numbers]))


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers)


def _length(token: bytes) -> int:
    try:
        return len(token.decode())
    except UnicodeDecodeError:
        return len(token)

"""A number of tokens and how sure it is: what every surface shows of a count, in one form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Literal, NamedTuple

Exactness = Literal["exact", "about", "reconstructed"]
"""`exact`: the model's own tokenizer gave it. `about`: another one stands in for it,
or a range is one of bounds.
`reconstructed`: a tokenizer that its maker doesn't publish, rebuilt by others."""

BOUNDS = "more combinations than can be listed"
"""Why a range of branches is only about right."""


class Amount(NamedTuple):
    """A number of tokens."""

    tokens: int
    exactness: Exactness = "exact"
    low: int | None = None
    """The least that it can be, where it is a range: by branches, or by measured ratios."""
    high: int | None = None
    is_bounds: bool = False
    """Whether branches can be combined in more ways than are tried: it has no less than the least,
    and no more than the most, but perhaps never as many."""

    @property
    def is_range(self) -> bool:
        return self.low is not None and self.high is not None and self.low != self.high

    @property
    def is_measured(self) -> bool:
        """Whether the range is what measured ratios make of the number, so that it lies above it.

        That of branches ends with the number: the most is what is counted.
        """
        return self.is_range and self.most > self.tokens

    @property
    def brief(self) -> str:
        """`174`, `11 to 18`, `about 174`: for the end of a line."""
        return f"about {self.tokens}" if self.is_measured else str(self)

    def __str__(self) -> str:
        """`174`, `11 to 18`, `about 174`, `about 11 to 18`, `about 174 (204 to 360)`."""
        about = "" if self.exactness == "exact" else "about "
        number = f"{self.low} to {self.high}"
        if self.is_measured:
            return f"{about}{self.tokens} ({number})"
        return about + (number if self.is_range else str(self.tokens))

    def __add__(self, other: object) -> Amount:
        """Both together, as sure as the less sure of them."""
        if not isinstance(other, Amount):
            return NotImplemented
        both = (self, other)
        is_known = all(each.exactness == "exact" or each.is_range for each in both)
        is_range = is_known and (self.is_range or other.is_range)
        return Amount(
            self.tokens + other.tokens,
            self.exactness if other.exactness == "exact" else other.exactness,
            self.least + other.least if is_range else None,
            self.most + other.most if is_range else None,
            self.is_bounds or other.is_bounds,
        )

    @property
    def least(self) -> int:
        return self.tokens if self.low is None else self.low

    @property
    def most(self) -> int:
        return self.tokens if self.high is None else self.high

    def counted(self, noun: str = "token") -> str:
        """`1 token`, `11 to 18 tokens`, `about 1 token`."""
        is_one = self.tokens == 1 and not self.is_range
        return f"{self} {noun if is_one else noun + 's'}"


def sum_of(amounts: Iterable[Amount]) -> Amount:
    """All together, as sure as the least sure of them."""
    return reduce(Amount.__add__, amounts, Amount(0))

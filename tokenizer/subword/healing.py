"""Token healing: a prompt that ends inside a token makes a model stumble, so step back by one.

`"http:"` ends with the token `:`, but a model has nearly always seen `://` as one. Healing takes
the last token back and asks that what the model writes begins with its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class Vocabulary(Protocol):
    """An `Encoding`, or a byte BPE."""

    @property
    def ranks(self) -> Mapping[bytes, int]:
        """The ids of what tokens are, special ones left out."""


class Healed(NamedTuple):
    """The ids to give the model, and how what it writes must begin."""

    ids: list[int]
    prefix: bytes
    """The bytes taken back; empty when there was nothing to heal."""
    allowed: list[int]
    """The tokens that the model may write first: those that begin with the prefix."""


def heal(vocabulary: Vocabulary, ids: Sequence[int]) -> Healed:
    """Take the last token back if another token begins with its bytes; special ones stay.

    The old last token is among those allowed, so the model can still choose it.

    >>> from subword import get_encoding
    >>> cl100k = get_encoding("cl100k_base")
    >>> healed = heal(cl100k, cl100k.encode("http:"))
    >>> healed.ids, healed.prefix, cl100k.encode("://")[0] in healed.allowed
    ([1277], b':', True)
    """
    tokens = {id: token for token, id in vocabulary.ranks.items()}
    ids = list(ids)
    if not ids or ids[-1] not in tokens:
        return Healed(ids, b"", [])
    prefix = tokens[ids[-1]]
    allowed = sorted(id for id, token in tokens.items() if token.startswith(prefix))
    if len(allowed) < 2:
        return Healed(ids, b"", [])
    return Healed(ids[:-1], prefix, allowed)

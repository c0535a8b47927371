"""Patches instead of tokens: bytes cut where the next one is hard to guess.

The Byte Latent Transformer (Pagnoni et al. 2024) has no vocabulary; a small model of bytes says
how uncertain each next byte is, and a patch begins where that entropy is above a threshold. Our
small model counts which byte follows the last few, and trusts longer contexts the more often
they were seen (interpolated as Witten and Bell do).
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable

from ..files.saved import load_model, save_model, whole
from ..surrogates import join_surrogates


class EntropyPatcher:
    """A model of bytes, and the entropy in bits above which a byte begins a patch.

    >>> model = EntropyPatcher(order=2, threshold=1.0)
    >>> model.train("uno dos uno tres " * 3)
    >>> model.patches("uno tres")
    [b'u', b'no ', b'tres']
    """

    def __init__(self, order: int = 3, threshold: float = 2.0) -> None:
        self.order = order
        self.threshold = threshold
        self._counts: defaultdict[bytes, dict[int, int]] = defaultdict(dict)
        self._entropies: dict[bytes, float] = {}

    def train(self, texts: str | Iterable[str]) -> None:
        """Count which byte follows which, up to `order` bytes back."""
        for text in [texts] if isinstance(texts, str) else texts:
            data = join_surrogates(text).encode()
            for at, byte in enumerate(data):
                for length in range(min(self.order, at) + 1):
                    following = self._counts[data[at - length : at]]
                    following[byte] = following.get(byte, 0) + 1
        self._entropies.clear()

    def fit(self, texts: str | Iterable[str], mean_bytes: float) -> None:
        """Set the threshold at which patches of texts have that many bytes in the mean.

        Entropies that are exactly equal begin patches together, so the mean may be a little off.
        """
        texts = [texts] if isinstance(texts, str) else texts
        entropies = sorted((h for text in texts for h in self.entropies(text)), reverse=True)
        wanted = int(len(entropies) / mean_bytes)
        self.threshold = entropies[min(wanted, len(entropies) - 1)] if entropies else 0.0

    def entropies(self, text: str) -> list[float]:
        """For each byte of a text, how many bits uncertain it was before it came."""
        data = join_surrogates(text).encode()
        return [self._entropy(data[max(0, at - self.order) : at]) for at in range(len(data))]

    def patches(self, text: str) -> list[bytes]:
        """The text in patches. A patch can begin inside a character."""
        data = join_surrogates(text).encode()
        starts = [
            at for at, bits in enumerate(self.entropies(text)) if at and bits > self.threshold
        ]
        return [data[a:b] for a, b in zip([0, *starts], [*starts, len(data)], strict=True) if a < b]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the counts, one context (in hexadecimal) a line."""
        counts = {context.hex(): following for context, following in self._counts.items()}
        fields = {"order": self.order, "threshold": self.threshold, "counts": counts}
        save_model(path, "entropy-patches", fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> EntropyPatcher:
        """Read what `save` wrote. Raises `ModelError`."""
        fields = load_model(path, "entropy-patches")
        with whole(path):
            model = cls(int(fields["order"]), float(fields["threshold"]))
            for context, following in fields["counts"].items():
                counts = {int(byte): int(count) for byte, count in following.items()}
                if not all(0 <= byte < 256 and count > 0 for byte, count in counts.items()):
                    raise ValueError("a count is not one")
                model._counts[bytes.fromhex(context)] = counts
        return model

    def _entropy(self, context: bytes) -> float:
        if context not in self._entropies:
            chances = self._chances(context)
            self._entropies[context] = -sum(p * math.log2(p) for p in chances if p)
        return self._entropies[context]

    def _chances(self, context: bytes) -> list[float]:
        """The probability of each next byte: a longer context mixed with the one shorter by one."""
        chances = [1 / 256] * 256
        for length in range(len(context) + 1):
            following = self._counts.get(context[len(context) - length :])
            if not following:
                break
            seen, kinds = sum(following.values()), len(following)
            chances = [kinds * chance / (seen + kinds) for chance in chances]
            for byte, count in following.items():
                chances[byte] += count / (seen + kinds)
        return chances

"""Training a byte BPE against the trainers that can be installed, and against recounting.

The corpus is Python's own library. Each trainer gets the same texts, the same pattern (GPT-2's)
and the same vocabulary size, in turns. The loop that recounts every pair each round is measured on
a size that it can finish.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from subword.models.bpe import BPE
from subword.models.merges import merge_pair
from subword.patterns import PATTERNS

from .rows import in_turns, row, seconds

Trainer = Callable[[list[str], int], object]

SIZES = (4096, 32_000)
# What the recounting loop can finish: bytes and tokens.
SMALL = (100_000, 512)


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    """Rows of: bench, case, size, ours_us, other, other_us, ratio (other's time to ours)."""
    megabytes = 2 if quick else 10
    texts = library_texts(megabytes * 1_000_000)
    ours(texts[:3], 300)  # The tables of classes are read once.
    for size in SIZES[:1] if quick else SIZES:
        for name, trainer in OTHERS.items():
            if find_spec(name):
                times = compared(texts, size, trainer, 1 if quick else 3)
                yield row("train", f"{megabytes} MB", f"{size:,} tokens", times[0], name, times[1])
    few = library_texts(SMALL[0])
    times = compared(few, SMALL[1], recounting, 1)
    yield row("train", "100 KB", f"{SMALL[1]} tokens", times[0], "recounting loop", times[1])


def library_texts(size: int) -> list[str]:
    """Sources of Python's library, `size` bytes or a little more."""
    texts: list[str] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if size <= 0:
            break
        if "site-packages" not in path.parts:
            texts.append(path.read_bytes()[:size].decode("utf-8", "replace"))
            size -= len(texts[-1].encode())
    return texts


def compared(texts: list[str], size: int, other: Trainer, times: int) -> tuple[float, float]:
    """The seconds that ours and another trainer take."""

    def run(trainer: Trainer) -> float:
        return seconds(lambda: trainer(texts, size))

    return in_turns(partial(run, ours), partial(run, other), times)


def ours(texts: list[str], size: int) -> object:
    model = BPE("gpt2", ties="smallest", byte_order="gpt2")
    model.train(texts, size)
    return model


def huggingface(texts: list[str], size: int) -> object:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def rust(texts: list[str], size: int) -> object:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(texts), size, pattern=PATTERNS["gpt2"])
    return tokenizer


def easy(texts: list[str], size: int) -> object:
    import bpeasy

    return bpeasy.train_bpe(iter(texts), PATTERNS["gpt2"], 128, size)


def recounting(texts: list[str], size: int) -> object:
    """minbpe's loop over the pre-tokens of the corpus."""
    pieces = [list(piece.encode()) for text in texts for piece in BPE("gpt2").pieces(text)]
    for id in range(256, size):
        counts: dict[tuple[int, int], int] = {}
        for piece in pieces:
            for pair in pairwise(piece):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=counts.__getitem__)
        pieces = [merge_pair(piece, best, id) for piece in pieces]
    return pieces


OTHERS: dict[str, Trainer] = {"tokenizers": huggingface, "rustbpe": rust, "bpeasy": easy}

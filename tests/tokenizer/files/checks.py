"""What must hold for every encoding that comes from a model file, whatever its format."""

from __future__ import annotations

import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import strategies as st
from tests.tokenizer.models.corpora import MANY_SCRIPTS, SOURCE, ZEN

from subword import Encoding, SpecialMode, Token, TokenIndex
from subword.lines import line_starts

TEXTS = (
    st.lists(st.sampled_from((ZEN + MANY_SCRIPTS + SOURCE).split(" "))).map(" ".join)
    | st.text()
    | st.text(st.sampled_from("aé漢🙂\u0301ﬁ① \n\t▁<s>\ud83d\ude42"))
)


def is_pair(text: str) -> bool:
    return re.fullmatch("[\ud800-\udbff][\udc00-\udfff]", text) is not None


def joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_interface(encoding: Encoding, text: str) -> None:
    """Counts, ids, starts and tokens agree; places are in the text, in order, and cover it."""
    special: SpecialMode
    for special in ("text", "control"):
        ids = encoding.encode(text, special)
        tokens = encoding.split(text, special)
        assert [token.id for token in tokens] == ids
        assert encoding.count(text, special) == len(ids)
        starts = encoding.token_starts(text, special)
        assert starts == [token.start for token in tokens]
        check_places(text, tokens)
        for token in tokens:
            assert token.bytes == encoding.token_bytes[token.id]
            assert token.id < encoding.n_vocab
        assert isinstance(encoding.decode(ids), str)


def check_places(text: str, tokens: Sequence[Token]) -> None:
    """Tokens are in order, and together leave out nothing but white space."""
    byte_at = [0]
    for at, character in enumerate(text):
        # The second half of a surrogate pair begins where the pair ends, as nothing begins in it.
        is_second = is_pair(text[at - 1 : at + 1]) if at else False
        is_first = is_pair(text[at : at + 2])
        size = 4 if is_first else 0 if is_second else len(joined(character).encode())
        byte_at.append(byte_at[-1] + size)
    covered: set[int] = set()
    before = (0, 0)
    for token in tokens:
        assert before <= (token.start, token.byte_start)
        assert before[1] <= token.byte_start <= token.byte_end <= byte_at[-1]
        assert token.start <= token.end <= len(text)
        # A line's tokens are told by characters here and by bytes there.
        assert bisect_right(byte_at, token.byte_start) - 1 == token.start or not text
        before = (token.start, token.byte_start)
        covered.update(range(token.start, token.end))
    missing = {at for at, character in enumerate(text) if not character.isspace()} - covered
    assert not missing or not tokens


def check_places_are_exact(encoding: Encoding, text: str) -> None:
    """For a tokenizer that loses nothing: the bytes at each token's place are the token's."""
    data = joined(text).encode()
    tokens = encoding.split(text)
    assert b"".join(data[token.byte_start : token.byte_end] for token in tokens) == data
    for token in tokens:
        assert data[token.byte_start : token.byte_end] == token.bytes


def check_index(encoding: Encoding, text: str, special: SpecialMode = "text") -> None:
    """The editor's index counts as the encoding does, line by line, also after edits."""
    chance = random.Random(len(text))
    index = TokenIndex(encoding, text, special)
    for new in ("x\n", "e\u0301\r", " ", ""):
        starts = encoding.token_starts(text, special)
        bounds = [*line_starts(text), len(text) + 1]
        lines = [bisect_left(starts, end) - bisect_left(starts, at) for at, end in pairwise(bounds)]
        assert index.total == len(starts)
        assert index.lines(0, index.line_count) == lines
        start = chance.randrange(len(text) + 1)
        end = min(start + chance.randrange(3), len(text))
        index.edit(start, end, new)
        text = text[:start] + new + text[end:]
        assert index.text == text

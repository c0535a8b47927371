"""What must hold for every encoding that comes from a model file, whatever its format."""

from __future__ import annotations

from corpora import MANY_SCRIPTS, SOURCE, ZEN
from hypothesis import strategies as st

from subword import Encoding, TokenIndex

TEXTS = (
    st.lists(st.sampled_from((ZEN + MANY_SCRIPTS + SOURCE).split(" "))).map(" ".join)
    | st.text()
    | st.text(st.sampled_from("aé漢🙂\u0301ﬁ① \n\t▁<s>\ud83d\ude42"))
)


def joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_interface(encoding: Encoding, text: str) -> None:
    """Counts, ids, starts and tokens agree, and places are in the text and in order."""
    for special in ("text", "control"):
        ids = encoding.encode(text, special)  # type: ignore[arg-type]
        tokens = encoding.split(text, special)  # type: ignore[arg-type]
        assert [token.id for token in tokens] == ids
        assert encoding.count(text, special) == len(ids)  # type: ignore[arg-type]
        starts = encoding.token_starts(text, special)  # type: ignore[arg-type]
        assert starts == [token.start for token in tokens] == sorted(starts)
        size = len(joined(text).encode())
        for token in tokens:
            assert 0 <= token.start <= token.end <= len(text)
            assert 0 <= token.byte_start <= token.byte_end <= size
            assert token.bytes == encoding.token_bytes[token.id]
            assert token.id < encoding.n_vocab
        assert isinstance(encoding.decode(ids), str)


def check_places_are_exact(encoding: Encoding, text: str) -> None:
    """For a tokenizer that loses nothing: the bytes at each token's place are the token's."""
    data = joined(text).encode()
    tokens = encoding.split(text)
    assert b"".join(data[token.byte_start : token.byte_end] for token in tokens) == data
    for token in tokens:
        assert data[token.byte_start : token.byte_end] == token.bytes


def check_index(encoding: Encoding, text: str) -> None:
    """The editor's index counts as the encoding does, line by line."""
    index = TokenIndex(encoding, text)
    assert index.total == encoding.count(text)
    assert sum(index.lines(0, index.line_count)) == index.total
    index.edit(0, 0, "x\n")
    assert index.total == encoding.count("x\n" + text)

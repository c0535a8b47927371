"""Byte-level BPE: the algorithm behind GPT-2's and OpenAI's later vocabularies.

A text is split into pre-tokens (or not at all), each becomes its UTF-8 bytes, and the most
frequent pair of neighbours becomes a new token, again and again. Encoding replays the merges in
the order learnt. Nothing is ever unknown, since every byte is a token.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from ..core import CoreEncoding
from ..corpus.counting import Progress, count_pieces
from ..encoding import SpecialMode
from ..files.byte_bpe import ByteBPE, checked_id
from ..files.huggingface_bpe import read_huggingface, write_huggingface
from ..files.minbpe import HEADER, read_minbpe, write_minbpe
from ..files.saved import (
    FORMAT,
    MAX_TOKEN,
    ModelError,
    load_model,
    parse_json,
    read_bytes,
    save_model,
    whole,
    write_bytes,
)
from ..files.tiktoken import core_encoding, read_tiktoken, write_tiktoken
from ..patterns import pattern_name
from ..pre_tokenizer import splitter
from ..special import SpecialTokens
from ..spelling import gpt2_byte_order
from ..surrogates import join_surrogates
from .merges import Merge, Pair, Ties, apply_merges, learn_merges, merge_steps
from .recovery import byte_permutation, recover_merges

FORMATS = (FORMAT, "minbpe", "tiktoken", "huggingface")

# The bytes get ids 0 to 255 by value, or in GPT-2's order, as in OpenAI's tables and `tokenizers`.
ByteOrder = Literal["value", "gpt2"]

# What matches any text whole: the pattern of a vocabulary without one, for tiktoken's core.
NO_SPLIT = r"(?s:.)+"

_PIECES_KEPT = 1 << 16


class BPE:
    """A byte-level BPE vocabulary: empty, trained, or loaded.

    `pattern` is a name in `PATTERNS`, one's own regular expression, or None to let merges cross
    words. `ties` says which of several equally frequent pairs is merged first.

    `merges` maps pairs of ids to the id that they become, in the order learnt; `vocab` maps ids
    to bytes.

    >>> model = BPE("gpt2")
    >>> model.train("la casa, la cama, la cara", 260)
    >>> [model.vocab[id] for id in range(256, 260)], model.encode("la capa")
    ([b'la', b' c', b' ca', b' la'], [256, 258, 112, 97])
    """

    def __init__(
        self,
        pattern: str | None = None,
        ties: Ties = "first",
        byte_order: ByteOrder = "value",
    ) -> None:
        self.pattern = (pattern_name(pattern) or pattern) if pattern is not None else None
        self.ties = ties
        self.byte_order = byte_order
        self.special_tokens: dict[str, int] = {}
        self._special = SpecialTokens({})
        self._split = splitter(self.pattern)
        order = gpt2_byte_order() if byte_order == "gpt2" else range(256)
        self._set({}, {id: bytes([byte]) for id, byte in enumerate(order)})

    def _set(self, merges: dict[Pair, int], vocab: dict[int, bytes]) -> None:
        self.merges = merges
        self.vocab = vocab
        self.history: list[Merge] = []
        self._byte_ids = {token[0]: id for id, token in vocab.items() if len(token) == 1}
        self._pieces: dict[str, list[int]] = {}

    def train(
        self,
        texts: str | Iterable[str],
        vocab_size: int,
        min_count: int = 1,
        progress: Progress | None = None,
    ) -> None:
        """Learn merges from texts until there are `vocab_size` tokens, special ones not counted.

        Stops early when no pair occurs `min_count` times. What was learnt before is replaced;
        when interrupted, it is kept. Raises ValueError when `vocab_size` is below 256.
        """
        self.train_counts(count_pieces(texts, self.pattern), vocab_size, min_count, progress)

    def train_counts(
        self,
        pieces: Mapping[str, int],
        vocab_size: int,
        min_count: int = 1,
        progress: Progress | None = None,
    ) -> None:
        """`train` from counted pre-tokens, in the order in which the corpus has them."""
        if vocab_size < 256:
            raise ValueError(
                f"a byte vocabulary has at least 256 tokens; {vocab_size} were asked for"
            )
        table = bytes(self._byte_ids[byte] for byte in range(256))
        # A pre-token can hold a lone surrogate only under one's own pattern.
        words = (
            (piece.encode("utf-8", "replace").translate(table), count)
            for piece, count in pieces.items()
        )
        learnt = learn_merges(words, vocab_size - 256, 256, self.ties, min_count, progress)
        vocab = {id: token for id, token in self.vocab.items() if id < 256}
        for merge in learnt:
            vocab[merge.id] = vocab[merge.left] + vocab[merge.right]
        self._set({(merge.left, merge.right): merge.id for merge in learnt}, vocab)
        self.history = learnt
        self.register_special_tokens(list(self.special_tokens))

    def register_special_tokens(self, tokens: Mapping[str, int] | Iterable[str]) -> None:
        """Give texts that stand for control tokens their ids, above the vocabulary.

        Names without ids get the next free ones. Raises ValueError for an id that is taken.
        """
        if not isinstance(tokens, Mapping):
            tokens = {text: max(self.vocab) + 1 + i for i, text in enumerate(tokens)}
        for text, id in tokens.items():
            if not text or id in self.vocab:
                reason = f"its id {id} is that of another token" if text else "it is empty"
                raise ValueError(f"{text!r} cannot be a special token: {reason}")
        self.special_tokens = dict(tokens)
        self._special = SpecialTokens(self.special_tokens)

    @property
    def ranks(self) -> dict[bytes, int]:
        """The ids of the tokens, special ones left out."""
        return {token: id for id, token in self.vocab.items()}

    @property
    def n_vocab(self) -> int:
        """One more than the highest id."""
        return max([*self.vocab, *self.special_tokens.values()]) + 1

    def encode(self, text: str, special: SpecialMode = "text") -> list[int]:
        """The ids of a text. Lone surrogates count as U+FFFD.

        Text that spells a special token is text, that token (`special="control"`), or raises
        `SpecialTokenError` (`special="error"`).
        """
        ids: list[int] = []
        for part, id in self._special.parts(join_surrogates(text), special):
            if id is not None:
                ids.append(id)
                continue
            for piece in self._split(part):
                ids.extend(self._encode_piece(piece))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, with U+FFFD for bytes that are not valid UTF-8. Raises ValueError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids. Raises ValueError for an id that the vocabulary doesn't have."""
        special = {id: text.encode() for text, id in self.special_tokens.items()}
        try:
            return b"".join(self.vocab[id] if id in self.vocab else special[id] for id in ids)
        except KeyError as error:
            raise ValueError(f"the vocabulary has no token with the id {error.args[0]}") from None

    def pieces(self, text: str) -> list[str]:
        """The pre-tokens of a text: merges never cross from one to the next."""
        return self._split(join_surrogates(text))

    def steps(self, piece: str) -> Iterator[tuple[Pair, list[int]]]:
        """The merges that apply in one pre-token, in order, and the ids after each."""
        return merge_steps(self._bytes_as_ids(piece), self.merges)

    def encoding(self, name: str) -> CoreEncoding:
        """The same vocabulary in tiktoken's Rust core: the same ids, many times as fast.

        Raises `ModelError` when tiktoken's engine can't read one's own pattern.
        """
        pattern = NO_SPLIT if self.pattern is None else self.pattern
        return core_encoding(name, self.ranks, pattern, self.special_tokens)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the vocabulary: `subword`, `minbpe`, `tiktoken` or `huggingface`.

        Without a format the name decides: `*.model` is minbpe's, `*.tiktoken` tiktoken's,
        `tokenizer.json` Hugging Face's, and anything else our own.
        """
        format = format or _format_of_name(Path(path))
        content = ByteBPE(self.pattern, self.vocab, self.merges, self.special_tokens)
        if format == FORMAT:
            save_model(path, "bpe", self._fields())
        elif format == "minbpe":
            write_bytes(path, write_minbpe(content))
        elif format == "tiktoken":
            write_bytes(path, write_tiktoken(self.ranks))
        elif format == "huggingface":
            write_bytes(path, write_huggingface(content))
        else:
            raise ValueError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")

    @classmethod
    def load(cls, path: str | os.PathLike[str], pattern: str | None = None) -> BPE:
        """Read any of the formats that `save` writes; the content says which it is.

        A `.tiktoken` file has no pattern: give it here. Raises `ModelError`.
        """
        data = read_bytes(path)
        head, name = data[:64].lstrip(), Path(path).name
        with whole(path):
            if head.startswith(HEADER):
                found = read_minbpe(data, name)
                model = cls.from_merges(found.merges, found.pattern)
                model.register_special_tokens(found.special_tokens)
                return model
            if not head.startswith(b"{"):
                ranks = read_tiktoken(data, name)
                if not ranks:
                    raise ModelError(f"{name}: no ranks in it")
                return cls.from_ranks(ranks, pattern)
            document = parse_json(data, name)
            if "format" in document:
                return cls._from_fields(load_model(path, "bpe"))
            parts = read_huggingface(document)
            model = cls(parts.pattern)
            model._set(parts.merges, parts.vocab)
            model.register_special_tokens(parts.special_tokens)
            return model

    def _fields(self) -> dict[str, object]:
        return {
            "pattern": self.pattern,
            "ties": self.ties,
            "byte_order": self.byte_order,
            "special_tokens": self.special_tokens,
            # The text is for people; only the two ids are read.
            "merges": [
                [left, right, self.vocab[id].decode("utf-8", "backslashreplace")]
                for (left, right), id in self.merges.items()
            ],
        }

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> BPE:
        ties, byte_order = fields["ties"], fields["byte_order"]
        if ties not in ("first", "smallest") or byte_order not in ("value", "gpt2"):
            raise ValueError("unknown ties or byte_order")
        pairs = ((int(row[0]), int(row[1])) for row in fields["merges"])
        model = cls.from_merges(pairs, fields["pattern"], ties, byte_order)
        special = fields["special_tokens"].items()
        model.register_special_tokens({text: checked_id(id) for text, id in special})
        return model

    @classmethod
    def from_merges(
        cls,
        merges: Iterable[Pair],
        pattern: str | None = None,
        ties: Ties = "first",
        byte_order: ByteOrder = "value",
    ) -> BPE:
        """A vocabulary from the pairs merged, in order. Raises ValueError for a pair of ids that
        are not both there yet, and for a token of more than `MAX_TOKEN` bytes."""
        model = cls(pattern, ties, byte_order)
        vocab, ids = model.vocab, {}
        for id, (left, right) in enumerate(merges, 256):
            if left not in vocab or right not in vocab:
                raise ValueError(f"the merge of {left} and {right} comes before its parts")
            if len(vocab[left]) + len(vocab[right]) > MAX_TOKEN:
                raise ValueError(f"the token {id} has more than {MAX_TOKEN:,} bytes")
            vocab[id] = vocab[left] + vocab[right]
            ids[left, right] = id
        model._set(ids, vocab)
        return model

    @classmethod
    def from_ranks(cls, ranks: Mapping[bytes, int], pattern: str | None = None) -> BPE:
        """A vocabulary from tiktoken's ranks, its merges recovered.

        Raises ValueError when a single byte is missing or a token isn't the merge of two others.
        """
        merges = recover_merges(ranks)
        if len(byte_permutation(ranks)) != 256 or len(merges) != len(ranks) - 256:
            raise ValueError(
                "the ranks are not those of a byte-level BPE: some tokens can't be made"
            )
        model = cls(pattern)
        model._set(merges, {id: token for token, id in ranks.items()})
        return model

    def _encode_piece(self, piece: str) -> list[int]:
        ids = self._pieces.get(piece)
        if ids is None:
            ids = apply_merges(self._bytes_as_ids(piece), self.merges)
            if len(self._pieces) >= _PIECES_KEPT:
                self._pieces.clear()
            self._pieces[piece] = ids
        return ids

    def _bytes_as_ids(self, piece: str) -> list[int]:
        return [self._byte_ids[byte] for byte in join_surrogates(piece).encode()]


def _format_of_name(path: Path) -> str:
    if path.name == "tokenizer.json":
        return "huggingface"
    return {".model": "minbpe", ".tiktoken": "tiktoken"}.get(path.suffix, FORMAT)

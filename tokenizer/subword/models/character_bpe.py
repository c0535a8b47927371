"""BPE over characters with SentencePiece's options: the kind that Llama 2 and Mistral use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..corpus.counting import Progress
from .merges import Pair, Ties, apply_merges, learn_merges
from .normalizer import Options
from .pieces import BYTES, PieceModel, alphabet_of, within_alphabet


class CharacterBPE(PieceModel):
    """Pieces with scores that are ranks: of two pieces that could be made, the higher is first.

    As in SentencePiece, two neighbours merge whenever together they are a piece.

    >>> model = CharacterBPE()
    >>> model.train("なにぬねのなにぬねの", 8)
    >>> model.tokens("なにぬ")
    ['▁', 'なに', 'ぬ']
    """

    algorithm = "character-bpe"

    def __init__(self, options: Options | None = None, ties: Ties = "first") -> None:
        self.ties = ties
        super().__init__(options)

    def _set(self, scores: Mapping[str, float]) -> None:
        super()._set(scores)
        ranked = sorted(self.scores, key=lambda piece: -self.scores[piece])
        rank = {piece: number for number, piece in enumerate(ranked)}
        self._ranked = ranked
        self._rank = rank
        self._merges: dict[Pair, int] = {
            (rank[piece[:at]], rank[piece[at:]]): rank[piece]
            for piece in ranked
            for at in range(1, len(piece))
            if piece[:at] in rank and piece[at:] in rank
        }

    def train(
        self, texts: str | Iterable[str], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """Learn merges from texts until there are `vocab_size` tokens, `<unk>` and bytes counted.

        Raises ValueError when the alphabet alone has more.
        """
        self.train_counts(self.count_words(texts), vocab_size, progress)

    def train_counts(
        self, words: Mapping[str, int], vocab_size: int, progress: Progress | None = None
    ) -> None:
        """`train` from normalized words (see `words`) and how often each occurs."""
        alphabet = list(alphabet_of(words, self.options.character_coverage))
        wanted = vocab_size - 1 - (len(BYTES) if self.options.byte_fallback else 0)
        if len(alphabet) > wanted:
            least = vocab_size - wanted + len(alphabet)
            raise ValueError(f"the vocabulary must have room for its alphabet: {least} or more")
        ids = {character: id for id, character in enumerate(alphabet)}
        rows = (
            ([ids[character] for character in word], count)
            for word, count in within_alphabet(words, ids).items()
        )
        pieces = list(alphabet)
        merges = learn_merges(
            rows, wanted - len(alphabet), len(alphabet), self.ties, progress=progress
        )
        for merge in merges:
            pieces.append(pieces[merge.left] + pieces[merge.right])
        # SentencePiece's order: merges as learnt, then characters.
        ordered = dict.fromkeys([*pieces[len(alphabet) :], *alphabet])
        self._set({piece: -float(number) for number, piece in enumerate(ordered)})

    def segment(self, word: str) -> list[str]:
        """The pieces of a normalized word after all merges."""
        known = len(self._ranked)
        ids = [self._rank.get(character, known + ord(character)) for character in word]
        merged = apply_merges(ids, self._merges)
        return [self._ranked[id] if id < known else chr(id - known) for id in merged]

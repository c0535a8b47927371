"""Small SentencePiece models, trained by its library."""

from __future__ import annotations

import io
from typing import Any

import sentencepiece
from tests.tokenizer.models.corpora import MANY_SCRIPTS, SOURCE, ZEN

LINES = (ZEN + MANY_SCRIPTS + SOURCE).split("\n")


def sentencepiece_model(**options: Any) -> bytes:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES),
        model_writer=written,
        minloglevel=2,
        hard_vocab_limit=False,
        **options,
    )
    return written.getvalue()

"""Small models, each trained by its library, and one of ours."""

from __future__ import annotations

import io
from typing import Any

import sentencepiece
import tokenizers
from tests.tokenizer.models.corpora import CORPUS, MANY_SCRIPTS, SOURCE, ZEN
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

from subword.models.bpe import BPE

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


def byte_level() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    # As GPT-2's file has it: places without the space before a word.
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=alphabet, show_progress=False, special_tokens=["<s>"]
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


BYTE_BPE = BPE("cl100k", byte_order="gpt2")
BYTE_BPE.train(CORPUS, 700)
BYTE_BPE.register_special_tokens(["<s>"])

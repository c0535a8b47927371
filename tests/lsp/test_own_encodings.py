"""A tokenizer of one's own that can't be counted with is said where the user looks, and why."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.lsp.wire import Wire, span

from subword import BPE

TEXTS = [
    ("(", "hello", "mine: its split pattern can't be used"),
    ("a*", "hello", "mine: its split pattern matches where there is nothing"),
    (
        r"\w+|\s+(?!\S)|[\s\S]",
        "secret" + " " * 1_000_000 + "b",
        "mine: its split pattern gives up",
    ),
]


def is_said(message: str, sent: dict[str, object]) -> bool:
    return message in str(sent.get("params"))


def test_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "bytes.tiktoken"
    BPE().save(path)
    settings: dict[str, object] = {}
    with Wire() as wire:
        wire.settings = settings.get
        wire.start()
        for number, (pattern, text, message) in enumerate(TEXTS):
            uri = (tmp_path / f"{number}.txt").as_uri()
            mine = {"path": str(path), "pattern": pattern}
            settings[uri] = {"encoding": "mine", "encodings": {"mine": mine}}
            wire.open(uri, text)
            # No counts are better than those of another encoding.
            assert not wire.ask_of(uri, "inlayHint", range=span((0, 0), (1, 0)))
            said = wire.wait_for(partial(is_said, message))
            assert "secret" not in str(said)
        assert "Traceback" not in wire.log and "secret" not in wire.log

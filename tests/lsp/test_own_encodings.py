"""A tokenizer of one's own that can't be counted with is said where the user looks, and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lsp.wire import Wire, initialize_params, span

from subword import BPE


@pytest.mark.parametrize(
    ("pattern", "text", "message"),
    [
        ("(", "hello", "mine: its split pattern can't be used"),
        ("a*", "hello", "mine: its split pattern matches where there is nothing"),
        (
            r"\w+|\s+(?!\S)|[\s\S]",
            "secret" + " " * 1_000_000 + "b",
            "mine: its split pattern gives up",
        ),
    ],
)
def test_it_is_said(tmp_path: Path, pattern: str, text: str, message: str):
    BPE().save(tmp_path / "bytes.tiktoken")
    mine = {"path": str(tmp_path / "bytes.tiktoken"), "pattern": pattern}
    with Wire() as wire:
        settings = {"encoding": "mine", "encodings": {"mine": mine}}
        wire.answers["workspace/configuration"] = lambda params: [settings] * len(params["items"])
        wire.request("initialize", initialize_params("vscode"))
        wire.notify("initialized", {})
        uri = (tmp_path / "a.txt").as_uri()
        item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
        wire.notify("textDocument/didOpen", {"textDocument": item})
        params = {"textDocument": {"uri": uri}, "range": span((0, 0), (1, 0))}
        # No counts are better than those of another encoding.
        assert not wire.request("textDocument/inlayHint", params)
        said = wire.wait_for(lambda sent: message in str(sent.get("params")))
        assert "secret" not in str(said)
        assert "Traceback" not in wire.log and "secret" not in wire.log

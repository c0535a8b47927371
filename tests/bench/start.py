"""From process start to the first hint, against importing pygls and loading the encoding.

The other is what no Python language server with tiktoken can be faster than: a process that
imports pygls and has tiktoken load o200k_base from a local file, and does nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests.lsp.wire import Wire, initialize_params, span

from subword.encodings import load_table
from subword.files.tiktoken import write_tiktoken

from .rows import in_turns, process_time, row
from .texts import text

FLOOR = """
import pygls.lsp.server, tiktoken.load
from tiktoken_ext import openai_public
openai_public.load_tiktoken_bpe = lambda *_, **__: tiktoken.load.load_tiktoken_bpe({path!r})
tiktoken.Encoding(**openai_public.o200k_base())
"""


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "o200k_base.tiktoken"
        path.write_bytes(write_tiktoken(load_table("o200k")))
        floor = [sys.executable, "-c", FLOOR.format(path=str(path))]
        runs = 3 if quick else 9
        for command in ([sys.executable, "-c", "import pygls.lsp.server"], floor):
            process_time(command)
        ours, others = in_turns(first_hint, lambda: process_time(floor), runs)
        yield row("start", "to the first hint", "10 KB", ours, "pygls + tiktoken", others)


def first_hint() -> float:
    """Seconds from the start of the process until the first hints have arrived."""
    uri = "file:///workspace/a.txt"
    content = text("English", 10**4)
    params = initialize_params("vscode")
    started = perf_counter()
    with Wire() as wire:
        wire.request("initialize", params)
        wire.notify("initialized", {})
        wire.open(uri, content)
        wire.ask_of(uri, "inlayHint", range=span((0, 0), (60, 0)))
        return perf_counter() - started

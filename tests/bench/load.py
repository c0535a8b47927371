"""Loading an encoding, each in a new process, against tiktoken loading it from the same ranks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from subword.encodings import load_table
from subword.files.tiktoken import write_tiktoken

from .rows import in_turns, row

TABLES = {"r50k_base": "r50k", "cl100k_base": "cl100k", "o200k_base": "o200k"}

OURS = """
import time, subword
started = time.perf_counter()
subword.get_encoding({name!r}).encode("warm")
print(time.perf_counter() - started)
"""
# tiktoken's own constructor with its own loader, given the file that it would have downloaded.
TIKTOKEN = """
import time
started = time.perf_counter()
import tiktoken.load
from tiktoken_ext import openai_public
openai_public.load_tiktoken_bpe = lambda *_, **__: tiktoken.load.load_tiktoken_bpe({path!r})
tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[{name!r}]()).encode("warm")
print(time.perf_counter() - started)
"""


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        for name, table in TABLES.items():
            path = Path(folder) / f"{name}.tiktoken"
            path.write_bytes(write_tiktoken(load_table(table)))
            ours = partial(_printed, OURS.format(name=name))
            tiktoken = partial(_printed, TIKTOKEN.format(name=name, path=str(path)))
            times = in_turns(ours, tiktoken, 3 if quick else 9)
            yield row("load", name, "", times[0], "tiktoken", times[1])


def _printed(code: str) -> float:
    """The seconds that a program prints."""
    return float(subprocess.check_output([sys.executable, "-c", code]))

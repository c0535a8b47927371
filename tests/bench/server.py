"""Keystrokes and openings through the real server over stdio, in texts of several sizes.

Here the other's time is the same in a text of 10 KB, so a ratio of 1 means that the size of a text
doesn't matter. A keystroke is `didChange` and the hints for 60 lines around it; 95 of 100 are not
slower than what is shown. An opening is counted from the moment at which the server has the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any

from tests.lsp.wire import Wire, span

from .rows import row
from .texts import text

SIZES = {"10 KB": 10**4, "1 MB": 10**6, "10 MB": 10**7}
CASES = (
    "a keystroke, p95",
    "a keystroke, median",
    "a keystroke to findings",
    "open to first hints",
)
URI = "file:///workspace/a.txt"
TOP = span((0, 0), (60, 0))

# What is being opened when a small document is: a long template, a long YAML file, many documents.
BESIDE = {
    "a 126 KB Jinja file": {"a.j2": "{% if a %}Say {{ b.c | d('e') }}.{% endif %}\n" * 2900},
    "a 120 KB YAML file": {
        "a.prompt.yml": "messages:\n" + "- role: user\n  content: 'a  {{b}}'\n" * 3400
    },
    "200 documents": {
        f"{n}.prompty": f"---\nname: a\n---\nuser:\n{n} {{{{a}}}}\n" for n in range(200)
    },
}


def rows(quick: bool) -> Iterable[dict[str, Any]]:
    strokes = 60 if quick else 300
    measured = {size: _measure(text("English", length), strokes) for size, length in SIZES.items()}
    for number, case in enumerate(CASES):
        for size in SIZES:
            ours, others = measured[size][number], measured["10 KB"][number]
            yield row("server", case, size, ours, "in 10 KB", others)
    with_header = "---\nmodel: gpt-4o\n---\nSee ${file}.\n" + text("English", SIZES["1 MB"])
    ours = _measure(with_header, strokes, f"{URI}.prompt.md")[1]
    yield row("server", "in a .prompt.md", "1 MB", ours, "in a .txt", measured["1 MB"][1])
    for name, files in BESIDE.items():
        ours, others = _beside(files)
        yield row("server", "first hints beside", name, ours, "alone", others)


def _measure(content: str, strokes: int, uri: str = URI) -> tuple[float, float, float, float]:
    """Keystrokes at p95 and median, with findings, and the opening, in seconds."""
    with Wire() as wire:
        wire.start("vscode")
        wire.open("file:///workspace/warm.txt", "warm")
        for method in ("inlayHint", "diagnostic"):
            wire.ask_of("file:///workspace/warm.txt", method, range=span((0, 0), (1, 0)))
        opening = sorted(_open(wire, f"{URI}{n}", content) for n in range(5))[2]
        wire.open(uri, content)
        wire.command("countTokens", uri)
        line = content.count("\n") // 2
        around = span((max(0, line - 30), 0), (line + 30, 0))
        times = sorted(_type(wire, uri, n, line, "inlayHint", range=around) for n in range(strokes))
        later = range(strokes, strokes + 5)
        findings = sorted(_type(wire, uri, number, line, "diagnostic") for number in later)
        return times[len(times) * 95 // 100], times[len(times) // 2], findings[2], opening


def _type(wire: Wire, uri: str, number: int, line: int, method: str, **parameters: Any) -> float:
    """From a key to the answer to what is asked then, in seconds."""
    started = perf_counter()
    place = span((line, number % 40), (line, number % 40))
    wire.change(uri, number + 2, {"range": place, "text": "Please answer "[number % 14]})
    wire.ask_of(uri, method, **parameters)
    return perf_counter() - started


def _open(wire: Wire, uri: str, content: str) -> float:
    wire.open(uri, content)
    # Answered in order: when this error comes, the server has read and stored the text.
    wire.error("promptls/unheardOf")
    started = perf_counter()
    wire.ask_of(uri, "inlayHint", range=TOP)
    taken = perf_counter() - started
    wire.command("countTokens", uri)
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return taken


def _beside(files: Mapping[str, str]) -> tuple[float, float]:
    """From opening a small document to its hints, while others are opened and alone; in seconds."""
    alone, beside = [], []
    for _ in range(3):
        with Wire() as wire:
            wire.start("vscode")
            _open(wire, f"{URI}warm", "warm")
            alone += [_first_hints(wire, f"{URI}{number}") for number in range(3)]
            for name, content in files.items():
                uri = f"file:///workspace/{name}"
                wire.open(uri, content)
                for method, more in (("inlayHint", {"range": TOP}), ("diagnostic", {})):
                    wire.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})
            beside.append(_first_hints(wire, f"{URI}small"))
    return sorted(beside)[1], sorted(alone)[len(alone) // 2]


def _first_hints(wire: Wire, uri: str) -> float:
    started = perf_counter()
    wire.open(uri, "Say hello.\n")
    wire.ask_of(uri, "inlayHint", range=TOP)
    return perf_counter() - started

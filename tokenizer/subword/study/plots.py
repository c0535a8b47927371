"""Pictures of measurements, with matplotlib (the extra `plots`); SVG or PNG, as the name ends."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .compression import CurvePoint, LanguageCost
from .words import HeapsFit, ZipfFit

# Colours that are told apart by most colour-blind people (Okabe and Ito).
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#999999"

FORMATS = (".svg", ".png")


class PlotError(RuntimeError):
    """No picture can be drawn; the message says why and what to do."""


def plot_curve(points: Sequence[CurvePoint], path: str | os.PathLike[str]) -> None:
    """Compression against vocabulary size. Raises `PlotError`."""
    axes = _axes("Bytes per token of unseen text", "vocabulary size", "bytes per token", path)
    axes.plot([p.vocab_size for p in points], [p.bytes_per_token for p in points], "o-", color=BLUE)
    axes.set_xscale("log", base=2)
    axes.set_xticks([p.vocab_size for p in points], [f"{p.vocab_size:,}" for p in points])
    axes.tick_params("x", rotation=45)
    axes.set_ylim(bottom=0)
    _save(axes, path)


def plot_languages(
    rows: Sequence[LanguageCost], baseline: str, path: str | os.PathLike[str]
) -> None:
    """What languages cost in relation to one of them. Raises `PlotError`."""
    axes = _axes("The same text in other languages", f"tokens, {baseline} = 1", "", path)
    rows = sorted(rows, key=lambda row: -row.premium)
    colours = [GREY if row.language == baseline else BLUE for row in rows]
    bars = axes.barh([row.language for row in rows], [row.premium for row in rows], color=colours)
    axes.bar_label(bars, [f"{row.premium:.2f}" for row in rows], padding=3)
    axes.axvline(1, color=GREY, linewidth=1)
    axes.margins(x=0.1)
    _save(axes, path)


def plot_zipf(counts: Sequence[int], fit: ZipfFit, path: str | os.PathLike[str]) -> None:
    """How often the words of each rank occur, and Zipf's law. Raises `PlotError`."""
    axes = _axes(f"Zipf: α = {fit.alpha:.2f}", "rank of the word", "occurrences", path)
    ranks = range(1, len(counts) + 1)
    axes.loglog(ranks, counts, ".", color=BLUE, label="words")
    law = [fit.constant / rank**fit.alpha for rank in ranks]
    axes.loglog(ranks, law, color=ORANGE, label="law")
    axes.set_ylim(bottom=0.7)
    axes.legend(frameon=False)
    _save(axes, path)


def plot_heaps(
    growth: Sequence[tuple[int, int]], fit: HeapsFit, path: str | os.PathLike[str]
) -> None:
    """How many distinct words there are among the first n, and Heaps' law. Raises `PlotError`."""
    title = f"Heaps: K = {fit.k:.1f}, β = {fit.beta:.2f}"
    axes = _axes(title, "words read", "distinct words", path)
    numbers = [n for n, _ in growth]
    axes.loglog(numbers, [distinct for _, distinct in growth], "o", color=BLUE, label="words")
    axes.loglog(numbers, [fit.k * n**fit.beta for n in numbers], color=ORANGE, label="law")
    axes.legend(frameon=False)
    _save(axes, path)


def _axes(title: str, x: str, y: str, path: str | os.PathLike[str]) -> Any:
    if Path(path).suffix.lower() not in FORMATS:
        raise PlotError(f"{Path(path).name}: a picture's name ends with {' or '.join(FORMATS)}")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlotError(
            "pictures need matplotlib; install promptls with the extra plots: "
            "pip install 'promptls[plots]'"
        ) from None
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    return axes


def _save(axes: Any, path: str | os.PathLike[str]) -> None:
    import matplotlib

    settings: Any = {
        "font.family": _fonts(),
        # Text stays text, so that whoever shows the picture finds the glyphs.
        "svg.fonttype": "none",
        # The same data give the same file, so that pictures can be compared and committed.
        "svg.hashsalt": "promptls",
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A glyph that no font here has is a box in a PNG; that is seen without a warning.
        warnings.simplefilter("ignore", UserWarning)
        try:
            metadata = {"Date": None} if str(path).lower().endswith(".svg") else {}
            axes.figure.savefig(path, dpi=150, metadata=metadata)
        except OSError as error:
            raise PlotError(f"{Path(path).name}: cannot be written ({error.strerror})") from None


def _fonts() -> list[str]:
    """The usual font, and those of this machine that have the world's scripts."""
    from matplotlib import font_manager

    wanted = (
        *("Noto Sans", "Droid Sans Fallback", "WenQuanYi", "Unifont"),
        *("Arial Unicode", "Hiragino", "PingFang", "Kohinoor"),
        *("Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Nirmala"),
    )
    names = sorted({font.name for font in font_manager.fontManager.ttflist})
    return ["DejaVu Sans", *(name for name in names if name.startswith(wanted))]

"""`explain`: why a text becomes these tokens, merge by merge."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from ..encoding import Encoding
from ..explain.merges import Node, Piece, explain, shown
from ..wording import amount
from .shared import CommandError, Host, Line, Result

# Longer texts make stories that nobody reads.
_LONGEST = 20_000

# How many segmentations of a word are shown for a unigram model.
_WAYS = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show how a text becomes tokens: what the split pattern cut and by which rule, each merge "
        "as it applies, the tree that they make, and why neighbours stayed apart."
    )
    parser.add_argument("text", metavar="TEXT", help="the text; - for standard input")


def run(args: argparse.Namespace, host: Host) -> Result:
    text = _text(args.text, host)
    try:
        encoding = host.encoding()
        if encoding.pattern:
            pieces = explain(encoding, text)
            rows = [_piece_row(piece) for piece in pieces]
            lines = _story(encoding, pieces)
        else:
            rows = _model_rows(encoding, text)
            lines = _model_story(encoding, rows)
    except (LookupError, ValueError) as error:
        raise CommandError(str(error)) from None
    return Result({"encoding": encoding.name, "pieces": rows}, lines)


def _text(text: str, host: Host) -> str:
    if text == "-":
        text = host.standard_input()
    if len(text) > _LONGEST:
        raise CommandError(
            f"a text of {len(text):,} characters; at most {_LONGEST:,} are explained"
        )
    return text


def _story(encoding: Encoding, pieces: Iterable[Piece]) -> Iterator[Line]:
    for piece in pieces:
        ids = " ".join(map(str, piece.ids))
        yield [
            (shown_text(piece.text), "bold"),
            (f"  {piece.rule}", "dim"),
            (f"  → {ids}", "cyan"),
        ]
        if not piece.steps and piece.whole and len(piece.text.encode()) > 1:
            yield [("  the whole piece is one token", "")]
        for step in piece.steps:
            yield [
                (f"  {step.id:>7}  ", "cyan"),
                (f"{shown(step.left)} + {shown(step.right)}", ""),
                (f"   {' '.join(map(shown, step.after))}", "dim"),
            ]
        for tree in piece.trees:
            if tree.parts:
                yield from _tree(tree, "  ", "")
        for boundary in piece.boundaries:
            apart = f"  {shown(boundary.left)} | {shown(boundary.right)}: {boundary.reason}"
            yield [(apart, "yellow")]
        if len(piece.shortest) < len(piece.trees):
            fewest = " ".join(map(shown, piece.shortest))
            yield [(f"  fewer tokens would do, but merges don't find them: {fewest}", "yellow")]
    count = sum(len(piece.ids) for piece in pieces)
    yield [(f"{amount(count, 'token')} in {encoding.name}", "bold")]


def _tree(node: Node, indent: str, branch: str) -> Iterator[Line]:
    yield [(f"{indent}{branch}", "dim"), (shown(node.token), ""), (f" {node.id}", "cyan")]
    inner = indent + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
    for part, mark in zip(node.parts, ("├─ ", "└─ "), strict=False):
        yield from _tree(part, inner, mark)


def shown_text(text: str) -> str:
    """A piece in quotes, its spaces visible."""
    return shown(text.encode("utf-8", "replace"))


def _piece_row(piece: Piece) -> dict[str, Any]:
    return {
        "text": piece.text,
        "start": piece.start,
        "rule": piece.rule,
        "ids": piece.ids,
        "merges": [
            {"left": s.left.hex(), "right": s.right.hex(), "id": s.id, "after": _hex(s.after)}
            for s in piece.steps
        ],
        "trees": [_tree_row(tree) for tree in piece.trees],
        "boundaries": [
            {"left": b.left.hex(), "right": b.right.hex(), "reason": b.reason}
            for b in piece.boundaries
        ],
        "fewest": _hex(piece.shortest),
    }


def _tree_row(node: Node) -> dict[str, Any]:
    parts = [_tree_row(part) for part in node.parts]
    return {"id": node.id, "bytes": node.token.hex(), "parts": parts}


def _hex(tokens: Iterable[bytes]) -> list[str]:
    return [token.hex() for token in tokens]


def _model_rows(encoding: Encoding, text: str) -> list[dict[str, Any]]:
    """Without merges to tell: the ways to cut each word of a unigram model; else the tokens."""
    from ..models.unigram.model import Unigram

    model = getattr(getattr(encoding, "tokenizer", None), "model", None)
    if isinstance(model, Unigram):
        return [
            {
                "text": word,
                "ways": [
                    {"pieces": pieces, "log_probability": score}
                    for score, pieces in model.n_best(word, _WAYS)
                ],
            }
            for word in model.words(text)
        ]
    return [
        {"text": text[token.start : token.end], "id": token.id, "start": token.start}
        for token in encoding.split(text)
    ]


def _model_story(encoding: Encoding, rows: list[dict[str, Any]]) -> Iterator[Line]:
    for row in rows:
        if "ways" not in row:
            yield [(f"{row['id']:>7}  ", "cyan"), (shown_text(row["text"]), "")]
            continue
        yield [(row["text"], "bold")]
        for number, way in enumerate(row["ways"]):
            style = "green" if not number else "dim"
            yield [
                (f"  {way['log_probability']:9.3f}  ", style),
                (" ".join(way["pieces"]), style),
            ]
    yield [(f"explained with {encoding.name}", "dim")]

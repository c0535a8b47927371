"""Tags of languages like Jinja (Nunjucks, MiniJinja, Liquid) that Jinja2 itself would refuse.

What they mean can't be known here, so only their words are looked at: which blocks they open and
close, and which names they look up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...conditions import Not, Truth
from .state import State
from .statements import Effect

_STATEMENT = re.compile(r"[-+]?\s*(?P<word>\w+)(?P<rest>.*)", re.DOTALL)
_WORD = re.compile(
    r"""'[^'\\]*(?:\\.[^'\\]*)*'? | "[^"\\]*(?:\\.[^"\\]*)*"?
    | [.|]\s*[^\W\d]\w* | \bis\s+(?:not\s+)?[^\W\d]\w* | [^\W\d]\w*(?=\s*[=:](?!=))
    | (?P<name>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset(
    re.findall(r"\w+", "and or not in is if else true false none null nil True False None contains")
)
_ALIASES = {"elseif": "elif", "elsif": "elif", "asyncEach": "for", "asyncAll": "for"}
_BLOCKS = frozenset(("if", "unless", "for", "macro", "call", "filter", "block", "set", "capture"))
_OTHER_BLOCKS = frozenset(("comment", "verbatim", "raw"))
# How much of a block's tag tells it from others, in characters: each of its cases repeats that.
_MOST_ASKED = 256
# Blocks of which one case is sent, and the words that begin a case: Liquid's and Nunjucks's.
CASES = {"case": ("when", "else"), "switch": ("case", "default")}


def loose_names(expression: str) -> list[str]:
    """The names that an expression seems to look up, each once."""
    found = (match["name"] for match in _WORD.finditer(expression) if match["name"])
    return list(dict.fromkeys(name for name in found if name not in _KEYWORDS))


def read_loosely(inside: str, state: State, start: int) -> Effect:
    """What a statement does that could not be parsed. Raises `Fault` for blocks left open."""
    match = _STATEMENT.match(inside)
    word, rest = (match["word"], match["rest"]) if match else ("", "")
    word = _ALIASES.get(word, word)
    if word.startswith("end"):
        return _end(_ALIASES.get(word[3:], word[3:]), state, start)
    targets, _, iterable = rest.partition(" in ")
    bound = loose_names(targets) if word == "for" else []
    state.load(loose_names(iterable if word == "for" else rest))
    truth = Truth((" ".join(rest.split()),))

    def effect(end: int) -> None:
        block = state.blocks.open[-1] if state.blocks.open else None
        when, otherwise = CASES.get(block.name, ("", "")) if block else ("", "")
        if block and word in (when, otherwise):
            asked = state.text[block.start : min(block.end, block.start + _MOST_ASKED)]
            case = Truth((f"{asked} {truth.subject[0]}",))
            state.blocks.divide(block, start, end, word == otherwise or case)
        elif word in CASES:
            # What stands before the first case is never sent.
            state.begin(word, start, end, False)
            state.frame.depth += 1
        elif word in ("elif", "else") and state.blocks.open:
            state.blocks.divide(state.blocks.open[-1], start, end, word == "else" or truth)
        elif word in ("if", "unless"):
            state.begin(word, start, end, truth if word == "if" else Not(truth))
            state.frame.depth += 1
        elif word in ("set", "assign"):
            state.store(_assigned(rest), start)
        elif word in _BLOCKS or word in _OTHER_BLOCKS or word in state.ends:
            state.begin(word, start, end)
            state.enter((*bound, "loop", "forloop"), start)

    return effect


def _assigned(rest: str) -> Iterator[str]:
    yield from loose_names(rest.partition("=")[0])


def _end(name: str, state: State, start: int) -> Effect:
    state.blocks.expect(name, start, start + 2)

    def effect(end: int) -> None:
        state.finish(start, end)

    return effect

"""The tokens inside of a Jinja tag, as Jinja2's lexer (jinja2/lexer.py) tells them apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..blocks import Fault

_TOKEN = re.compile(
    r"""\s*(?:(?P<float>(?<!\.)\d[\d_]*(?:\.\d[\d_]*(?:e[+-]?\d[\d_]*)?|e[+-]?\d[\d_]*))
    | (?P<integer>0b[01_]+|0o[0-7_]+|0x[\da-f_]+|[1-9][\d_]*|0[0_]*)
    | (?P<name>\w+)
    | (?P<string>'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")
    | (?P<operator>//|\*\*|==|!=|>=|<=|[-+/*%~\[\](){}<>=.:|,;]))""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_SPACE = re.compile(r"\s*")
_ENDS = {"%}": re.compile(r"[-+]?%\}"), "}}": re.compile(r"-?\}\}")}
_OPENED = {"(": ")", "[": "]", "{": "}"}
# No expression that somebody wrote is nested as deeply as that.
_DEEPEST = 50


class Token(NamedTuple):
    """A word of a tag. `kind` is its group above, or `end` where the tag's own end begins."""

    kind: str
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return "the end of the tag" if self.kind == "end" else self.text


def tokens(text: str, at: int, closer: str) -> list[Token]:
    """The tokens from `at` up to the end of the tag, which is the last of them.

    Raises `Fault` where Jinja2's lexer finds something that is no token, and where there is no end.
    """
    found: list[Token] = []
    expected: list[str] = []
    while match := _TOKEN.match(text, at):
        kind = match.lastgroup or ""
        word, (start, at) = match[kind], match.span(kind)
        if kind == "operator":
            if word in "-+%}" and not expected and (end := _ENDS[closer].match(text, start)):
                found.append(Token("end", end.group(), *end.span()))
                return found
            _balance(word, expected, start, at)
        elif kind == "name" and not word.isidentifier():
            raise Fault(start, at, "this is no name")
        found.append(Token(kind, word, start, at))
    space = _SPACE.match(text, at)
    at = space.end() if space else at
    if at < len(text):
        raise Fault(at, at + 1, f"{text[at]} has no meaning in a template's tag")
    raise Fault(at, at, f"the tag is never closed with {closer}", "unclosed")


def _balance(word: str, expected: list[str], start: int, end: int) -> None:
    """Note a bracket that opens or closes; `expected` are the closing ones that are missing."""
    if word in _OPENED:
        if len(expected) == _DEEPEST:
            raise Fault(start, end, "this is nested too deeply to be read")
        expected.append(_OPENED[word])
    elif word in ")]}" and (not expected or expected.pop() != word):
        raise Fault(start, end, f"{word} closes nothing here")

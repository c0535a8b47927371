"""The tokens inside of a Handlebars tag, and the expressions that they make.

As Handlebars.js 4 reads them (its `handlebars.l`, `handlebars.yy` and `helpers.js`).
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from ..blocks import Fault

_AFTER_NAME = r"(?=[=~}\s/.)|\]]|\Z)"
_AFTER_LITERAL = r"(?=[~}\s)\]]|\Z)"
_TOKEN = re.compile(
    rf"""\s*(?:(?P<close>\}}\}}\}}\}}|\}}~?\}}\}}|~?\}}\}})
    | (?P<string>"(?:\\"|[^"])*"|'(?:\\'|[^'])*')
    | (?P<bracket>\[(?:\\\]|[^\]])*\])
    | (?P<parameters>as\s+\|)
    | (?P<mark>[()=|@])
    | (?P<up>\.\.)
    | (?P<here>\.{_AFTER_NAME})
    | (?P<separator>[/.])
    | (?P<literal>(?:true|false|undefined|null|-?[0-9]+(?:\.[0-9]+)?){_AFTER_LITERAL})
    | (?P<name>[^\s!-#%-,./;->@\[-^`{{-~]+{_AFTER_NAME}))""",
    re.VERBOSE,
)
_DEEPEST = 50
_LITERALS = {"true": True, "false": False, "undefined": None, "null": None}
_NAMES = ("name", "bracket", "up", "here")
_VALUES = ("string", "literal", *_NAMES)


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Path(NamedTuple):
    """What is looked up: `user.name`, `../title`, `@root.x`, `this`."""

    names: tuple[str, ...]
    levels: int = 0
    """How many contexts further out."""
    is_data: bool = False
    """Whether it begins with `@`."""
    is_own: bool = False
    """Whether it begins with `this` or `.`, so that it is no helper."""
    text: str = ""


class Value(NamedTuple):
    """A string, a number or the like that stands in the template."""

    value: object


class Call(NamedTuple):
    """A helper with what it is given, or what a tag as a whole says."""

    head: Expression
    arguments: tuple[Expression, ...]
    named: dict[str, Expression]
    parameters: tuple[str, ...] = ()
    """The names that a block gives to its items."""


Expression = Path | Value | Call


class Parser:
    """Reads the expressions of a tag. Methods raise `Fault` where Handlebars' parser fails."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._depth = 0
        self.current = self._read(at)

    def tag(self, has_parameters: bool = False) -> Call:
        """A head with its arguments, up to the tag's end, which is the current token then."""
        call = self._call()
        if has_parameters and self.current.kind == "parameters":
            call = call._replace(parameters=self._parameters())
        if self.current.kind != "close":
            self.fail()
        return call

    def name(self) -> str:
        """The text of what a closing tag names."""
        start = self.current.start
        self._one()
        if self.current.kind != "close":
            self.fail()
        return self._text[start : self.current.start].strip()

    def fail(self) -> NoReturn:
        token = self.current
        raise Fault(token.start, token.end, f"{token.text or 'this'} is not expected here")

    def _read(self, at: int) -> Token:
        match = _TOKEN.match(self._text, at)
        if match is None:
            space = re.compile(r"\s*").match(self._text, at)
            at = space.end() if space else at
            return Token("nothing", self._text[at : at + 1], at, min(at + 1, len(self._text)))
        kind = match.lastgroup or ""
        return Token(kind, match[kind], *match.span(kind))

    def _next(self) -> Token:
        token = self.current
        self.current = self._read(token.end)
        return token

    def _is_at(self, mark: str) -> bool:
        return self.current.kind == "mark" and self.current.text == mark

    def _call(self) -> Call:
        head = self._one()
        arguments: list[Expression] = []
        named: dict[str, Expression] = {}
        while self.current.kind in _VALUES or self._is_at("@") or self._is_at("("):
            is_name = self.current.kind in ("name", "bracket")
            if is_name and self._text.startswith("=", self._skipped()):
                key = self._next().text
                self._next()
                named[key.strip("[]")] = self._one()
            elif named:
                self.fail()
            else:
                arguments.append(self._one())
        return Call(head, tuple(arguments), named)

    def _skipped(self) -> int:
        """Where, after the current token, something stands."""
        at = self.current.end
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        return at

    def _one(self) -> Expression:
        token = self.current
        if self._is_at("("):
            return self._inner_call()
        if token.kind == "string":
            self._next()
            quote = token.text[0]
            return Value(token.text[1:-1].replace("\\" + quote, quote))
        if token.kind == "literal":
            self._next()
            return Value(_LITERALS[token.text] if token.text in _LITERALS else float(token.text))
        is_data = self._is_at("@")
        if is_data:
            self._next()
        if self.current.kind not in _NAMES:
            self.fail()
        return self._path(is_data, token.start)

    def _inner_call(self) -> Call:
        if self._depth == _DEEPEST:
            self.fail()
        self._depth += 1
        self._next()
        call = self._call()
        if not self._is_at(")"):
            self.fail()
        self._next()
        self._depth -= 1
        return call

    def _path(self, is_data: bool, start: int) -> Path:
        names: list[str] = []
        levels, is_own = 0, False
        while True:
            token = self._next()
            is_way = token.kind in ("up", "here") or token.text == "this"
            if is_way and names:
                raise Fault(token.start, token.end, f"{token.text} cannot follow a name in a path")
            levels += token.kind == "up"
            is_own |= is_way
            if not is_way:
                is_bracket = token.kind == "bracket"
                names.append(token.text[1:-1] if is_bracket else token.text)
            end = token.end
            if self.current.kind != "separator":
                break
            self._next()
            if self.current.kind not in _NAMES:
                self.fail()
        return Path(tuple(names), levels, is_data, is_own, self._text[start:end])

    def _parameters(self) -> tuple[str, ...]:
        self._next()
        names: list[str] = []
        while self.current.kind in ("name", "bracket"):
            names.append(self._next().text)
        if not names or not self._is_at("|"):
            self.fail()
        self._next()
        return tuple(names)

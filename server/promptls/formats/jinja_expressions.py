"""Jinja's expressions: which names they look up, when they are true, and what is constant.

Parsed as Jinja2's parser does (jinja2/parser.py), errors included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn
from unicodedata import lookup

from ..conditions import All, Condition, Defined, Equals, Not, Some, Subject, Truth
from .blocks import Fault
from .jinja_tokens import Token

CONSTANTS: dict[str, object] = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("none", "None")),
}
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
# Conditions of more parts than these are taken as a whole.
_MOST_PARTS = 16
_LINE_END = re.compile(r"\r\n|\r")
_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|(?P<hex>x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})"
    r"|N\{(?P<name>[^}]{1,100})\}|(?P<other>.))",
    re.DOTALL,
)
_ESCAPES = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


class Constant(NamedTuple):
    """A value that stands in the template itself."""

    value: object


class Expression(NamedTuple):
    """What is known of an expression."""

    kind: str = ""
    """`call`, `name` or `tuple`; of others nobody asks."""
    subject: Subject | None = None
    """A path of names, such as `user.name`."""
    constant: Constant | None = None
    condition: Condition | None = None
    """When it is true, if that isn't the truth of its value as a whole."""
    items: tuple[Constant, ...] | None = None
    """Of a list or a tuple of constants."""
    call: Call | None = None


class Call(NamedTuple):
    """A call of what a name stands for, with the arguments that are constants."""

    name: str
    positional: tuple[Constant | None, ...]
    named: dict[str, Constant | None]


class Parser:
    """Reads the tokens of one tag. Every method raises `Fault` where Jinja2's parser fails.

    `place` says which name a name stands for, so that a loop's item is another in another loop.
    """

    def __init__(self, tokens: Sequence[Token], place: Callable[[str], str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._place = place
        self._depth = 0
        self.loads: list[str] = []
        """The names that are looked up, in the order of the text."""

    @property
    def current(self) -> Token:
        return self._tokens[self._at]

    @property
    def previous(self) -> Token:
        return self._tokens[max(self._at - 1, 0)]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def next(self) -> Token:
        """The current token, after which the next one is the current one."""
        token = self.current
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def is_at(self, *words: str) -> bool:
        """Whether the current token is one of these names or operators."""
        return self.current.kind in ("name", "operator") and self.current.text in words

    def skip(self, word: str) -> bool:
        """Go over a word, if it is the current token."""
        if not self.is_at(word):
            return False
        self.next()
        return True

    def expect(self, word: str) -> Token:
        if not self.is_at(word):
            self.fail(f"{word} is expected here instead of {self.current}")
        return self.next()

    def expect_name(self) -> Token:
        if self.current.kind != "name":
            self.fail(f"a name is expected here instead of {self.current}")
        return self.next()

    def expect_end(self) -> Token:
        if self.current.kind != "end":
            self.fail(f"the tag should end here instead of {self.current}")
        return self.current

    def fail(self, message: str) -> NoReturn:
        raise Fault(self.current.start, self.current.end, message)

    # --- Targets of assignments ----------------------------------------------------------------

    def target(self, *ends: str, with_namespace: bool = False) -> list[str]:
        """The names that a target binds. One of a namespace binds none, but is looked up."""
        if self.current.kind == "end" or self.is_at(")", *ends):
            self.fail(f"a name is expected here instead of {self.current}")
        names = self._one_target(with_namespace)
        while self.skip(",") and not (self.current.kind == "end" or self.is_at(")", *ends)):
            names += self._one_target(with_namespace)
        return names

    def _one_target(self, with_namespace: bool) -> list[str]:
        if self.skip("("):
            inner = self.target() if not self.is_at(")") else []
            self.expect(")")
            return inner
        if self.current.kind != "name" or self.current.text in CONSTANTS:
            self.fail(f"nothing can be assigned to {self.current}")
        name = self.next().text
        if with_namespace and self.skip("."):
            self.expect_name()
            self.loads.append(name)
            return []
        return [name]

    def name_only(self) -> str:
        """A name that is bound."""
        token = self.expect_name()
        if token.text in CONSTANTS:
            raise Fault(token.start, token.end, f"nothing can be assigned to {token}")
        return token.text

    # --- Expressions ---------------------------------------------------------------------------

    def expressions(
        self, *ends: str, with_condition: bool = True, in_brackets: bool = False
    ) -> Expression:
        """An expression, or several with commas between them."""
        if self.following.kind == "end" and self.current.kind == "name" and not self.is_at("not"):
            # The commonest tags by far name one thing.
            return self._primary()
        items: list[Expression] = []
        has_comma = False
        first = self._at
        while True:
            if items:
                self.expect(",")
            if self.current.kind == "end" or self.is_at(")", *ends):
                break
            items.append(self.expression(with_condition))
            if not self.is_at(","):
                break
            has_comma = True
        if len(items) == 1 and not has_comma:
            return items[0]
        if not items and not in_brackets:
            self.fail(f"an expression is expected here instead of {self.current}")
        return self._sequence(items, first, "tuple")

    def expression(self, with_condition: bool = True) -> Expression:
        self._depth += 1
        if self._depth > 100:
            self.fail("this is nested too deeply to be read")
        expression = self._or() if not with_condition else self._conditional()
        self._depth -= 1
        return expression

    def _conditional(self) -> Expression:
        first = self._at
        expression = self._or()
        while self.skip("if"):
            self._or()
            if self.skip("else"):
                self.expression()
            expression = self._opaque(first)
        return expression

    def _or(self) -> Expression:
        return self._joined("or", self._and, Some)

    def _and(self) -> Expression:
        return self._joined("and", self._not, All)

    def _joined(
        self, word: str, part: Callable[[], Expression], kind: type[All] | type[Some]
    ) -> Expression:
        first = self._at
        parts = [part()]
        while self.skip(word):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        if len(parts) > _MOST_PARTS:
            return self._opaque(first)
        conditions = tuple(map(condition_of, parts))
        return Expression(condition=kind(conditions))

    def _not(self) -> Expression:
        negations = 0
        while self.skip("not"):
            negations += 1
        expression = self._comparison()
        if not negations:
            return expression
        condition = condition_of(expression)
        return Expression(condition=Not(condition) if negations % 2 else Not(Not(condition)))

    def _comparison(self) -> Expression:
        first = self._at
        left = self._binary(0)
        compared: list[tuple[str, Expression]] = []
        while True:
            if self.current.text in _COMPARISONS and self.current.kind == "operator":
                word = self.next().text
            elif self.skip("in"):
                word = "in"
            elif self.is_at("not") and self.following.text == "in":
                self.next()
                self.next()
                word = "not in"
            else:
                break
            compared.append((word, self._binary(0)))
        if not compared:
            return left
        condition = _compared(left, *compared[0]) if len(compared) == 1 else None
        return Expression(condition=condition) if condition is not None else self._opaque(first)

    _LEVELS = (("+", "-"), ("~",), ("*", "/", "//", "%"), ("**",))

    def _binary(self, level: int) -> Expression:
        if level == len(self._LEVELS):
            return self._unary()
        first = self._at
        expression = self._binary(level + 1)
        while self.current.kind == "operator" and self.current.text in self._LEVELS[level]:
            word = self.next().text
            right = self._binary(level + 1)
            expression = self._opaque(first, _joined_text(word, expression, right))
        return expression

    def _unary(self) -> Expression:
        first = self._at
        signs = 0
        while self.is_at("-", "+"):
            self.next()
            signs += 1
        expression = self._postfix(self._primary(), first)
        return self._filtered(self._opaque(first) if signs else expression, first)

    def _primary(self) -> Expression:
        token = self.current
        if token.kind == "name":
            self.next()
            if token.text in CONSTANTS:
                return Expression(constant=Constant(CONSTANTS[token.text]))
            self.loads.append(token.text)
            return Expression("name", (self._place(token.text),))
        if token.kind == "string":
            parts = []
            while self.current.kind == "string":
                parts.append(_string(self.next()))
            return Expression(constant=Constant("".join(parts)))
        if token.kind in ("integer", "float"):
            self.next()
            return Expression(constant=Constant(_number(token)))
        if self.skip("("):
            expression = self.expressions(in_brackets=True)
            self.expect(")")
            return expression
        if self.is_at("["):
            return self._list()
        if self.is_at("{"):
            return self._mapping()
        self.fail(f"an expression is expected here instead of {token}")

    def _list(self) -> Expression:
        first = self._at
        self.expect("[")
        items: list[Expression] = []
        while not self.is_at("]"):
            if items:
                self.expect(",")
            if self.is_at("]"):
                break
            items.append(self.expression())
        self.expect("]")
        return self._sequence(items, first)

    def _mapping(self) -> Expression:
        first = self._at
        self.expect("{")
        is_first = True
        while not self.is_at("}"):
            if not is_first:
                self.expect(",")
            if self.is_at("}"):
                break
            self.expression()
            self.expect(":")
            self.expression()
            is_first = False
        self.expect("}")
        return self._opaque(first)

    def _postfix(self, expression: Expression, first: int) -> Expression:
        while True:
            if self.skip("."):
                expression = self._attribute(expression, first)
            elif self.is_at("["):
                expression = self._subscript(expression, first)
            elif self.is_at("("):
                expression = self._call(expression, first)
            else:
                return expression

    def _attribute(self, expression: Expression, first: int) -> Expression:
        token = self.current
        if token.kind not in ("name", "integer"):
            self.fail("a name or a number is expected here")
        self.next()
        if expression.subject and token.kind == "name":
            return Expression(subject=(*expression.subject, token.text))
        return self._opaque(first)

    def _subscript(self, expression: Expression, first: int) -> Expression:
        self.expect("[")
        is_first = True
        key: Expression | None = None
        while not self.is_at("]"):
            if not is_first:
                self.expect(",")
            key = self._slice() if is_first else None
            is_first = False
        self.expect("]")
        if expression.subject and key and key.constant and isinstance(key.constant.value, str):
            return Expression(subject=(*expression.subject, key.constant.value))
        return self._opaque(first)

    def _slice(self) -> Expression | None:
        expression = None if self.is_at(":") else self.expression()
        if not self.is_at(":"):
            return expression
        for _ in range(2):
            if self.skip(":") and not self.is_at(":", "]", ","):
                self.expression()
        return None

    def _call(self, expression: Expression, first: int) -> Expression:
        name = self._tokens[self._at - 1].text
        positional, named = self.arguments()
        call = Call(name, positional, named) if expression.kind == "name" else None
        return self._opaque(first)._replace(kind="call", call=call)

    def arguments(self) -> tuple[tuple[Constant | None, ...], dict[str, Constant | None]]:
        """The arguments of a call, in their brackets."""
        opening = self.expect("(")
        positional: list[Constant | None] = []
        by_name: dict[str, Constant | None] = {}
        is_first = True
        named = spread = spread_named = False
        while not self.is_at(")"):
            if not is_first:
                self.expect(",")
                if self.is_at(")"):
                    break
            is_first = False
            name = ""
            if self.skip("*"):
                is_right = not (spread or spread_named)
                spread = True
            elif self.skip("**"):
                is_right = not spread_named
                spread_named = True
            elif self.current.kind == "name" and self.following.text == "=":
                name = self.next().text
                self.next()
                is_right = not spread_named
                named = True
            else:
                is_right = not (named or spread or spread_named)
            if not is_right:
                raise Fault(opening.start, opening.end, "these arguments are in the wrong order")
            constant = self.expression().constant
            if name:
                by_name[name] = constant
            else:
                positional.append(constant)
        self.expect(")")
        return tuple(positional), by_name

    def _filtered(self, expression: Expression, first: int) -> Expression:
        while True:
            if self.is_at("|"):
                self.filters()
                expression = self._opaque(first)
            elif self.is_at("is"):
                expression = self._test(expression, first)
            elif self.is_at("("):
                expression = self._call(expression, first)
            else:
                return expression

    def filters(self, starts_with_name: bool = False) -> None:
        """Filters with their arguments, such as `| join(", ")`."""
        while starts_with_name or self.skip("|"):
            starts_with_name = False
            self._dotted_name()
            if self.is_at("("):
                self.arguments()

    def _dotted_name(self) -> str:
        name = self.expect_name().text
        while self.skip("."):
            name += "." + self.expect_name().text
        return name

    def _test(self, expression: Expression, first: int) -> Expression:
        self.expect("is")
        is_negated = self.skip("not")
        name = self._dotted_name()
        argument: Expression | None = None
        if self.is_at("("):
            before = self._at
            self.arguments()
            argument = self._opaque(before)
        elif self._begins_an_argument():
            if self.is_at("is"):
                self.fail("several tests cannot follow each other")
            start = self._at
            argument = self._postfix(self._primary(), start)
        condition = _tested(expression, name, argument)
        if condition is None:
            condition = Truth(self._text(first))
        return Expression(condition=Not(condition) if is_negated else condition)

    def _begins_an_argument(self) -> bool:
        token = self.current
        if token.kind == "name":
            return token.text not in ("else", "or", "and")
        return token.kind in ("string", "integer", "float") or self.is_at("[", "{")

    # --- What an expression is -------------------------------------------------------------------

    def _sequence(self, items: list[Expression], first: int, kind: str = "") -> Expression:
        constants = tuple(item.constant for item in items if item.constant)
        is_constant = len(constants) == len(items) <= _MOST_PARTS
        opaque = self._opaque(first)
        return opaque._replace(kind=kind, items=constants if is_constant else None)

    def _opaque(self, first: int, constant: Constant | None = None) -> Expression:
        """An expression of which only the text is known, from one token to the current one."""
        if constant:
            return Expression(constant=constant)
        return Expression(condition=Truth(self._text(first)))

    def _text(self, first: int) -> Subject:
        """An expression's text as what a condition asks for."""
        tokens = self._tokens[first : self._at]
        words = (self._place(t.text) if t.kind == "name" else t.text for t in tokens)
        return (" ".join(words),)


def condition_of(expression: Expression) -> Condition:
    """When an expression counts as true."""
    if expression.condition is not None:
        return expression.condition
    if expression.constant:
        return bool(expression.constant.value)
    return Truth(expression.subject or ())


def _compared(left: Expression, word: str, right: Expression) -> Condition | None:
    """A comparison of a path with constants; None for any other."""
    if word in ("==", "!="):
        if left.constant and right.subject:
            left, right = right, left
        if not (left.subject and right.constant):
            return None
        equal = Equals(left.subject, right.constant.value)
        return equal if word == "==" else Not(equal)
    if word in ("in", "not in") and left.subject and right.items:
        found = Some(tuple(Equals(left.subject, item.value) for item in right.items))
        return found if word == "in" else Not(found)
    return None


def _tested(expression: Expression, name: str, argument: Expression | None) -> Condition | None:
    """A test of a path that is worked out; None for any other."""
    if not expression.subject:
        return None
    if argument is None:
        constants = {"none": None, "true": True, "false": False}
        if name in constants:
            return Equals(expression.subject, constants[name])
        if name in ("defined", "undefined"):
            defined = Defined(expression.subject)
            return defined if name == "defined" else Not(defined)
    return None


def _joined_text(word: str, left: Expression, right: Expression) -> Constant | None:
    """Two constants with `~` between them."""
    if word != "~" or left.constant is None or right.constant is None:
        return None
    return Constant(f"{left.constant.value}{right.constant.value}")


def _string(token: Token) -> str:
    written = _LINE_END.sub("\n", token.text[1:-1])
    try:
        return _ESCAPE.sub(_unescaped, written)
    except (ValueError, KeyError):
        raise Fault(token.start, token.end, "this escape means nothing") from None


def _unescaped(escape: re.Match[str]) -> str:
    """What an escape stands for, as in Python. Raises ValueError or KeyError for a broken one."""
    if escape["octal"]:
        return chr(int(escape["octal"], 8))
    if escape["hex"]:
        return chr(int(escape["hex"][1:], 16))
    if escape["name"]:
        return lookup(escape["name"])
    if escape["other"] in "xuUN":
        raise ValueError
    return _ESCAPES.get(escape["other"], escape[0])


def _number(token: Token) -> object:
    """A number's value. Some thousand digits are more than Python turns into a number."""
    try:
        written = token.text.replace("_", "")
        return float(written) if token.kind == "float" else int(written, 0)
    except ValueError:
        raise Fault(token.start, token.end, "this is no number") from None

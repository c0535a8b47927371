"""Jinja's expressions: which names they look up, when they are true, and what is constant.

Parsed as Jinja2's parser does (jinja2/parser.py), errors included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...conditions import All, Not, Some, Subject, Truth
from ..blocks import Fault
from .cursor import Cursor
from .tokens import Token
from .values import (
    CONSTANTS,
    Call,
    Constant,
    Expression,
    compared,
    concatenated,
    condition_of,
    number_of,
    string_of,
    tested,
)

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
# Conditions of more parts than these are taken as a whole.
_MOST_PARTS = 16
# What is known of paths and texts longer than this, in tokens, is whether they are the same.
_MOST_WORDS = 64
_BASE, _PRIME = 1_000_003, (1 << 61) - 1


class Parser(Cursor):
    """Reads the expressions of one tag.

    `place` says which name a name stands for, so that a loop's item is another in another loop.
    """

    def __init__(self, tokens: Sequence[Token], place: Callable[[str], str]) -> None:
        super().__init__(tokens)
        self._place = place
        self._depth = 0
        self._hashes = [0]

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
        found: list[tuple[str, Expression]] = []
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
            found.append((word, self._binary(0)))
        if not found:
            return left
        condition = compared(left, *found[0]) if len(found) == 1 else None
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
            expression = self._opaque(first, concatenated(word, expression, right))
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
                parts.append(string_of(self.next()))
            return Expression(constant=Constant("".join(parts)))
        if token.kind in ("integer", "float"):
            self.next()
            return Expression(constant=Constant(number_of(token)))
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
        path = expression.subject
        if path and len(path) < _MOST_WORDS and token.kind == "name":
            return Expression(subject=(*path, token.text))
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
        path = expression.subject
        name = key.constant.value if key and key.constant else None
        if path and len(path) < _MOST_WORDS and isinstance(name, str):
            return Expression(subject=(*path, name))
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
        condition = tested(expression, name, argument)
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
        if self._at - first > _MOST_WORDS:
            return (f"#{self._digest(first)}",)
        return (" ".join(map(self._word, self._tokens[first : self._at])),)

    def _word(self, token: Token) -> str:
        return self._place(token.text) if token.kind == "name" else token.text

    def _digest(self, first: int) -> int:
        """A number for the text since a token: for equal texts the same, in the same file.

        It is a difference of two polynomial hashes of what stands before, so that a long sum isn't
        gone through again at each of its signs.
        """
        for token in self._tokens[len(self._hashes) - 1 : self._at]:
            self._hashes.append((self._hashes[-1] * _BASE + hash(self._word(token))) % _PRIME)
        before = self._hashes[first] * pow(_BASE, self._at - first, _PRIME)
        return (self._hashes[self._at] - before) % _PRIME

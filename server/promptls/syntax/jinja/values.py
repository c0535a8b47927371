"""What is known of Jinja's expressions: constants, paths, and when they are true."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import lookup

from ...conditions import Condition, Defined, Equals, Not, Some, Subject, Truth
from ..blocks import Fault
from .tokens import Token

CONSTANTS: dict[str, object] = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("none", "None")),
}
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


def condition_of(expression: Expression) -> Condition:
    """When an expression counts as true."""
    if expression.condition is not None:
        return expression.condition
    if expression.constant:
        return bool(expression.constant.value)
    return Truth(expression.subject or ())


def compared(left: Expression, word: str, right: Expression) -> Condition | None:
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


def tested(expression: Expression, name: str, argument: Expression | None) -> Condition | None:
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


def concatenated(word: str, left: Expression, right: Expression) -> Constant | None:
    """Two constants with `~` between them."""
    if word != "~" or left.constant is None or right.constant is None:
        return None
    return Constant(f"{left.constant.value}{right.constant.value}")


def string_of(token: Token) -> str:
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


def number_of(token: Token) -> object:
    """A number's value. Some thousand digits are more than Python turns into a number."""
    try:
        written = token.text.replace("_", "")
        return float(written) if token.kind == "float" else int(written, 0)
    except ValueError:
        raise Fault(token.start, token.end, "this is no number") from None

"""What the names of a Handlebars template are looked up in, and when its blocks are sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...conditions import All, Condition, Equals, Not, Some, Subject, Truth
from ..blocks import Blocks
from .tokens import Call, Expression, Path, Value

_MOST_PARTS = 16


class _Context(NamedTuple):
    """What names are looked up in, inside of a block."""

    subject: Subject
    is_item: bool
    """Whether that is an item's or an object's own value."""
    parameters: tuple[str, ...] = ()
    start: int = 0


class Names:
    """The blocks that are open, and what names mean in them."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self._contexts = [_Context((), False)]

    def uses(self, *expressions: Expression) -> tuple[str, ...]:
        """The inputs that expressions refer to, each once."""
        found = (name for expression in expressions for name in self._inputs(expression))
        return tuple(dict.fromkeys(found))

    def begin(self, call: Call, start: int, end: int, is_inverse: bool, is_own: bool) -> None:
        """Open a block. Raises `Fault` where there are too many."""
        name = call.head.text if isinstance(call.head, Path) else _text(call.head)
        if is_own:
            self.begin_other(name, start, end)
            return
        condition, context, is_loop, is_optional = self._block(name, call, start)
        condition = Not(condition) if is_inverse else condition
        self._open(name, start, end, condition, is_loop, is_optional, context)
        self.blocks.open[-1].detail = (is_inverse,)

    def begin_other(self, name: str, start: int, end: int) -> None:
        """Open a block that is sent whatever holds, as far as is known."""
        self._open(name, start, end, None, False, False, self._contexts[-1])
        self.blocks.open[-1].has_else = True

    def chain(self, call: Call, start: int, end: int) -> None:
        """Begin another option with its own condition, as `{{else if x}}` does."""
        name = call.head.text if isinstance(call.head, Path) else ""
        condition, context, _, _ = self._block(name, call, start)
        self.blocks.divide(self.blocks.open[-1], start, end, condition)
        self._contexts[-1] = context

    def divide(self, start: int, end: int, condition: Condition) -> None:
        """Begin the option that is sent if no other one is."""
        block = self.blocks.open[-1]
        block.has_else = True
        self.blocks.divide(block, start, end, condition)
        self._contexts[-1] = self._contexts[-2]

    def finish(self, start: int, end: int) -> None:
        self.blocks.finish(start, end)
        self._contexts.pop()

    def _open(
        self,
        name: str,
        start: int,
        end: int,
        condition: Condition | None,
        is_loop: bool,
        is_optional: bool,
        context: _Context,
    ) -> None:
        self.blocks.begin(name, start, end, condition, is_loop, is_optional)
        self._contexts.append(context)

    def _block(self, name: str, call: Call, start: int) -> tuple[Condition, _Context, bool, bool]:
        """When a block is sent, what is looked up in it, and if it is a loop or can be left out."""
        here = self._contexts[-1]._replace(parameters=(), start=start)
        first = call.arguments[0] if call.arguments else None
        if name in ("if", "unless") and first is not None:
            condition = self.condition_of(first)
            return (condition if name == "if" else Not(condition)), here, False, True
        if name in ("ifEquals", "unlessEquals") and len(call.arguments) == 2:
            condition = self._equal(*call.arguments)
            return (condition if name == "ifEquals" else Not(condition)), here, False, True
        if name == "each" and first is not None:
            item = _Context((f"each@{start}",), True, call.parameters, start)
            return self.condition_of(first), item, True, False
        if name == "with" and first is not None:
            subject = self._subject(first) or (f"with@{start}",)
            inner = _Context(subject, True, call.parameters, start)
            return self.condition_of(first), inner, False, True
        if first is None and not call.named and isinstance(call.head, Path):
            # What is something itself: an item, a list, or true, which leaves names what they are.
            inner = _Context(self._subject(call.head) or (), True, call.parameters, start)
            return self.condition_of(call.head), inner, False, True
        other = here._replace(parameters=call.parameters)
        return Truth((f"{_text(call)} at {start}",)), other, False, False

    # --- Conditions ------------------------------------------------------------------------------

    def condition_of(self, expression: Expression) -> Condition:
        """When an expression counts as true."""
        if isinstance(expression, Value):
            return bool(expression.value)
        if isinstance(expression, Call):
            return self._called(expression)
        return Truth(self._subject(expression) or (_text(expression),))

    def _called(self, call: Call) -> Condition:
        """The condition of the usual helpers; of any other one its text as a whole."""
        name = call.head.text if isinstance(call.head, Path) else ""
        if name in ("eq", "ne") and len(call.arguments) == 2:
            equal = self._equal(*call.arguments)
            return equal if name == "eq" else Not(equal)
        if name == "not" and len(call.arguments) == 1:
            return Not(self.condition_of(call.arguments[0]))
        if name in ("and", "or") and 0 < len(call.arguments) <= _MOST_PARTS:
            parts = tuple(map(self.condition_of, call.arguments))
            return All(parts) if name == "and" else Some(parts)
        return Truth((self._place(call),))

    def _equal(self, left: Expression, right: Expression) -> Condition:
        if isinstance(left, Value):
            left, right = right, left
        subject = self._subject(left)
        if subject and isinstance(right, Value):
            return Equals(subject, right.value)
        return Truth((f"{self._place(left)} = {self._place(right)}",))

    def _place(self, expression: Expression) -> str:
        """An expression's text, with what its names are looked up in."""
        if isinstance(expression, Path):
            return ".".join(self._subject(expression) or (expression.text,))
        if isinstance(expression, Value):
            return repr(expression.value)
        parts = [_text(expression.head), *map(self._place, expression.arguments)]
        parts += (f"{key}={self._place(value)}" for key, value in expression.named.items())
        return f"({' '.join(parts)})"

    def _subject(self, expression: Expression) -> Subject | None:
        if not isinstance(expression, Path):
            return None
        if expression.is_data:
            if expression.names[:1] == ("root",):
                return expression.names[1:] or ("@root",)
            loop = self._contexts[-1].start
            return (f"@{expression.names[0]}@{loop}" if loop else f"@{expression.names[0]}",)
        scope = self._bound(expression)
        if scope is not None:
            return (scope, *expression.names[1:])
        context = self._out(expression.levels)
        return (*context.subject, *expression.names) or ("this",)

    # --- Inputs ----------------------------------------------------------------------------------

    def _inputs(self, expression: Expression) -> Iterator[str]:
        if isinstance(expression, Call):
            for each in (*expression.arguments, *expression.named.values()):
                yield from self._inputs(each)
        elif isinstance(expression, Path) and expression.names:
            if expression.is_data:
                # Other data, such as `@index`, is Handlebars' own.
                yield from expression.names[1:2] if expression.names[0] == "root" else ()
            elif self._bound(expression) is None and not self._out(expression.levels).is_item:
                yield expression.names[0]

    def _bound(self, path: Path) -> str | None:
        """What a block's parameter stands for; None if the path begins with none."""
        if path.levels or path.is_own or not path.names:
            return None
        for context in reversed(self._contexts):
            if path.names[0] in context.parameters:
                return f"{path.names[0]}@{context.start}"
        return None

    def _out(self, levels: int) -> _Context:
        """The context so many steps further out; blocks that change nothing are no step."""
        distinct = [self._contexts[0]]
        for context in self._contexts[1:]:
            if context.subject != distinct[-1].subject:
                distinct.append(context)
        return distinct[max(len(distinct) - 1 - levels, 0)]


def _text(expression: Expression) -> str:
    """An expression as it could be written."""
    if isinstance(expression, Path):
        return expression.text
    if isinstance(expression, Value):
        return repr(expression.value)
    parts = [_text(expression.head), *map(_text, expression.arguments)]
    parts += (f"{key}={_text(value)}" for key, value in expression.named.items())
    return f"({' '.join(parts)})"

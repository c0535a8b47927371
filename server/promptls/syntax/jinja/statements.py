"""Jinja's statements: what they open and close, and which names they look up and bind.

Parsed as Jinja2's parser does (jinja2/parser.py). Of statements that extensions bring, the usual
ones are known; any other one counts as an extension's if it has an end of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..blocks import Block, Fault, never_closed
from .expressions import Parser
from .macros import Macro
from .state import State
from .values import Constant, condition_of

# What extensions that come with Jinja2 know (jinja2/ext.py), and Hugging Face's chat templates.
_EXTENSION_TAGS = frozenset(("do", "break", "continue", "debug", "pluralize"))
_EXTENSION_BLOCKS = frozenset(("trans", "generation"))

Effect = Callable[[int], None]
"""What a statement does to those that follow; it is given the end of its tag."""


class Statement(NamedTuple):
    """A statement that has been read, and whose tag's end is still to be read."""

    effect: Effect
    kind: str = "tag"
    """As of a `Tag`."""


def read(word: str, state: State, parser: Parser, start: int) -> Statement:
    """Read a statement whose name has been read. Raises `Fault`."""
    if word in _STATEMENTS:
        return _STATEMENTS[word](state, parser, start)
    if word.startswith("end"):
        return _end(word[3:], state, parser, start)
    if word in _EXTENSION_BLOCKS or word in state.ends:
        _skip_rest(parser)
        return Statement(lambda end: _opened(state.begin(word, start, end)))
    if word not in _EXTENSION_TAGS:
        token = parser.previous
        raise Fault(token.start, token.end, f"Jinja2 knows no statement {word}")
    _skip_rest(parser)
    return Statement(_nothing)


def _opened(block: Block) -> None:
    """Nothing more than that the block is open."""


def _nothing(end: int) -> None:
    """What most statements do to those that follow."""


def _skip_rest(parser: Parser) -> None:
    """Go over what an extension reads, noting its names."""
    while parser.current.kind != "end":
        token = parser.next()
        if token.kind == "name" and parser.current.text not in ("=", "(", "."):
            parser.loads.append(token.text)


# --- Branches and loops ------------------------------------------------------------------------


def _if(state: State, parser: Parser, start: int) -> Statement:
    condition = condition_of(parser.expressions(with_condition=False))
    parser.skip(":")

    def effect(end: int) -> None:
        state.begin("if", start, end, condition)
        state.frame.depth += 1

    return Statement(effect)


def _elif(state: State, parser: Parser, start: int) -> Statement:
    block = _innermost(state, parser, "if")
    condition = condition_of(parser.expressions(with_condition=False))
    parser.skip(":")
    return Statement(lambda end: state.blocks.divide(block, start, end, condition))


def _else(state: State, parser: Parser, start: int) -> Statement:
    block = _innermost(state, parser, "if", "for")
    parser.skip(":")

    def effect(end: int) -> None:
        block.has_else = True
        state.blocks.divide(block, start, end, True)
        if block.name == "for":
            state.leave()
            state.enter((), start)

    return Statement(effect)


def _innermost(state: State, parser: Parser, *names: str) -> Block:
    """The innermost block, if it can go on with another option. Raises `Fault`."""
    token = parser.previous
    block = state.blocks.open[-1] if state.blocks.open else None
    if block and block.name in names and not block.has_else:
        return block
    if block and any(each.name in names and not each.has_else for each in state.blocks.open):
        raise Fault(*never_closed(block))
    message = f"{token} belongs to no {' and no '.join(names)} here"
    raise Fault(token.start, token.end, message, "unopened")


def _for(state: State, parser: Parser, start: int) -> Statement:
    targets = parser.target("in")
    parser.expect("in")
    iterable = parser.expressions("recursive", with_condition=False)
    outer = list(parser.loads)
    if parser.skip("if"):
        # The items' names are known in the condition that chooses among them.
        state.load(outer)
        state.enter(targets, start)
        del parser.loads[:]
        parser.expression()
        state.load(parser.loads)
        state.leave()
        del parser.loads[:]
    parser.skip("recursive")
    parser.skip(":")

    def effect(end: int) -> None:
        state.begin("for", start, end, condition_of(iterable))
        state.enter((*targets, "loop"), start)

    return Statement(effect)


# --- Blocks with names of their own --------------------------------------------------------------


def _macro(state: State, parser: Parser, start: int) -> Statement:
    name = parser.name_only()
    defaults = _signature(parser)
    parser.skip(":")
    loads, first_tag = list(parser.loads), state.tag_count
    del parser.loads[:]

    def effect(end: int) -> None:
        state.store((name,), start)
        block = state.begin("macro", start, end)
        block.detail = (name, defaults, first_tag)
        state.enter((*defaults, "caller", "kwargs", "varargs"), start)
        state.load(loads, first_tag)

    return Statement(effect)


def _signature(parser: Parser) -> dict[str, Constant | None]:
    """The parameters, with what they are by default."""
    parameters: dict[str, Constant | None] = {}
    has_default = False
    parser.expect("(")
    while not parser.is_at(")"):
        if parameters:
            parser.expect(",")
        name = parser.name_only()
        parameters[name] = None
        if parser.skip("="):
            has_default = True
            parameters[name] = parser.expression().constant
        elif has_default:
            parser.fail("a parameter without a default follows one with a default")
    parser.expect(")")
    return parameters


def _call(state: State, parser: Parser, start: int) -> Statement:
    parameters = _signature(parser) if parser.is_at("(") else {}
    expression = parser.expression()
    if expression.kind != "call":
        parser.fail("a call is expected here")
    parser.skip(":")
    return _framed("call", state, start, (*parameters, "caller", "kwargs", "varargs"))


def _framed(
    name: str, state: State, start: int, parameters: Iterable[str] = (), is_apart: bool = False
) -> Statement:
    def effect(end: int) -> None:
        state.begin(name, start, end)
        state.enter(parameters, start, is_apart)

    return Statement(effect)


def _filter(state: State, parser: Parser, start: int) -> Statement:
    parser.filters(starts_with_name=True)
    parser.skip(":")
    return _framed("filter", state, start)


def _autoescape(state: State, parser: Parser, start: int) -> Statement:
    parser.expression()
    parser.skip(":")
    return _framed("autoescape", state, start)


def _with(state: State, parser: Parser, start: int) -> Statement:
    names: list[str] = []
    is_first = True
    while parser.current.kind != "end":
        if not is_first:
            parser.expect(",")
        is_first = False
        names += parser.target()
        parser.expect("=")
        parser.expression()
    return _framed("with", state, start, names)


def _block(state: State, parser: Parser, start: int) -> Statement:
    name = parser.expect_name().text
    parser.skip("scoped")
    is_required = parser.skip("required")
    parser.skip(":")

    def effect(end: int) -> None:
        block = state.begin("block", start, end)
        block.detail = (name, is_required, state.tag_count)
        state.enter(("self", "super"), start, is_apart=True)

    return Statement(effect)


# --- Names, and other templates ------------------------------------------------------------------


def _set(state: State, parser: Parser, start: int) -> Statement:
    names = parser.target(with_namespace=True)
    if parser.skip("="):
        parser.expressions()
        return Statement(lambda end: state.store(names, start))
    parser.filters()
    parser.skip(":")

    def effect(end: int) -> None:
        state.store(names, start)
        state.begin("set", start, end)
        state.enter((), start)

    return Statement(effect)


def _print(state: State, parser: Parser, start: int) -> Statement:
    is_first = True
    while parser.current.kind != "end":
        if not is_first:
            parser.expect(",")
        is_first = False
        parser.expression()
    return Statement(_nothing, "variable")


def _include(state: State, parser: Parser, start: int) -> Statement:
    parser.expression()
    if parser.is_at("ignore") and parser.following.text == "missing":
        parser.next()
        parser.next()
    _skip_context(parser)
    return Statement(_nothing, "partial")


def _extends(state: State, parser: Parser, start: int) -> Statement:
    parser.expression()
    return Statement(_nothing, "partial")


def _import(state: State, parser: Parser, start: int) -> Statement:
    parser.expression()
    parser.expect("as")
    name = parser.name_only()
    _skip_context(parser)
    return Statement(lambda end: state.store((name,), start))


def _from(state: State, parser: Parser, start: int) -> Statement:
    parser.expression()
    parser.expect("import")
    names: list[str] = []
    while True:
        if names:
            parser.expect(",")
        if parser.current.kind != "name":
            parser.expect_name()
        if _skip_context(parser):
            break
        name = parser.name_only()
        if name.startswith("_"):
            parser.fail("a name that begins with an underscore cannot be imported")
        names.append(parser.name_only() if parser.skip("as") else name)
        if _skip_context(parser) or not parser.is_at(","):
            break
    return Statement(lambda end: state.store(names, start))


def _skip_context(parser: Parser) -> bool:
    is_there = parser.is_at("with", "without") and parser.following.text == "context"
    if is_there:
        parser.next()
        parser.next()
    return is_there


# --- Ends ----------------------------------------------------------------------------------------


def _end(name: str, state: State, parser: Parser, start: int) -> Statement:
    state.blocks.expect(name, start, parser.previous.end)
    open_ = state.blocks.open
    # What could not be read as a block of Jinja's has no details.
    if name == "block" and open_[-1].detail:
        parser.skip(str(open_[-1].detail[0]))
        _check_required(open_[-1], state, start)

    def effect(end: int) -> None:
        block = state.finish(start, end)
        if name == "macro" and block.detail:
            macro, defaults, first_tag = block.detail
            parameters = tuple(defaults)
            last_tag = state.tag_count - 1
            found = Macro(block.end, start, parameters, defaults, first_tag, last_tag)
            state.macros.define(macro, found)

    return Statement(effect)


def _check_required(block: Block, state: State, start: int) -> None:
    _, is_required, _ = block.detail
    if is_required and state.text[block.end : start].strip():
        raise Fault(block.start, block.end, "a block that is required has no content of its own")


_STATEMENTS: dict[str, Callable[[State, Parser, int], Statement]] = {
    "if": _if,
    "elif": _elif,
    "else": _else,
    "for": _for,
    "macro": _macro,
    "call": _call,
    "filter": _filter,
    "autoescape": _autoescape,
    "with": _with,
    "block": _block,
    "set": _set,
    "print": _print,
    "include": _include,
    "extends": _extends,
    "import": _import,
    "from": _from,
}

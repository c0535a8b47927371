"""Reads Jinja's tags one after the other, and what their values send."""

from __future__ import annotations

import re

from ...prompt import Problem
from ..blocks import Fault, left_open
from ..templates import Tag, Template
from .expressions import Parser
from .loose import CASES, loose_names, read_loosely
from .state import State
from .statements import read
from .tokens import tokens
from .values import CONSTANTS

_CLOSERS = {"{{": "}}", "{%": "%}"}
# The commonest tag by far, for which the parser would come to the same.
_PATH = re.compile(
    r"\s*(?!not\b)(?P<path>(?P<root>[A-Za-z_][A-Za-z_0-9]*)(?:\.[A-Za-z_][A-Za-z_0-9]*)*)\s*"
    r"(?P<sign>-?)\}\}"
)
_EDGE = re.compile(r"\{[{%#]|[%}]\}")


class Reader:
    """Reads the tags of one template in their order.

    One that is not strict reads what Jinja2 would refuse as well as it can: a related language.
    """

    def __init__(self, text: str, is_strict: bool) -> None:
        self._text = text
        self._is_strict = is_strict
        self._state = State(text)
        self._tags: list[Tag] = []

    def add(self, tag: Tag) -> None:
        """Note a tag that looks nothing up."""
        self._tags.append(tag)
        self._state.tag_count += 1

    def template(self, fault: Fault | None = None) -> Template:
        """All that has been read, up to a fault or to the text's end."""
        state, tags = self._state, list(self._tags)
        uses: dict[int, list[str]] = {}
        for number, frame, names in state.uses:
            found = uses.setdefault(number, [])
            found += (name for name in names if frame.is_from_outside(name))
        for number, found in uses.items():
            if number < len(tags):
                tag = tags[number]._replace(uses=tuple(dict.fromkeys(found)))
                is_local = tag.kind == "variable" and not found
                tags[number] = tag._replace(kind="local") if is_local else tag
        tags, removed, calls = state.macros.applied(tags)
        problems: list[Problem] = [fault.problem] if fault else state.blocks.left_open()
        branches, loops = state.blocks.branches, state.blocks.loops
        return Template(tags, removed, problems, branches, loops, ("macro call",) * calls)

    def output(self, start: int, at: int, trims_left: bool) -> int:
        """Read a tag that sends a value; where it ends. Raises `Fault`."""
        path = _PATH.match(self._text, at)
        if path and path["root"] not in CONSTANTS:
            trims_right = path["sign"] == "-"
            self._state.load((path["root"],))
            self.add(Tag(start, path.end(), "variable", path["path"], (), trims_left, trims_right))
            return path.end()
        try:
            parser = self._parser(at, "{{")
            expression = parser.expressions()
            end = parser.expect_end()
        except Fault as fault:
            return self._recovered(fault, start, at, "{{", trims_left)
        name = self._text[at : end.start].strip()
        tag = Tag(start, end.end, "variable", name, (), trims_left, end.text[0] == "-")
        if expression.constant:
            tag = tag._replace(kind="tag", name="", text=str(expression.constant.value))
        if expression.call:
            self._state.macros.call(self._state.tag_count, expression.call)
        self._state.load(parser.loads)
        self.add(tag)
        return end.end

    def statement(self, start: int, at: int, trims_left: bool) -> int:
        """Read a tag that is a statement; where it ends. Raises `Fault`."""
        try:
            parser = self._parser(at, "{%")
            word = parser.expect_name().text
            if not self._is_strict and (word in ("unless", *CASES) or self._is_case(word)):
                parser.fail("Jinja2 has no such condition")
            effect, kind = read(word, self._state, parser, start)
            end = parser.expect_end()
        except Fault as fault:
            return self._recovered(fault, start, at, "{%", trims_left)
        self._state.load(parser.loads)
        self.add(Tag(start, end.end, kind, "", (), trims_left, end.text[0] == "-"))
        effect(end.end)
        return end.end

    def _is_case(self, word: str) -> bool:
        """Whether a statement begins a case of the innermost block."""
        open_ = self._state.blocks.open
        return bool(open_) and word in CASES.get(open_[-1].name, ())

    def _parser(self, at: int, opener: str) -> Parser:
        return Parser(tokens(self._text, at, _CLOSERS[opener]), self._state.place)

    def _recovered(self, fault: Fault, start: int, at: int, opener: str, trims_left: bool) -> int:
        """Go on after what cannot be read, if that is allowed. Raises `Fault` otherwise."""
        closer = _CLOSERS[opener]
        edge = _EDGE.search(self._text, at)
        if edge is None or edge.group() in ("{{", "{%", "{#"):
            raise Fault(*left_open(start, start + len(opener), opener, closer)) from None
        end = self._text.find(closer, at)
        if self._is_strict or fault.problem.start <= start or end < 0:
            raise fault
        inside = self._text[at:end]
        trims_right = inside.endswith("-")
        stop = end + len(closer)
        if opener == "{{":
            self._state.load(loose_names(inside))
            self.add(Tag(start, stop, "variable", inside.strip(), (), trims_left, trims_right))
            return stop
        effect = read_loosely(inside, self._state, start)
        self.add(Tag(start, stop, "tag", "", (), trims_left, trims_right))
        effect(stop)
        return stop

"""Handlebars templates: `{{value}}`, `{{#block}}`, `{{>partial}}`, `{{! comment}}`, `{{~ ~}}`.

Read as Handlebars.js 4 does (its `handlebars.l`, `handlebars.yy` and `whitespace-control.js`):
a block's tag, a comment or a partial alone on its line takes the line away, `~` takes all
whitespace, `\\{{` is text, and what follows a tag that can't be read is text.
"""

from __future__ import annotations

import re

from ...prompt import Problem
from ...text import Edit
from ..blocks import Fault, left_open
from ..templates import Tag, Template
from .names import Names
from .tokens import Call, Parser, Path, Value

_OPENER = re.compile(
    r"\{\{(?P<left>~?)(?:(?P<comment>!)|(?P<inverse>(?:\^|\s*else)\s*(?P<right>~?)\}\})"
    r"|(?P<chain>\s*else\b)|(?P<mark>\#>|\#\*?|>|/|\^|&|\*|\{)?)"
)
_LONG_COMMENT_END = re.compile(r"--(?P<right>~?)\}\}")
_COMMENT_END = re.compile(r"(?P<right>~?)\}\}")
_RAW_END = re.compile(r"\{\{\{\{/(?P<name>[^\s{}]+)\}\}\}\}")
_EDGE = re.compile(r"\{\{|\}\}")


def scan(text: str) -> Template:
    """The tags of a Handlebars template, up to the first that Handlebars can't read."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._names = Names()
        self._tags: list[Tag] = []
        self._escapes: list[Edit] = []

    def run(self) -> Template:
        at = 0
        problems: list[Problem] = []
        while not problems and (start := self._text.find("{{", at)) >= 0:
            try:
                at = self._take(at, start)
            except Fault as fault:
                problems.append(fault.problem)
        blocks = self._names.blocks
        problems = problems or blocks.left_open()
        return Template(self._tags, self._escapes, problems, blocks.branches, blocks.loops)

    def _take(self, content_start: int, start: int) -> int:
        """Read the tag at `start`; where to go on."""
        backslashes = self._text[max(content_start, start - 2) : start]
        if backslashes.endswith("\\"):
            self._escapes.append(Edit(start - 1, start))
            if backslashes != "\\\\":
                return start + 2
        if self._text.startswith("{{{{", start):
            return self._raw_block(start)
        opener = _OPENER.match(self._text, start)
        assert opener is not None
        if opener["comment"]:
            return self._comment(opener)
        try:
            return self._tag(opener)
        except Fault as fault:
            raise self._named(opener, fault) from None

    def _comment(self, opener: re.Match[str]) -> int:
        start, is_long = opener.start(), self._text.startswith("--", opener.end())
        pattern, ending = (_LONG_COMMENT_END, "--}}") if is_long else (_COMMENT_END, "}}")
        end = pattern.search(self._text, opener.end())
        if end is None:
            said = self._text[start : opener.end() + 2 * is_long]
            raise Fault(*left_open(start, start + len(said), said, ending))
        trims = opener["left"] == "~", end["right"] == "~"
        self._tags.append(Tag(start, end.end(), "comment", "", (), *trims, stands_alone=True))
        return end.end()

    def _raw_block(self, start: int) -> int:
        parser = Parser(self._text, start + 4)
        call = parser.tag()
        stop = parser.current.start + 4
        if self._text[stop - 4 : stop] != "}}}}":
            raise Fault(*left_open(start, start + 4, "{{{{", "}}}}"))
        name = call.head.text if isinstance(call.head, Path) else ""
        closer = "{{{{/" + name + "}}}}"
        end = self._text.find(closer, stop)
        if end < 0:
            raise Fault(*left_open(start, stop, f"the block {name}", closer))
        uses = self._names.uses(*call.arguments, *call.named.values())
        self._tags.append(Tag(start, stop, "tag", "", uses))
        self._tags.append(Tag(end, end + len(closer), "tag"))
        return end + len(closer)

    def _tag(self, opener: re.Match[str]) -> int:
        start, mark = opener.start(), opener["mark"] or ""
        is_block = mark in ("#", "#*", "^")
        alone = Tag(start, start, "tag", stands_alone=True, trims_left=opener["left"] == "~")
        if opener["inverse"]:
            self._expect_block(opener)
            tag = alone._replace(end=opener.end(), trims_right=opener["right"] == "~")
            self._names.divide(start, tag.end, True)
            self._tags.append(tag)
            return tag.end
        parser = Parser(self._text, opener.end())
        if mark == "/":
            name = parser.name()
            self._names.blocks.expect(name, start, parser.current.end)
            tag = self._finished(alone, parser)
            self._names.finish(start, tag.end)
        else:
            call = parser.tag(has_parameters=is_block or bool(opener["chain"]))
            if mark != ">" and mark != "#>" and isinstance(call.head, Call):
                raise Fault(opener.end(), parser.current.end, "a helper's name is expected here")
            tag = self._finished(alone, parser, is_triple=mark == "{")
            tag = self._classified(tag, call, opener)
        self._tags.append(tag)
        return tag.end

    def _finished(self, tag: Tag, parser: Parser, is_triple: bool = False) -> Tag:
        """The tag with its end, which is the parser's current token."""
        token = parser.current
        is_longer = token.text.startswith("}}}") or token.text == "}~}}"
        if token.kind != "close" or is_longer != is_triple:
            parser.fail()
        return tag._replace(end=token.end, trims_right="~" in token.text)

    def _classified(self, tag: Tag, call: Call, opener: re.Match[str]) -> Tag:
        mark = opener["mark"] or ""
        given = (*call.arguments, *call.named.values())
        if opener["chain"]:
            self._expect_block(opener)
            tag = tag._replace(uses=self._names.uses(*given))
            self._names.chain(call, tag.start, tag.end)
            return tag
        if mark in (">", "#>"):
            head = () if isinstance(call.head, Path) else (call.head,)
            tag = tag._replace(kind="partial", uses=self._names.uses(*head, *given))
            if mark == "#>":
                self._names.begin_other(_name(call), tag.start, tag.end)
            return tag
        if mark in ("#", "^", "#*"):
            tag = tag._replace(uses=self._names.uses(*(given or (call.head,))))
            self._names.begin(call, tag.start, tag.end, is_inverse=mark == "^", is_own=mark == "#*")
            return tag
        tag = tag._replace(stands_alone=False)
        if mark == "*":
            return tag._replace(uses=self._names.uses(*given))
        if given:
            return tag._replace(kind="local", name=_name(call), uses=self._names.uses(*given))
        uses = self._names.uses(call.head)
        return tag._replace(kind="variable" if uses else "local", name=_name(call), uses=uses)

    def _expect_block(self, opener: re.Match[str]) -> None:
        """Raise `Fault` where no block can go on with another option."""
        open_ = self._names.blocks.open
        is_chain = bool(opener["chain"])
        if not open_ or open_[-1].has_else or (is_chain and open_[-1].detail == (True,)):
            raise Fault(*opener.span(), "this else belongs to no block here", "unopened")

    def _named(self, opener: re.Match[str], fault: Fault) -> Fault:
        """The fault, or that the tag has no end if another one begins before that."""
        edge = _EDGE.search(self._text, opener.end())
        if fault.problem.kind != "syntax" or (edge and edge.group() == "}}"):
            return fault
        start, end = opener.span()
        if opener["mark"] in ("#", "#>", "#*", "^"):
            word = re.compile(r"\s*([^\s{}]{0,100})").match(self._text, end)
            name = word[1] if word else ""
            message = f"the block {name} is never closed: its tag has no }}}}"
            return Fault(start, end, message, "unclosed")
        ending = "}}}" if opener["mark"] == "{" else "}}"
        return Fault(*left_open(start, end, opener.group().strip(), ending))


def _name(call: Call) -> str:
    head = call.head
    if isinstance(head, Path):
        return head.text
    return str(head.value) if isinstance(head, Value) else ""

"""Handlebars templates: `{{value}}`, `{{#block}}`, `{{>partial}}`, `{{! comment}}`, `{{~ ~}}`.

Read as Handlebars.js 4 does (its `handlebars.l` and `whitespace-control.js`): a block's tag, a
comment or a partial alone on its line takes the line away, `~` takes all whitespace, and `\\{{` is
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..prompt import Edit, Problem, Prompt, Span, passage
from . import Format
from .templates import Blocks, Reach, Tag, Template, render

_INSIDE = re.compile(
    r"""'[^'\\]*(?:\\.[^'\\]*)*'? | "[^"\\]*(?:\\.[^"\\]*)*"? | \[[^\]\\]*(?:\\.[^\]\\]*)*\]?
    | (?P<close>\}?~?\}\})""",
    re.VERBOSE | re.DOTALL,
)
_OPENER = re.compile(r"\{\{~?\{?")
_LONG_COMMENT = re.compile(r"\{\{~?!--")
_LONG_COMMENT_END = re.compile(r"--(~?)\}\}")
_COMMENT_END = re.compile(r"~?\}\}")
_RAW_BLOCK = re.compile(r"\{\{\{\{\s*(?P<name>[^\s{}]+)[^{}]*\}\}\}\}")
_WORD = re.compile(r""""[^"]*"|'[^']*'|\|[^|]*\||[^\s()"'|]+""")
_NO_NAMES = frozenset(("true", "false", "null", "undefined", "this", "as"))
_SIGILS = "#/^>!&*"


def parse(text: str) -> Prompt:
    rendering = render(passage(text, 0, len(text)), scan(text))
    return Prompt(
        "handlebars",
        (rendering.message(None),),
        placeholders=rendering.placeholders,
        problems=rendering.problems,
    )


def scan(text: str) -> Template:
    """The tags of a Handlebars template."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._reach = Reach(text)
        self._blocks = Blocks()
        self._tags: list[Tag] = []
        self._escapes: list[Edit] = []
        self._problems: list[Problem] = []
        self._bound: set[str] = set()

    def run(self) -> Template:
        at = 0
        while (start := self._text.find("{{", at)) >= 0:
            at = self._take(at, start)
        problems = sorted(self._problems + self._blocks.close_all())
        return Template(self._tags, self._escapes, problems)

    def _take(self, content_start: int, start: int) -> int:
        """Read the tag at `start`; where to go on."""
        backslashes = self._text[max(content_start, start - 2) : start]
        if backslashes.endswith("\\"):
            self._escapes.append(Edit(start - 1, start))
            if backslashes != "\\\\":
                return start + 2
        found = self._tag(start)
        if isinstance(found, Problem):
            self._problems.append(found)
            return start + 2
        self._tags += found
        return found[-1].end

    def _tag(self, start: int) -> list[Tag] | Problem:
        if raw := _RAW_BLOCK.match(self._text, start):
            return self._raw_block(raw)
        if comment := _LONG_COMMENT.match(self._text, start):
            return self._long_comment(comment)
        opener = _OPENER.match(self._text, start)
        close = opener and self._find_end(opener)
        if opener is None or close is None:
            return self._reach.unclosed(start, "{{", "}}")
        inside = self._text[opener.end() : close.start].strip()
        tag = self._classify(start, close.end, inside, opener.group().count("{") == 3)
        trims_right = "~" in self._text[close.start : close.end]
        return [tag._replace(trims_left="~" in opener.group(), trims_right=trims_right)]

    def _find_end(self, opener: re.Match[str]) -> Span | None:
        at = opener.end()
        if self._text.startswith("!", at):
            end = self._reach.find(_COMMENT_END, at)
            return Span(*end.span()) if end else None
        if self._reach.is_short:
            short = self._reach.find_short(at, "}}")
            return Span(*short.span("close")) if short else None
        is_triple = opener.group().count("{") == 3
        while match := _INSIDE.search(self._text, at):
            if match["close"]:
                start, stop = match.span()
                # `}}}` ends `{{{`; of `{{x}}}` the last brace is text.
                is_longer = match["close"].startswith("}}}")
                return Span(start, stop - 1 if is_longer and not is_triple else stop)
            at = match.end()
        return None

    def _raw_block(self, opener: re.Match[str]) -> list[Tag] | Problem:
        closer = "{{{{/" + opener["name"] + "}}}}"
        end = self._reach.find(re.compile(re.escape(closer)), opener.end())
        if end is None:
            return self._reach.unclosed(opener.start(), "{{{{", closer)
        return [Tag(opener.start(), opener.end(), "tag"), Tag(end.start(), end.end(), "tag")]

    def _long_comment(self, opener: re.Match[str]) -> list[Tag] | Problem:
        close = self._reach.find(_LONG_COMMENT_END, opener.end())
        if close is None:
            return self._reach.unclosed(opener.start(), "{{!--", "--}}")
        trims = "~" in opener.group(), bool(close[1])
        return [Tag(opener.start(), close.end(), "comment", "", (), *trims, stands_alone=True)]

    def _classify(self, start: int, end: int, inside: str, is_triple: bool) -> Tag:
        sigil = inside[:1] if inside[:1] in _SIGILS and not is_triple else ""
        rest = inside[len(sigil) :].strip().lstrip("*>").strip()
        words = _WORD.findall(rest)
        first = words[0] if words else ""
        alone = Tag(start, end, "tag", "", (), stands_alone=True)
        if sigil == "!":
            return alone._replace(kind="comment")
        if sigil == "/":
            self._blocks.finish(first, start, end)
            return alone
        if sigil == ">":
            return alone._replace(uses=tuple(_roots(words[1:])))
        if first == "else" or (sigil == "^" and not first):
            return alone._replace(uses=tuple(_roots(words[2:])))
        if sigil in ("#", "^"):
            self._blocks.begin(first, start, end)
            self._bound.update(*(word[1:-1].split() for word in words if word[0] == "|"))
            has_arguments = len(words) > 1
            return alone._replace(uses=tuple(_roots(words[1:] if has_arguments else words)))
        return self._value(start, end, words, sigil)

    def _value(self, start: int, end: int, words: list[str], sigil: str) -> Tag:
        if not words or sigil == "*":
            return Tag(start, end, "tag", "", tuple(_roots(words[1:])))
        name = words[0]
        if len(words) > 1:
            return Tag(start, end, "local", name, tuple(_roots(words[1:])))
        uses = tuple(root for root in _roots(words) if root not in self._bound)
        inner = any(block in ("each", "with") for block, _, _ in self._blocks.open[-8:])
        kind = "variable" if uses and not inner and not name.startswith(".") else "local"
        return Tag(start, end, kind, name, uses)


def _roots(words: list[str]) -> Iterator[str]:
    """The first names of paths, each once; helpers' own names, literals and `@data` left out."""
    roots: dict[str, None] = {}
    for word in words:
        path = word.partition("=")[2] or word
        while path.startswith(("../", "./", "this.", "this/")):
            path = path.partition("/" if path[0] == "." else path[4])[2]
        root = re.split(r"[./]", path, maxsplit=1)[0].strip("[]")
        if root and root not in _NO_NAMES and root[0] not in "\"'@|" and not root[0].isdigit():
            roots[root] = None
    yield from roots


FORMAT = Format(
    name="handlebars",
    parse=parse,
    patterns=("*.hbs", "*.handlebars"),
    language_ids=("handlebars",),
)

"""Handlebars templates: `{{value}}`, `{{#block}}`, `{{>partial}}`, `{{! comment}}`, `{{~ ~}}`.

Read as Handlebars.js 4 does (its `handlebars.l` and `whitespace-control.js`): a block's tag, a
comment or a partial alone on its line takes the line away, `~` takes all whitespace, and `\\{{` is
text.
"""

from __future__ import annotations

import re

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
_RAW_BLOCK = re.compile(r"\{\{\{\{\s*(?P<name>[^\s{}]+)(?![^\s{}])[^{}]*\}\}\}\}")
_WORD = re.compile(r""""[^"]*"|'[^']*'|\(\s*[^\s()"'|]+|\|[^|]*\||[^\s()"'|]+""")
_WAY = re.compile(r"(?:(?:\.\./)+|\./|this[./]|@root\.)+")
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
            return alone._replace(kind="partial", uses=self._uses(words[1:]))
        if first == "else" or (sigil == "^" and not first):
            return alone._replace(uses=self._uses(words[2:]))
        if sigil in ("#", "^"):
            uses = self._uses(words[1:] if len(words) > 1 else words)
            self._blocks.begin(first, start, end)
            self._bound.update(*(word[1:-1].split() for word in words if word[0] == "|"))
            return alone._replace(uses=uses)
        if not words or sigil == "*":
            return alone._replace(uses=self._uses(words[1:]), stands_alone=False)
        if len(words) > 1:
            return Tag(start, end, "local", first, self._uses(words[1:]))
        uses = self._uses(words)
        return Tag(start, end, "variable" if uses else "local", first, uses)

    def _uses(self, words: list[str]) -> tuple[str, ...]:
        """The inputs that words refer to, each once.

        Inside `each` and `with` a name is the item's own unless the path leads out of it.
        """
        is_inner = self._blocks.is_open("each") or self._blocks.is_open("with")
        roots = (_root(word, is_inner) for word in words)
        return tuple(dict.fromkeys(root for root in roots if root and root not in self._bound))


def _root(word: str, is_inner: bool) -> str:
    """The first name of a path; "" for helpers, literals, `@data` and, if `is_inner`, an item's."""
    path = word.partition("=")[2] or word
    leads_out = path.startswith(("../", "@root."))
    path = _WAY.sub("", path)
    root = re.split(r"[./]", path, maxsplit=1)[0].strip("[]")
    if not root or root in _NO_NAMES or root[0] in "\"'@|(" or root[0].isdigit():
        return ""
    return root if leads_out or not is_inner else ""


FORMAT = Format(
    name="handlebars",
    parse=parse,
    patterns=("*.hbs", "*.handlebars"),
    language_ids=("handlebars",),
)

"""Jinja templates: `{{ value }}`, `{% statement %}`, `{# comment #}`, `{% raw %}`, `-` and `+`.

Read as Jinja2's lexer does with its defaults: every line end becomes a line feed, and one at the
template's end is not sent. A template whose first line is a role marker such as `system:` is
a chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..prompt import Edit, Problem, Prompt, Span, passage
from . import Format
from .roles import first_is_marker, split_by_roles
from .templates import Blocks, Reach, Tag, Template, line_feeds, render

# No expression is nested as deeply as that; a long run of open brackets is.
_DEEPEST = 50

_OPENER = re.compile(r"\{(?:\{|%|\#)(?P<sign>[-+]?)")
_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_RAW = re.compile(r"\{%[-+]?\s*raw\s*(?P<sign>-?)%\}")
_END_RAW = re.compile(r"\{%(?P<left>[-+]?)\s*endraw\s*(?P<right>[-+]?)%\}")
_COMMENT_END = re.compile(r"(?P<sign>[-+]?)\#\}")
_INSIDE = re.compile(
    r"""'[^'\\]*(?:\\.[^'\\]*)*'? | "[^"\\]*(?:\\.[^"\\]*)*"?
    | [(\[{] | [-+]?%\} | -?\}\} | [)\]}]""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(
    r"""(?P<skipped>'[^'\\]*(?:\\.[^'\\]*)*'? | "[^"\\]*(?:\\.[^"\\]*)*"?
    | [.|]\s*[^\W\d]\w* | \bis\s+(?:not\s+)?[^\W\d]\w* | [^\W\d]\w*(?=\s*=(?!=)))
    | (?P<name>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)
_PATH = re.compile(r"\s*(?P<path>[^\W\d]\w*(?:\.\w+)*)")
_NO_NAMES = frozenset(
    re.findall(
        r"\w+",
        "and or not in is if else true false none True False None loop self super caller varargs "
        "kwargs range dict lipsum cycler joiner namespace recursive ignore missing with without "
        "context as import",
    )
)
_BLOCKS = frozenset(
    ("for", "if", "macro", "call", "filter", "block", "with", "autoescape", "trans")
)
_STATEMENT = re.compile(r"\s*(?P<word>\w+)(?P<rest>.*)", re.DOTALL)
_PARTIAL = re.compile(r"\s*(?:include|extends)\b")
_IN = re.compile(r"\sin\s")
_NAME = re.compile(r"[^\W\d]\w*")
_ASSIGNED = re.compile(r"\b([^\W\d]\w*)\b(?=\s*(?:=(?!=)|,|$))")


def parse(text: str) -> Prompt:
    template = scan(text)
    edits = [*line_feeds(text), *_final_line_end(text)]
    rendering = render(passage(text, 0, len(text)), template, edits)
    is_chat = first_is_marker(rendering)
    if is_chat:
        messages, structure = split_by_roles(rendering)
    else:
        messages, structure = (rendering.message(None),), ()
    return Prompt(
        "jinja",
        messages,
        structure=structure,
        placeholders=rendering.placeholders,
        problems=rendering.problems,
        is_chat=is_chat,
    )


def _final_line_end(text: str) -> Iterator[Edit]:
    last = re.compile(r"(?:\r\n|\r|\n)\Z").search(text, max(len(text) - 2, 0))
    if last:
        yield Edit(last.start(), last.end())


def scan(text: str) -> Template:
    """The tags of a Jinja template."""
    tags: list[Tag] = []
    problems: list[Problem] = []
    blocks = Blocks()
    bound: set[str] = set()
    reach = Reach(text)
    at = 0
    while opener := _OPENER.search(text, at):
        found = _read_tag(text, opener, reach)
        if isinstance(found, Problem):
            problems.append(found)
            at = opener.end()
            continue
        if found[0].kind == "tag" and len(found) == 1:
            bound |= _open_or_close(text, found[0], blocks)
        tags += found
        at = found[-1].end
    problems += blocks.close_all()
    return Template([_with_locals(tag, bound) for tag in tags], [], sorted(problems))


def _read_tag(text: str, opener: re.Match[str], reach: Reach) -> list[Tag] | Problem:
    """The tag, or two of them around raw text, or why there is none."""
    start, kind = opener.start(), opener.group()[:2]
    trims_left = opener["sign"] == "-"
    if kind == "{#":
        end = reach.find(_COMMENT_END, start + 2)
        if end:
            return [Tag(start, end.end(), "comment", "", (), trims_left, end["sign"] == "-")]
        return reach.unclosed(start, kind, "#}")
    raw = _RAW.match(text, start) if kind == "{%" else None
    if raw:
        end = reach.find(_END_RAW, raw.end())
        if end is None:
            return reach.unclosed(start, "{% raw %}", "{% endraw %}")
        return [
            Tag(start, raw.end(), "tag", "", (), trims_left, raw["sign"] == "-"),
            Tag(end.start(), end.end(), "tag", "", (), end["left"] == "-", end["right"] == "-"),
        ]
    close = _find_end(text, opener.end(), _CLOSERS[kind], reach)
    if close is None:
        return reach.unclosed(start, kind, _CLOSERS[kind])
    trims_right = text[close.start] == "-"
    inside = text[opener.end() : close.start]
    if kind == "{%":
        uses = tuple(_names(_value_part(inside)))
        tag_kind = "partial" if _PARTIAL.match(inside) else "tag"
        return [Tag(start, close.end, tag_kind, "", uses, trims_left, trims_right)]
    path = _PATH.match(inside)
    name = path["path"] if path and path["path"] not in _NO_NAMES else ""
    uses = tuple(_names(inside))
    return [Tag(start, close.end, "variable", name, uses, trims_left, trims_right)]


def _find_end(text: str, at: int, closer: str, reach: Reach) -> Span | None:
    """The end of a tag, which stands outside strings and brackets."""
    if reach.is_short:
        short = reach.find_short(at, closer)
        return Span(*short.span("close")) if short else None
    depth = 0
    while depth <= _DEEPEST and (match := _INSIDE.search(text, at)):
        token = match.group()
        at = match.end()
        if token in ("(", "[", "{"):
            depth += 1
        elif depth == 0 and token.endswith(closer):
            return Span(*match.span())
        elif token[0] not in "'\"":
            depth = max(depth - 1, 0)
            at -= token.endswith("}}")
    return None


def _open_or_close(text: str, tag: Tag, blocks: Blocks) -> set[str]:
    """Note a block's begin or end; the names that the statement binds."""
    statement = _STATEMENT.match(text[tag.start + 2 : tag.end - 2].strip("-+"))
    if statement is None:
        return set()
    word, rest = statement["word"], statement["rest"]
    if word.startswith("end") and word[3:] in _BLOCKS:
        blocks.finish(word[3:], tag.start, tag.end)
    elif word in _BLOCKS:
        blocks.begin(word, tag.start, tag.end)
    return set(_bound_names(word, rest))


def _bound_names(word: str, rest: str) -> Iterator[str]:
    if word == "for":
        yield from _NAME.findall(_IN.split(rest, 1)[0])
    elif word in ("set", "with"):
        yield from _ASSIGNED.findall(rest)
    elif word in ("macro", "import", "from"):
        yield from _NAME.findall(rest)


def _value_part(statement: str) -> str:
    """The part of a statement that looks names up."""
    found = _STATEMENT.match(statement)
    if found is None:
        return ""
    word, rest = found["word"], found["rest"]
    if word == "for":
        return _IN.split(rest, 1)[-1]
    if word in ("if", "elif", "with", "call", "include"):
        return rest
    return rest.partition("=")[2] if word == "set" else ""


def _names(expression: str) -> Iterator[str]:
    """The names that an expression looks up, each once."""
    found = (match["name"] for match in _WORD.finditer(expression) if match["name"])
    yield from dict.fromkeys(name for name in found if name not in _NO_NAMES)


def _with_locals(tag: Tag, bound: set[str]) -> Tag:
    uses = tuple(name for name in tag.uses if name not in bound)
    kind = tag.kind
    if kind == "variable" and tag.uses and not uses:
        kind = "local"
    return tag._replace(uses=uses, kind=kind)


FORMAT = Format(
    name="jinja",
    parse=parse,
    patterns=("*.j2", "*.jinja", "*.jinja2"),
    language_ids=("jinja", "jinja-html", "jinja-md"),
)

"""Jinja's tags: `{{ value }}`, `{% statement %}`, `{# comment #}`, `{% raw %}`, `-` and `+`.

Read as Jinja2's lexer and parser do with their defaults; what follows a tag that can't be read is
text.
"""

from __future__ import annotations

import re

from ..blocks import Fault, left_open
from ..templates import Tag, Template
from .reader import Reader

_OPENER = re.compile(r"\{(?:\{|%|\#)(?P<sign>[-+]?)")
_RAW = re.compile(r"\{%[-+]?\s*raw\s*(?P<sign>-?)%\}")
_END_RAW = re.compile(r"\{%(?P<left>[-+]?)\s*endraw\s*(?P<right>[-+]?)%\}")
_COMMENT_END = re.compile(r"(?P<sign>[-+]?)\#\}")


def scan(text: str) -> Template:
    """The tags of a Jinja2 template, up to the first that Jinja2 can't read."""
    return _scan(text, is_strict=True)


def scan_related(text: str) -> Template:
    """The tags of a template in a language like Jinja's: Nunjucks, MiniJinja, Liquid.

    Only tags and blocks without an end are reported, since each has expressions of its own.
    """
    return _scan(text, is_strict=False)


def _scan(text: str, is_strict: bool) -> Template:
    reader = Reader(text, is_strict)
    at = 0
    while opener := _OPENER.search(text, at):
        try:
            at = _read_tag(text, opener, reader)
        except Fault as fault:
            return reader.template(fault)
    return reader.template()


def _read_tag(text: str, opener: re.Match[str], reader: Reader) -> int:
    """Read the tag, or two of them around raw text; where to go on."""
    start, kind = opener.start(), opener.group()[:2]
    trims_left = opener["sign"] == "-"
    if kind == "{#":
        end = _COMMENT_END.search(text, start + 2)
        if end is None:
            raise Fault(*left_open(start, start + 2, "{#", "#}"))
        reader.add(Tag(start, end.end(), "comment", "", (), trims_left, end["sign"] == "-"))
        return end.end()
    raw = _RAW.match(text, start) if kind == "{%" else None
    if raw:
        end = _END_RAW.search(text, raw.end())
        if end is None:
            raise Fault(*left_open(start, raw.end(), "{% raw %}", "{% endraw %}"))
        reader.add(Tag(start, raw.end(), "tag", "", (), trims_left, raw["sign"] == "-"))
        left, right = end["left"] == "-", end["right"] == "-"
        reader.add(Tag(end.start(), end.end(), "tag", "", (), left, right))
        return end.end()
    if kind == "{%":
        return reader.statement(start, opener.end(), trims_left)
    return reader.output(start, opener.end(), trims_left)

"""Reads YAML, half-typed YAML too, keeping the place of every value and every escape.

PyYAML reads it (libyaml where it is built in) and gives each scalar's place; `yaml_scalars` finds
the place of each character in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from ..passages import Passage
from ..prompt import Problem
from .json_document import is_json, read_json
from .nodes import Mapping, Node, Scalar, Sequence, Tree
from .yaml_scalars import locate, whole

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What PyYAML's reader refuses; it is read as U+FFFD and stays what it is in the result.
_UNPRINTABLE = re.compile(
    "[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", re.UNICODE
)
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_NULL = ("", "~", "null", "Null", "NULL")
# Each broken line costs another reading of the whole file.
_MOST_RETRIES = 5
_DEEPEST = 100
# A file of a megabyte can stand for terabytes.
_MOST_REPEATED = 1 << 25


def read_yaml(file: str, start: int = 0, end: int | None = None) -> Tree:
    """The documents of file[start:end], and what could not be read of them.

    A line that breaks the syntax is left out and reported; the rest is read without it.
    """
    end = len(file) if end is None else end
    start += file.startswith("\ufeff", start, end)
    source = _UNPRINTABLE.sub("\ufffd", file[start:end])
    problems: list[Problem] = []
    for _ in range(_MOST_RETRIES):
        roots, error = _read(file, source, start)
        if error is None:
            break
        first, last = _broken_line(source, error)
        message = f"this isn't valid YAML: {error.problem or 'it cannot be read'}"
        span = start + first, start + max(last, first)
        problems.append(Problem(*span, message, "aftermath" if problems else "syntax"))
        if source[first:last].strip() in ("", "#"):
            break
        # A comment ends a block scalar before it, which spaces would continue.
        source = source[:first] + "#" + " " * (last - first - 1) + source[last:]
    return Tree(roots, problems)


def read_yaml_or_json(file: str, end: int | None = None) -> Tree:
    """The values of file[:end], as JSON if it begins with a brace."""
    return (read_json if is_json(file, "{") else read_yaml)(file, 0, end)


def _broken_line(source: str, error: yaml.MarkedYAMLError) -> tuple[int, int]:
    """The line to leave out: where what is never closed begins, else where reading stopped."""
    mark = error.problem_mark
    context = error.context or ""
    if mark is None or "quoted" in context or "flow" in context:
        mark = error.context_mark or mark
    at = min(mark.index, len(source)) if mark else 0
    first, last = _line(source, at)
    if source[first:last].strip():
        return first, last
    # Reading stopped at a line's end or at the file's: what is wrong stands before it.
    return _line(source, len(source[:first].rstrip()))


def _line(source: str, at: int) -> tuple[int, int]:
    first = max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1
    line_end = _BREAK.search(source, at)
    return first, line_end.start() if line_end else len(source)


@dataclass
class _Open:
    """A mapping or sequence whose end has not come yet: its values, in a mapping with its keys."""

    start: int
    anchor: str | None
    is_mapping: bool
    values: list[Node] = field(default_factory=list)

    def close(self, end: int) -> Node:
        if not self.is_mapping:
            return Sequence(self.start, end, self.values)
        pairs = zip(self.values[::2], self.values[1::2], strict=False)
        entries = [(key.value, value) for key, value in pairs if isinstance(key, Scalar)]
        return Mapping(self.start, end, entries)


def _read(file: str, source: str, base: int) -> tuple[list[Node], yaml.MarkedYAMLError | None]:
    """The documents as far as they can be read, and why no further."""
    roots: list[Node] = []
    stack: list[_Open] = []
    anchors: dict[str, Node] = {}

    def add(node: Node, anchor: str | None) -> None:
        if anchor:
            anchors[anchor] = node
        (stack[-1].values if stack else roots).append(node)

    left = _MOST_REPEATED
    error: yaml.MarkedYAMLError | None = None
    try:
        for event in _events(source):
            start, end = _place(event)
            if isinstance(event, yaml.ScalarEvent):
                add(_scalar(file, source, base, event), event.anchor)
            elif isinstance(event, yaml.AliasEvent):
                alias = _alias(anchors.get(event.anchor or ""), base + start, base + end)
                left -= len(alias.value)
                if left < 0:
                    raise _refused(f"aliases repeat more than {_MOST_REPEATED:,} characters", start)
                add(alias, None)
            elif isinstance(event, yaml.CollectionStartEvent):
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                stack.append(_Open(base + start, event.anchor, is_mapping))
                if len(stack) > _DEEPEST:
                    raise _refused("too deeply nested", start)
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = stack.pop()
                add(closed.close(base + end), closed.anchor)
    except yaml.MarkedYAMLError as problem:
        error = problem
    while stack:
        add(stack.pop().close(base + len(source)), None)
    return roots, error


def _refused(problem: str, at: int) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=yaml.Mark("", at, 0, 0, None, 0))


def _place(event: yaml.Event) -> tuple[int, int]:
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0, end.index if end else 0)


def _events(source: str) -> Iterator[yaml.Event]:
    loader = _LOADER(source)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def _scalar(file: str, source: str, base: int, event: yaml.ScalarEvent) -> Scalar:
    start, end = _place(event)
    style, value = event.style or "", event.value

    def read() -> Passage:
        return locate(file, source, base, start, end, style, value)

    is_text = bool(style) or value not in _NULL
    is_original = source[start:end] == file[base + start : base + end]
    return Scalar(base + start, base + end, value if is_original else read().text, is_text, read)


def _alias(node: Node | None, start: int, end: int) -> Scalar:
    """A repeated scalar is read at the place of its repetition; a repeated list is left out."""
    value = node.value if isinstance(node, Scalar) else ""
    is_text = isinstance(node, Scalar) and node.is_text
    return Scalar(start, end, value, is_text, lambda: whole(start, end, value))

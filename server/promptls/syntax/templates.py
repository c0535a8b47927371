"""What template languages share: tags, what they take away around them, and blocks left open.

A language's `scan` gives the `Template` of a text; `render` takes from a passage what the language
itself would take, every option of its branches in it and every loop run once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple, Protocol, TypeVar

from ..passages import Passage, passage
from ..prompt import VALUES, Branch, Message, Option, Placeholder, Problem, Prompt
from ..source_map import Span
from ..text import Edit

# What String.prototype.trim takes away in JavaScript.
JS_SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_LINE_END = re.compile(r"\r\n?")


class Tag(NamedTuple):
    """A tag, by characters of the text that was scanned."""

    start: int
    end: int
    kind: str
    """As in `Placeholder`."""
    name: str = ""
    uses: tuple[str, ...] = ()
    trims_left: bool = False
    """Whether it takes away all whitespace before it."""
    trims_right: bool = False
    stands_alone: bool = False
    """Whether it takes its line away if nothing else is on it."""
    text: str | None = None
    """What is sent in its place, if that is known; a value can come on top."""

    @property
    def is_output(self) -> bool:
        """Whether something is sent in its place."""
        return self.text is not None or self.kind in VALUES


class Template(NamedTuple):
    """What was found in a text: all in ascending order, by characters of that text."""

    tags: list[Tag]
    escapes: list[Edit]
    """Parts that are sent as something else, such as `\\{{`."""
    problems: list[Problem]
    branches: Sequence[Branch] = ()
    """An outer one before those in it."""
    loops: Sequence[Span] = ()
    """What is sent once for each item, and counted once; in ascending order."""
    uncounted: Sequence[str] = ()
    """What is sent, too, and not counted: a noun for each."""


class _Stretch(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


_S = TypeVar("_S", bound=_Stretch)


def _within(stretches: Sequence[_S], start: int, end: int) -> Iterator[_S]:
    """Those of ascending stretches that lie in start:end."""
    for index in range(bisect_left(stretches, start, key=lambda each: each.start), len(stretches)):
        if stretches[index].end > end:
            return
        yield stretches[index]


Scan = Callable[[str], Template]


@dataclass(frozen=True)
class Rendering:
    """A passage without tags and comments; values are still in it, so that edges can be trimmed."""

    passage: Passage
    placeholders: tuple[Placeholder, ...]
    """By characters of the file, as everything here."""
    problems: tuple[Problem, ...]
    branches: tuple[Branch, ...] = ()
    values: tuple[Span, ...] = ()
    """Where values will stand of which nothing is known."""
    loops: tuple[Span, ...] = ()
    uncounted: tuple[str, ...] = ()
    """As of the template."""

    def message(
        self,
        role: str | None,
        passage: Passage | None = None,
        trims: str = "",
        needs_text: bool = False,
    ) -> Message:
        """The passage, or a part of it, as a message without its values, trimmed at its edges."""
        part = passage or self.passage
        part = part.stripped(trims) if trims else part
        values = tuple(_within(self.values, part.start, part.end))
        return replace(
            part.without(values).message(role),
            branches=tuple(self._branches_in(part.start, part.end)),
            values=values,
            trims=trims,
            needs_text=needs_text,
            loops=tuple(self._loops_in(part.start, part.end)),
        )

    def _branches_in(self, start: int, end: int) -> Iterator[Branch]:
        first = bisect_right(self._branch_ends, start)
        last = bisect_left(self.branches, end, key=lambda branch: branch.start)
        return (branch for branch in self.branches[first:last] if branch.end > start)

    def _loops_in(self, start: int, end: int) -> Iterator[Span]:
        """The loops that begin there, and those around its beginning."""
        first, last = (bisect_left(self._loop_starts, at) for at in (start, end))
        outer = first - 1
        while outer >= 0:
            if self.loops[outer].end > start:
                yield self.loops[outer]
            outer = self._outer_loops[outer]
        yield from self.loops[first:last]

    @cached_property
    def _outer_loops(self) -> list[int]:
        """For each loop the number of the one around it, or -1."""
        outer: list[int] = []
        open_ = [-1]
        for number, loop in enumerate(self.loops):
            while open_[-1] >= 0 and self.loops[open_[-1]].end <= loop.start:
                open_.pop()
            outer.append(open_[-1])
            open_.append(number)
        return outer

    @cached_property
    def _loop_starts(self) -> list[int]:
        return [loop.start for loop in self.loops]

    @cached_property
    def _branch_ends(self) -> list[int]:
        """For each branch where it or an earlier one ends."""
        return list(accumulate((branch.end for branch in self.branches), max))


def render(
    passage: Passage, template: Template, more: Iterable[Edit] = (), trim_blocks: bool = False
) -> Rendering:
    """Take a template's tags out of the passage in which they were found, and make `more` edits.

    `trim_blocks` stands for Jinja's settings trim_blocks and lstrip_blocks.
    """
    edits = chain(removals(passage.text, template.tags, trim_blocks), template.escapes, more)
    placeholders = tuple(
        Placeholder(*passage.file_span(tag.start, tag.end), tag.name, tag.kind, tag.uses)
        for tag in template.tags
    )
    problems = tuple(
        problem._replace(**passage.file_span(problem.start, problem.end)._asdict())
        for problem in _without_aftermath(template.problems)
    )
    branches = tuple(_branch(passage, branch) for branch in template.branches)
    rendered = passage.edited(sorted(edits, key=_order))
    values = tuple(
        Span(placeholder.start, placeholder.end)
        for placeholder, tag in zip(placeholders, template.tags, strict=True)
        if placeholder.is_value and tag.text is None
    )
    loops = tuple(passage.file_span(*loop) for loop in template.loops)
    uncounted = tuple(template.uncounted)
    return Rendering(rendered, placeholders, problems, branches, values, loops, uncounted)


def parse_template(text: str, scan: Scan) -> Prompt:
    """The prompt of a file that is one template."""
    rendering = render(passage(text, 0, len(text)), scan(text))
    return Prompt(
        (rendering.message(None),),
        placeholders=rendering.placeholders,
        problems=rendering.problems,
    )


def _branch(passage: Passage, branch: Branch) -> Branch:
    """A branch of a passage's text by characters of the file."""
    options = (
        Option(*passage.file_span(start, end), condition)
        for start, end, condition in branch.options
    )
    return Branch(tuple(options))


def _without_aftermath(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems; an end without a beginning is no other fault if that may be broken."""
    is_broken = False
    for problem in problems:
        is_aftermath = is_broken and problem.kind == "unopened"
        yield problem._replace(kind="aftermath") if is_aftermath else problem
        is_broken = is_broken or problem.is_breaking


_VALUE = re.compile(r"\{\{[ \t]*(?P<name>[^\W\d][\w.-]{0,99})[ \t]*\}\}")


def scan_values(text: str) -> Template:
    """The `{{name}}` of a text, for formats that know no other tags."""
    tags = [
        Tag(match.start(), match.end(), "variable", match["name"], (match["name"].split(".")[0],))
        for match in _VALUE.finditer(text)
    ]
    return Template(tags, [], [])


def _order(edit: Edit) -> tuple[int, bool]:
    """What is taken away goes before what is replaced at the same place."""
    return edit.start, bool(edit.text)


def line_feeds(text: str) -> Iterator[Edit]:
    """The edits that make every line end a line feed."""
    return (Edit(match.start(), match.end(), "\n") for match in _LINE_END.finditer(text))


def removals(text: str, tags: Sequence[Tag], trim_blocks: bool = False) -> Iterator[Edit]:
    """The edits that leave of tags what they send."""
    for index, tag in enumerate(tags):
        before = text[tags[index - 1].end if index else 0 : tag.start]
        after = text[tag.end : tags[index + 1].start if index + 1 < len(tags) else len(text)]
        left, right = len(before), 0
        if tag.stands_alone:
            left, right = _alone(before, after, index == 0, index + 1 == len(tags))
        if trim_blocks and not tag.is_output:
            left, right = _block(text, tag, before, after, index == 0)
        if tag.trims_left:
            left = len(before.rstrip())
        if tag.trims_right:
            right = len(after) - len(after.lstrip())
        start, end = tag.start - len(before) + left, tag.end + right
        if tag.is_output:
            yield Edit(start, tag.start)
            if tag.text is not None:
                yield Edit(tag.start, tag.end, tag.text)
            yield Edit(tag.end, end)
        else:
            yield Edit(start, end)


def _alone(before: str, after: str, is_first: bool, is_last: bool) -> tuple[int, int]:
    """How much of the text around a tag stays before it, and goes after it."""
    indented = before.rstrip(" \t")
    rest = after.lstrip(" \t")
    begins = indented.endswith("\n") or (is_first and not indented)
    ends = rest.startswith(("\n", "\r\n")) or (is_last and not rest)
    if not (begins and ends):
        return len(before), 0
    line_end = 2 if rest.startswith("\r\n") else min(len(rest), 1)
    return len(indented), len(after) - len(rest) + line_end


def _block(text: str, tag: Tag, before: str, after: str, is_first: bool) -> tuple[int, int]:
    """As `_alone`, for one side at a time; a plus sign in the tag keeps its side."""
    indented = before.rstrip(" \t")
    begins = indented.endswith("\n") or (is_first and not indented)
    left = len(indented) if begins and text[tag.start + 2] != "+" else len(before)
    right = after.startswith("\n") and text[tag.end - 3] != "+"
    return left, int(right)

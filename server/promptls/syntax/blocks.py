"""The blocks of a template: which are open, and which stretches of the text are alternatives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..conditions import Condition, Subject
from ..prompt import Branch, Option, Problem, ProblemKind
from ..source_map import Span

# Blocks in blocks, more than which nobody has written.
_DEEPEST = 100


class Fault(Exception):
    """What cannot be read, and where. What follows is not read either."""

    def __init__(self, start: int, end: int, message: str, kind: ProblemKind = "syntax") -> None:
        super().__init__(message)
        self.problem = Problem(start, end, message, kind)


@dataclass
class Block:
    """A block that is open."""

    name: str
    start: int
    """Of its opening tag, in characters of the text."""
    end: int
    conditions: list[Condition] = field(default_factory=list)
    """Of the options so far; none where the block is sent whatever holds."""
    is_loop: bool = False
    """Whether the first option is sent once for each item, and counted once."""
    is_optional: bool = True
    """Whether the first option can be left out, with none in its place."""
    edges: list[tuple[int, int]] = field(default_factory=list)
    """The tags around the options so far."""
    has_else: bool = False
    """Whether its last option, which is sent if no other one is, has begun."""
    detail: tuple[Any, ...] = ()
    """What its language has to know of it when it ends."""
    scope: Subject = ()
    """Below what the names in it are looked up."""


class Blocks:
    """The blocks that are open, and the branches that are read already."""

    def __init__(self) -> None:
        self.open: list[Block] = []
        self._loops: list[Span] = []
        self._branches: list[Branch] = []

    def begin(
        self,
        name: str,
        start: int,
        end: int,
        condition: Condition | None = None,
        is_loop: bool = False,
        is_optional: bool = True,
    ) -> Block:
        """Open a block; with a condition, what follows is the first option of a branch.

        One that isn't optional is a branch only if it has more options. Raises `Fault` where there
        are too many blocks in blocks.
        """
        if len(self.open) == _DEEPEST:
            raise Fault(start, end, "these blocks are nested too deeply to be read")
        block = Block(name, start, end, is_loop=is_loop, is_optional=is_optional)
        if condition is not None:
            block.conditions.append(condition)
            block.edges.append((start, end))
        self.open.append(block)
        return block

    def divide(self, block: Block, start: int, end: int, condition: Condition) -> None:
        """End one option of a block and begin another, with the tag between them."""
        if block.conditions:
            block.conditions.append(condition)
            block.edges.append((start, end))

    def expect(self, name: str, start: int, end: int) -> None:
        """Raise `Fault` where it isn't the innermost block that a tag closes."""
        if not self.open:
            raise Fault(start, end, f"this closes {name}, which is not open", "unopened")
        if self.open[-1].name != name:
            raise Fault(*never_closed(self.open[-1]))

    def finish(self, start: int, end: int) -> Block:
        """Close the innermost block."""
        block = self.open.pop()
        edges = [*(block.edges or [(block.start, block.end)]), (start, end)]
        if block.is_loop:
            self._loops.append(Span(edges[0][1], edges[1][0]))
        if len(block.conditions) > (not block.is_optional):
            options = (
                Option(before, after, condition)
                for (_, before), (after, _), condition in zip(
                    edges, edges[1:], block.conditions, strict=False
                )
            )
            self._branches.append(Branch(tuple(options)))
        return block

    def left_open(self) -> list[Problem]:
        """That the innermost block is never closed, if one is open at the text's end."""
        return [never_closed(self.open[-1])] if self.open else []

    @property
    def loops(self) -> list[Span]:
        """What is sent once for each item, in ascending order."""
        return sorted(self._loops)

    @property
    def branches(self) -> list[Branch]:
        """The branches of all blocks that are closed, an outer one before those in it."""
        return sorted(self._branches, key=lambda branch: (branch.start, -branch.end))


def never_closed(block: Block) -> Problem:
    return Problem(block.start, block.end, f"the block {block.name} is never closed", "unclosed")


def left_open(start: int, end: int, opener: str, closer: str) -> Problem:
    """That what is opened there has no end."""
    return Problem(start, end, f"{opener} is never closed with {closer}", "unclosed")

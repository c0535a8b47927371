"""The blocks of a template: which are open, and which parts of the text are alternatives."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..conditions import Condition, Subject
from ..prompt import Branch, Option, Problem


@dataclass
class Block:
    """A block that is open."""

    name: str
    start: int
    """Of its opening tag, in characters of the text."""
    end: int
    conditions: list[Condition] = field(default_factory=list)
    """Of the options so far; none where the block has no alternatives, such as a loop."""
    edges: list[tuple[int, int]] = field(default_factory=list)
    """The tags around the options so far."""
    scope: Subject = ()
    """Below what the names in it are looked up."""


class Blocks:
    """The blocks that are open, and the branches that are read already."""

    def __init__(self) -> None:
        self.open: list[Block] = []
        self._branches: list[Branch] = []

    def begin(self, name: str, start: int, end: int, condition: Condition | None = None) -> Block:
        """Open a block; with a condition, what follows is the first option of a branch."""
        block = Block(name, start, end)
        if condition is not None:
            block.conditions.append(condition)
            block.edges.append((start, end))
        self.open.append(block)
        return block

    def divide(self, start: int, end: int, condition: Condition) -> None:
        """End one option of the innermost block and begin another, with the tag between them.

        The first one of a block without a condition is what it is, whatever holds.
        """
        block = self.open[-1]
        if block.conditions:
            block.conditions.append(condition)
            block.edges.append((start, end))

    def finish(self, start: int, end: int) -> Block:
        """Close the innermost block."""
        block = self.open.pop()
        if block.conditions:
            edges = [*block.edges, (start, end)]
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
    def branches(self) -> list[Branch]:
        """The branches of all blocks that are closed, an outer one before those in it."""
        return sorted(self._branches, key=lambda branch: (branch.start, -branch.end))


def never_closed(block: Block) -> Problem:
    return Problem(block.start, block.end, f"the block {block.name} is never closed", "unclosed")

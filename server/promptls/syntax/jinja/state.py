"""What is open at some place of a Jinja template: blocks, frames, and what names stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from ...conditions import Condition
from ..blocks import Block, Blocks
from .macros import Macros
from .names import Frame

_END = re.compile(r"\{%[-+]?\s*end(\w+)")


class State:
    """What is open at some place of a template."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = Blocks()
        self.macros = Macros(text)
        self.frame = Frame(None, ("self",))
        self.uses: list[tuple[int, Frame, list[str]]] = []
        """The names that a tag looks up: its number, where, and which."""
        self.tag_count = 0
        # What a name stands for, by frame: a loop's item is another in another loop.
        self._places: list[dict[str, str]] = [{}]
        self._frames: list[Frame] = []
        # For each open block, how many frames and branches are around it.
        self._around: list[tuple[int, int]] = []

    @cached_property
    def ends(self) -> frozenset[str]:
        """The names of all statements that have an end of their own somewhere."""
        return frozenset(_END.findall(self.text))

    def place(self, name: str) -> str:
        """What a name stands for here."""
        for places in reversed(self._places):
            if name in places:
                return places[name]
        return name

    def load(self, names: Iterable[str], tag: int | None = None) -> None:
        """Note the names that a tag looks up, the next one if none is said."""
        tag = self.tag_count if tag is None else tag
        found = list(names)
        for name in found:
            self.frame.load(name)
            self.macros.mention(tag, name)
        self.uses.append((tag, self.frame, found))

    def store(self, names: Iterable[str], start: int) -> None:
        """Note names that a tag binds, which from there on are something else."""
        for name in names:
            self.frame.store(name)
            self._places[-1][name] = f"{name}@{start}"

    def begin(self, name: str, start: int, end: int, condition: Condition | None = None) -> Block:
        """Open a block. Raises `Fault` where there are too many."""
        is_loop = name == "for"
        self._around.append((len(self._frames), self.frame.depth))
        return self.blocks.begin(name, start, end, condition, is_loop, not is_loop)

    def finish(self, start: int, end: int) -> Block:
        """Close the innermost block, with the frames and branches that were begun in it."""
        frames, depth = self._around.pop()
        while len(self._frames) > frames:
            self.leave()
        self.frame.depth = depth
        return self.blocks.finish(start, end)

    def enter(self, parameters: Iterable[str], start: int, is_apart: bool = False) -> None:
        """Begin a frame; one that is apart knows no names of those around it."""
        names = tuple(parameters)
        self._frames.append(self.frame)
        self.frame = Frame(None if is_apart else self.frame, names)
        self._places.append({name: f"{name}@{start}" for name in names})

    def leave(self) -> None:
        """End the innermost frame."""
        self.frame = self._frames.pop()
        self._places.pop()

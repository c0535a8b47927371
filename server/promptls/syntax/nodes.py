"""YAML and JSON documents as nodes that know where in the file they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..passages import Passage
from ..prompt import Problem


@dataclass(frozen=True)
class Scalar:
    """A string, a number or another single value."""

    start: int
    end: int
    value: str = field(repr=False)
    """Decoded."""
    is_text: bool
    """Whether it is a string, or in YAML anything but null: a number is sent as it is written."""
    read: Callable[[], Passage] = field(repr=False, compare=False)

    @cached_property
    def passage(self) -> Passage:
        """The value, with the place in the file of each of its characters."""
        return self.read()


@dataclass(frozen=True)
class Sequence:
    start: int
    end: int
    items: list[Node] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class Mapping:
    start: int
    end: int
    entries: list[tuple[str, Node]] = field(default_factory=list, repr=False)


Node = Scalar | Sequence | Mapping


class Tree(NamedTuple):
    """What could be read of a file: its top-level values, and what could not."""

    roots: list[Node]
    problems: list[Problem]

    @property
    def root(self) -> Node | None:
        return self.roots[0] if self.roots else None


def get(node: Node | None, *keys: str) -> Node | None:
    """The value that a path of keys leads to, None where there is none; the last of a key wins."""
    for key in keys:
        if not isinstance(node, Mapping):
            return None
        node = next((value for name, value in reversed(node.entries) if name == key), None)
    return node


def items(node: Node | None) -> list[Node]:
    """A sequence's items; those of anything else are none."""
    return node.items if isinstance(node, Sequence) else []


def entries(node: Node | None) -> list[tuple[str, Node]]:
    """A mapping's entries; those of anything else are none."""
    return node.entries if isinstance(node, Mapping) else []


def string(node: Node | None) -> str | None:
    """The value of a string; None for anything else."""
    return node.value if isinstance(node, Scalar) and node.is_text else None


def text_scalar(node: Node | None) -> Scalar | None:
    """The node itself if it is a string."""
    return node if isinstance(node, Scalar) and node.is_text else None


_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})")
_KEYWORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def value_of(node: Node | None) -> object:
    """A node as a value: a text, a number, a truth value, None, a list or a mapping.

    A number or keyword in quotes is a text.
    """
    if isinstance(node, Sequence):
        return [value_of(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key: value_of(value) for key, value in node.entries}
    if node is None or node.end - node.start != len(node.value):
        return node.value if node else None
    if node.value.lower() in _KEYWORDS:
        return _KEYWORDS[node.value.lower()]
    is_number = _NUMBER.fullmatch(node.value) is not None
    return float(node.value) if is_number else node.value


def given_values(entries: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, object]]:
    """Sample values as conditions see them; what is read from elsewhere isn't known."""
    for key, node in entries:
        value = value_of(node)
        if not (isinstance(value, str) and value.startswith("${")):
            yield key, value


def written_values(
    entries: Iterable[tuple[str, Node]], write: Callable[[object, str], str], prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """Sample values as they are written, those in mappings by their path, such as `user.name`.

    `write` is given a value and its text in the file.
    """
    for key, node in entries:
        if isinstance(node, Scalar) and not node.value.startswith("${"):
            yield prefix + key, write(value_of(node), node.value)
        elif isinstance(node, Mapping) and prefix.count(".") < _DEEPEST:
            yield from written_values(node.entries, write, f"{prefix}{key}.")


_DEEPEST = 8


def sample_values(node: Node | None) -> Iterator[tuple[str, str]]:
    """The entries of a mapping whose values are single ones, such as sample inputs."""
    for key, value in entries(node):
        if isinstance(value, Scalar):
            yield key, value.value

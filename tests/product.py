"""The product's modules as syntax trees, and how a rule is tried on them.

Each rule is a function from a module to its faults. It runs over every module of the product, and
over a snippet that breaks it, so that a rule which has gone blind is seen.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOTS = (ROOT / "tokenizer", ROOT / "server")


class Module(NamedTuple):
    """A module: its dotted name, whether it is a package's `__init__`, and its syntax tree."""

    name: str
    is_package: bool
    tree: ast.Module

    def is_in(self, *packages: str) -> bool:
        return any(f"{self.name}.".startswith(f"{package}.") for package in packages)


Rule = Callable[[Module], Iterator[str]]
Test = Callable[..., None]
# What a rule is to see: names of modules, each with a source.
Faults = dict[Rule, list[tuple[str, str]]]


@cache
def product_modules() -> tuple[Module, ...]:
    return tuple(
        read(path, ".".join(path.relative_to(root).with_suffix("").parts))
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
    )


def read(path: Path, name: str) -> Module:
    tree = ast.parse(path.read_text("utf-8"), str(path))
    return Module(name.removesuffix(".__init__"), path.stem == "__init__", tree)


def rule_tests(faults: Faults, allowed: list[tuple[Rule, str, str]]) -> tuple[Test, Test, Test]:
    """The tests of rules: on the product, on what each is to see, and on what is no fault."""

    @pytest.mark.parametrize("rule", faults, ids=lambda rule: rule.__name__)
    def keeps(rule: Rule) -> None:
        found = [
            f"{module.name}: {fault}" for module in product_modules() for fault in rule(module)
        ]
        assert found == []

    rows = [(rule, name, source) for rule, each in faults.items() for name, source in each]

    @pytest.mark.parametrize(("rule", "name", "source"), rows)
    def sees(rule: Rule, name: str, source: str) -> None:
        assert list(rule(Module(name, False, ast.parse(source)))), "the rule doesn't see this fault"

    @pytest.mark.parametrize(("rule", "name", "source"), allowed)
    def allows(rule: Rule, name: str, source: str) -> None:
        assert list(rule(Module(name, False, ast.parse(source)))) == []

    return keeps, sees, allows


def imports(module: Module) -> Iterator[tuple[str, bool]]:
    """Each imported module or name, in full, and whether that happens inside a function."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    lazy = {
        id(inner)
        for outer in ast.walk(module.tree)
        if isinstance(outer, functions)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            yield from ((f"{base}.{alias.name}", id(node) in lazy) for alias in node.names)


def absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    parts = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*parts, *([node.module] if node.module else [])])

"""The examples in the engine's docstrings run, and each public function and class has one."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import subword

MODULES = [module.name for module in walk_packages(subword.__path__, "subword.")]
# What only carries a message, a choice or a row, or is shown by the functions that return it.
WITHOUT = {"SpecialMode", "Token"} | {name for name in subword.__all__ if name.endswith("Error")}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name))
    assert not failed


@pytest.mark.parametrize("name", sorted({*subword.__all__} - WITHOUT))
def test_a_public_name_has_an_example(name: str) -> None:
    finder = doctest.DocTestFinder()
    assert any(test.examples for test in finder.find(getattr(subword, name), name)), name

"""The arrows of the house, read from its syntax trees: they point down, and in no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

import pytest
from tests.product import (
    ROOT,
    Faults,
    Module,
    Rule,
    imports,
    product_modules,
    rule_tests,
)

# From below to above: a part imports only what stands below it, and of its own. Of several names
# that fit a module, the longest says where it stands.
ORDER = (
    ("subword", "promptls"),
    ("promptls.wording", "promptls.conditions", "promptls.text", "promptls.source_map"),
    ("promptls.prompt", "promptls.findings"),
    ("promptls.passages",),
    ("promptls.syntax",),
    ("promptls.formats",),
    ("promptls.settings",),
    ("promptls.sources",),
    ("promptls.reading",),
    ("promptls.lint",),
    ("promptls.rules",),
    # These know whether a file names a rule and an encoding that there are.
    ("promptls.settings_files", "promptls.rows"),
    ("promptls.reports",),
    ("promptls.lsp",),
    ("promptls.cli",),
    ("promptls.__main__",),
)
LAYERS = {part: layer for layer, parts in enumerate(ORDER) for part in parts}
PROTOCOL = ("pygls", "lsprotocol", "promptls.lsp")


def _is_under(name: str, *packages: str) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def _part(name: str) -> str:
    """The part of the house that a module, or a name of one, belongs to; "" for what is not ours.

    Of `promptls` itself, only what is in its `__init__` does.
    """
    parts = [part for part in LAYERS if _is_under(name, part)]
    part = max(parts, key=len, default="")
    return "" if part == "promptls" and name.count(".") > 1 else part


def arrows_point_down(module: Module) -> Iterator[str]:
    here = _part(module.name)
    if not here:
        yield "has no place in ORDER"
        return
    for name, _ in imports(module):
        there = _part(name)
        if there not in ("", here) and LAYERS[there] >= LAYERS[here]:
            yield f"imports {name}"


def graph(modules: Iterable[Module]) -> dict[str, set[str]]:
    """The modules that each module imports, anywhere in it."""
    by_name = {module.name: module for module in modules}
    arrows: dict[str, set[str]] = {}
    for module in by_name.values():
        names = {name for name, _ in imports(module)}
        # `from .encoding import Token` names a module or something in one.
        found = {name if name in by_name else name.rpartition(".")[0] for name in names}
        arrows[module.name] = (found & by_name.keys()) - {module.name}
    return arrows


def only_lsp_speaks_lsp(module: Module) -> Iterator[str]:
    for name, lazy in imports(module):
        serves = module.name == "promptls.cli.serve" and lazy and _is_under(name, "promptls.lsp")
        if _is_under(name, *PROTOCOL) and not module.is_in("promptls.lsp") and not serves:
            yield f"imports {name}"


FAULTS: Faults = {
    arrows_point_down: [
        ("subword.index", "import promptls"),
        ("subword.index", "from promptls.text import Text"),
        ("subword.files.saved", "def f():\n    from promptls import text"),
        ("promptls.rules.special_token", "from ..reports.json import finding_row"),
        ("promptls.rules.special_token", "from .. import reports"),
        ("promptls.formats.plain", "from ..cli.inputs import read"),
        ("promptls.reading.reading", "from ..lsp import app"),
        ("promptls.rows", "if TYPE_CHECKING:\n    from .reports.json import Report"),
        ("promptls.text", "from .settings import Settings"),
        ("promptls.lsp.app", "from ..cli import main"),
    ],
    only_lsp_speaks_lsp: [
        ("promptls.text", "from lsprotocol import types"),
        ("promptls.cli.count", "import pygls.server"),
        ("promptls.cli.count", "def run():\n    from ..lsp.app import serve"),
        ("promptls.cli.serve", "from ..lsp.app import serve"),
        ("promptls.cli.serve", "def run():\n    import pygls"),
        ("promptls.cli.serve", "from .. import lsp"),
        ("subword.index", "from lsprotocol.types import Position"),
    ],
}

ALLOWED: list[tuple[Rule, str, str]] = [
    (arrows_point_down, "promptls.rules.special_token", "from ..prompt import Prompt"),
    (arrows_point_down, "promptls.lsp.app", "from ..reading.reading import read"),
    (arrows_point_down, "promptls.formats.plain", "from subword import get_encoding"),
    (only_lsp_speaks_lsp, "promptls.cli.serve", "def run():\n    from ..lsp.app import serve"),
    (only_lsp_speaks_lsp, "promptls.lsp.features.hover", "from lsprotocol import types"),
]


(
    test_the_product_keeps,
    test_a_fault_is_seen,
    test_what_is_right_is_not_a_fault,
) = rule_tests(FAULTS, ALLOWED)


def test_the_whole_product_is_read() -> None:
    names = {module.name for module in product_modules()}
    assert {"subword", "subword.encoding", "subword.models", "promptls", "promptls.rules"} <= names
    assert any(module.is_in("promptls.lsp.features") for module in product_modules())


def test_no_import_goes_round_in_a_circle() -> None:
    tuple(TopologicalSorter(graph(product_modules())).static_order())


CIRCLES = [
    {"a.x": "from .y import f", "a.y": "def f():\n    from . import x"},
    {"a.x": "import a.y", "a.y": "from a.z import f", "a.z": "from typing import TYPE_CHECKING\n"
     "if TYPE_CHECKING:\n    from .x import T"},
    {"a": "from .x import T", "a.x": "from a import U"},
]  # fmt: skip


@pytest.mark.parametrize("sources", CIRCLES)
def test_a_circle_is_seen(sources: dict[str, str]) -> None:
    modules = [Module(name, name == "a", ast.parse(source)) for name, source in sources.items()]
    with pytest.raises(CycleError):
        tuple(TopologicalSorter(graph(modules)).static_order())


WRITTEN = [f"{folder}/**/*.py" for folder in ("tokenizer", "server", "tests", "scripts")]
WRITTEN += [f"client-vscode/{files}" for files in ("scripts/*.py", "src/**/*.ts", "test/**/*.ts")]
MOST_LINES = 400


def test_no_file_is_longer_than_one_reads_at_once() -> None:
    files = {path for pattern in WRITTEN for path in ROOT.glob(pattern)}
    lines = {str(path.relative_to(ROOT)): path.read_bytes().count(b"\n") for path in files}
    assert len(files) > 300
    assert {name for name, count in lines.items() if count > MOST_LINES} == set()

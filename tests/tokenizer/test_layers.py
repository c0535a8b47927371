"""The order inside subword: arrows point down, lazy ones too, and no modules form a circle."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest
from tests.product import Module, imports, product_modules

# From the bottom up. A package is one layer; what stands in one line may use its like.
LAYERS = (
    (
        "data",
        "lines",
        "regular",
        "surrogates",
        "spelling",
        "sumtree",
        "uniform",
        "placed",
        "wording",
    ),
    ("vocab", "patterns", "cuts", "encoding"),
    ("probes", "pre_tokenizer", "special"),
    ("core", "foreign", "index", "healing"),
    ("encodings", "glitch"),
    ("files", "corpus"),
    ("models",),
    ("load", "explain", "study"),
    ("cli",),
)
LEVELS = {f"subword.{name}": level for level, layer in enumerate(LAYERS) for name in layer}


def level(module: str) -> int:
    return LEVELS[".".join(module.split(".")[:2])]


def targets(module: Module, known: set[str]) -> set[str]:
    """The modules of the engine that one imports, at any time."""
    found = {
        name if name in known else name.rpartition(".")[0]
        for name, _ in imports(module)
        if name.startswith("subword.")
    }
    return (found & known) - {module.name, "subword"}


def arrows(modules: list[Module]) -> dict[str, set[str]]:
    known = {module.name for module in modules}
    return {module.name: targets(module, known) for module in modules if module.name != "subword"}


ENGINE = [module for module in product_modules() if module.is_in("subword")]
ARROWS = arrows(ENGINE)


@pytest.mark.parametrize("module", ARROWS)
def test_a_module_uses_only_what_stands_below_it(module: str) -> None:
    above = [name for name in ARROWS[module] if level(name) > level(module)]
    assert above == []


def test_no_modules_go_round_in_a_circle() -> None:
    assert len([*TopologicalSorter(ARROWS).static_order()]) == len(ARROWS)


def test_a_circle_is_seen() -> None:
    with pytest.raises(CycleError):
        TopologicalSorter(ARROWS | {"subword.data": {"subword.cli.train"}}).prepare()


def test_every_layer_is_there() -> None:
    assert {".".join(name.split(".")[:2]) for name in ARROWS} == set(LEVELS)

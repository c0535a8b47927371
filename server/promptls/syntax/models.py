"""Which texts of a file name a model."""

from __future__ import annotations

from .nodes import Node, Sequence, get, string

# What stands where a model's name could, and leaves it to others.
_NO_NAMES = frozenset(("auto", "inherit", "default"))
# A longer name is none that any vendor gives a model.
_LONGEST_MODEL = 100


def header_models(header: Node | None) -> tuple[str, ...]:
    """The models that a header names at `model`: one, or a list of which the first is taken."""
    model = get(header, "model")
    names = (string(each) for each in as_list(model))
    return named_models(*names)


def named_models(*names: str | None) -> tuple[str, ...]:
    """Those of some texts that can be names of models, each once."""
    kept = (n.strip() for n in names if n and len(n) <= _LONGEST_MODEL and n.isprintable())
    # A template or a variable says nothing before it is filled.
    return tuple(
        dict.fromkeys(
            n for n in kept if n and n.lower() not in _NO_NAMES and not set("{}$<>") & set(n)
        )
    )


def as_list(node: Node | None) -> list[Node]:
    """A list's items; anything else is its own only item."""
    return node.items if isinstance(node, Sequence) else [node] if node else []

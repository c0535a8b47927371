"""Which names of a Jinja template come from outside of it.

As Jinja2 tells them (jinja2/idtracking.py, meta.find_undeclared_variables): a name belongs to the
frame that binds it, or else is looked up outside; one that is bound in a branch alone may come from
outside, too.
"""

from __future__ import annotations

from collections.abc import Iterable

# What Jinja2 itself has in every template (jinja2/defaults.py).
_GLOBALS = frozenset(("range", "dict", "lipsum", "cycler", "joiner", "namespace"))


class Frame:
    """A part of a template with names of its own, such as a loop's body."""

    def __init__(self, parent: Frame | None = None, parameters: Iterable[str] = ()) -> None:
        self.parent = parent
        self.depth = 0
        """In how many branches of this frame the reading is."""
        self._parameters = frozenset(parameters)
        # Whether a name comes from outside, as what is first done with it here says.
        self._names: dict[str, bool] = {}

    def load(self, name: str) -> None:
        """Note that a name is looked up."""
        self._names.setdefault(name, True)

    def store(self, name: str) -> None:
        """Note that a name is bound."""
        self._names.setdefault(name, self.depth > 0)

    def is_from_outside(self, name: str) -> bool:
        """Whether a name that is looked up here comes from outside. Known once all is read."""
        is_outside = name not in _GLOBALS
        frame: Frame | None = self
        while frame:
            if name in frame._parameters:
                return False
            # Of several frames with the name the outermost one decides.
            is_outside = frame._names.get(name, is_outside) and name not in _GLOBALS
            frame = frame.parent
        return is_outside

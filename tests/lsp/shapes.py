"""Whether what the server sent has the shape that the client's contract says."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from promptls.lsp import rows

ANSWERS: dict[str, Any] = {
    name: get_type_hints(command)["return"]
    for name, command in vars(rows.ServerCommands).items()
    if isinstance(command, Callable) and not name.startswith("_")  # type: ignore[arg-type]
}
"""What each command answers with, by its name without `promptls.`."""


def faults(value: Any, kind: Any, at: str = "") -> list[str]:
    """What of a value isn't as its type says: what is missing, what nobody declared, a type."""
    if is_typeddict(kind):
        return _faults_of_row(value, kind, at)
    if get_origin(kind) in (Union, UnionType):
        every = [faults(value, each, at) for each in get_args(kind)]
        return min(every, key=len)
    if get_origin(kind) is Literal:
        return [] if value in get_args(kind) else [f"{at} is {value!r}"]
    if get_origin(kind) is list:
        if not isinstance(value, list):
            return [f"{at} is no list"]
        (item,) = get_args(kind)
        return [fault for n, each in enumerate(value) for fault in faults(each, item, f"{at}[{n}]")]
    fits = (
        value is None
        if kind is NoneType
        else type(value) in ({float, int} if kind is float else {kind})
    )
    return [] if fits else [f"{at} is a {type(value).__name__}"]


def _faults_of_row(value: Any, kind: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{at} is no {kind.__name__}"]
    fields = get_type_hints(kind)
    missing = [f"{at}.{name} is missing" for name in kind.__required_keys__ - value.keys()]
    unknown = [f"{at}.{name} is not declared" for name in value.keys() - fields.keys()]
    wrong = [
        fault
        for name in fields.keys() & value.keys()
        for fault in faults(value[name], fields[name], f"{at}.{name}")
    ]
    return missing + unknown + wrong

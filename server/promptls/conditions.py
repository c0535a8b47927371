"""Conditions under which a part of a template is sent, and the values that decide them.

A condition is a tree of tests on subjects. A subject is a path of names such as `("user", "name")`,
or a single name that stands for an expression which nobody works out here: such a one can be
true or false, the same wherever it is tested. Values are Python's, `UNDEFINED`, or `OTHER`, which
is true and equal to nothing that a template names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

Subject = tuple[str, ...]


class Unnamed(Enum):
    """Values that no template names."""

    UNDEFINED = "undefined"
    OTHER = "other"

    def __bool__(self) -> bool:
        return self is Unnamed.OTHER


UNDEFINED, OTHER = Unnamed.UNDEFINED, Unnamed.OTHER

Values = Mapping[Subject, object]
"""The values of subjects; whatever isn't in it is not known."""


class Truth(NamedTuple):
    """Whether a subject's value counts as true."""

    subject: Subject


class Defined(NamedTuple):
    """Whether a subject has a value."""

    subject: Subject


class Equals(NamedTuple):
    """Whether a subject has this value."""

    subject: Subject
    value: object


class Not(NamedTuple):
    inner: Condition


class All(NamedTuple):
    parts: tuple[Condition, ...]


class Some(NamedTuple):
    """Whether at least one of the parts holds."""

    parts: tuple[Condition, ...]


Test = Truth | Defined | Equals
Condition = Test | Not | All | Some | bool


def holds(condition: Condition, values: Values) -> bool | None:
    """Whether a condition holds; None where that isn't known."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, Not):
        inner = holds(condition.inner, values)
        return None if inner is None else not inner
    if isinstance(condition, (All, Some)):
        decisive = isinstance(condition, Some)
        unknown = False
        for part in condition.parts:
            held = holds(part, values)
            if held is decisive:
                return decisive
            unknown |= held is None
        return None if unknown else not decisive
    return _passes(condition, values)


def tests(conditions: Iterable[Condition]) -> Iterator[Test]:
    """All tests that conditions are made of."""
    for condition in conditions:
        if isinstance(condition, Not):
            yield from tests((condition.inner,))
        elif isinstance(condition, (All, Some)):
            yield from tests(condition.parts)
        elif not isinstance(condition, bool):
            yield condition


def subjects(conditions: Iterable[Condition], known: Domains) -> Iterator[Subject]:
    """What conditions ask for, and what of `known` that stands below."""
    for test in tests(conditions):
        above = (test.subject[:length] for length in range(1, len(test.subject)))
        yield from (test.subject, *(each for each in above if each in known))


Domains = Mapping[Subject, tuple[object, ...]]
"""For each subject a value of each kind that its tests tell apart."""


def domains(all_tests: Iterable[Test]) -> Domains:
    """The values that these tests tell apart; the one that says the least comes first."""
    found: dict[Subject, dict[object, None]] = {}
    tested: dict[Subject, set[type]] = {}
    for test in all_tests:
        kinds = tested.setdefault(test.subject, set())
        kinds.add(type(test))
        values = found.setdefault(test.subject, {UNDEFINED: None, OTHER: None})
        if isinstance(test, Equals):
            values[_key(test.value)] = None
        elif {Truth, Defined} <= kinds:
            values[_key("")] = None
    above = {subject[:length] for subject in tested for length in range(1, len(subject))}
    for subject, kinds in tested.items():
        if kinds == {Equals} and subject not in above:
            # Neither of the two equals anything.
            del found[subject][OTHER]
    return {
        subject: tuple(v.value if isinstance(v, _Literal) else v for v in values)
        for subject, values in found.items()
    }


def solutions(
    condition: Condition, wanted: bool, values: dict[Subject, object], domains: Domains
) -> Iterator[dict[Subject, object] | None]:
    """The ways to give values to what has none yet so that a condition holds, or doesn't.

    They exclude each other, and together they are all there are. None is a try that leads nowhere,
    so that whoever takes only so many has bounded the work.
    """
    held = holds(condition, values)
    if held is not None:
        yield values if held is wanted else None
    elif isinstance(condition, Not):
        yield from solutions(condition.inner, not wanted, values, domains)
    elif isinstance(condition, (All, Some)):
        yield from _of_parts(condition, wanted, values, domains)
    elif not isinstance(condition, bool):
        for value in domains[(subject := _open(condition.subject, values, domains))]:
            yield from solutions(condition, wanted, {**values, subject: value}, domains)


def _open(subject: Subject, values: Values, domains: Domains) -> Subject:
    """What has to be known first: what a subject stands below, if that is tested, too."""
    above = (subject[:length] for length in range(1, len(subject)))
    return next((each for each in above if each in domains and each not in values), subject)


def _of_parts(
    condition: All | Some, wanted: bool, values: dict[Subject, object], domains: Domains
) -> Iterator[dict[Subject, object] | None]:
    first, rest = condition.parts[0], condition.parts[1:]
    decisive = isinstance(condition, Some)
    if wanted is decisive:
        # Either the first part decides, or it does not and one of the others does.
        yield from solutions(first, decisive, values, domains)
    if rest or wanted is not decisive:
        remaining = type(condition)(rest)
        for found in solutions(first, not decisive, values, domains):
            yield from (None,) if found is None else solutions(remaining, wanted, found, domains)


def _passes(test: Test, values: Values) -> bool | None:
    found = _lookup(test.subject, values)
    if found is None:
        return None
    (value,) = found
    if isinstance(test, Truth):
        return bool(value)
    if isinstance(test, Defined):
        return value is not UNDEFINED
    return value == test.value


def _lookup(subject: Subject, values: Values) -> tuple[object] | None:
    """The value of a subject, in a tuple of one, since None is a value; None if it isn't known.

    What stands below something that is nothing, or a single value, is undefined.
    """
    for length in range(len(subject), 0, -1):
        if subject[:length] not in values:
            continue
        value = values[subject[:length]]
        for name in subject[length:]:
            if value is OTHER:
                return None
            value = value.get(name, UNDEFINED) if isinstance(value, Mapping) else UNDEFINED
        return (value,)
    return None


class _Literal(NamedTuple):
    """A value of a template, by its type too: `1` and `true` are not the same."""

    type: type
    value: object


def _key(value: object) -> _Literal:
    return _Literal(type(value), value)

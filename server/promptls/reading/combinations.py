"""Which options of a template's branches can be sent together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ..conditions import Domains, Subject, solutions
from ..prompt import Branch, Span

# So many combinations are listed at most, and so many options are tried where the one that is
# wanted cannot be chosen.
MOST = 64
_MOST_TRIES = 8

Chosen = dict[Span, int]
"""The number of the option that is sent, by the branch's place; absent where none is."""

Weights = Mapping[tuple[Span, int], int]
"""What each option sends itself, without the branches in it."""

_Values = dict[Subject, object]
_Choice = tuple[int | None, _Values]


class Tree:
    """The branches of some text that decide on each other, an outer one before those in it."""

    def __init__(self, branches: Sequence[Branch], known: Domains) -> None:
        self._branches = branches
        self._domains = known
        self._parents = list(_parents(branches))

    def combinations(self, given: _Values) -> list[Chosen] | None:
        """All combinations that can be sent where these values are given; None if too many."""
        states: list[tuple[_Values, Chosen]] = [(given, {})]
        for branch, parent in zip(self._branches, self._parents, strict=True):
            following: list[tuple[_Values, Chosen]] = []
            for values, chosen in states:
                choices: list[_Choice] = [(None, values)]
                if _is_sent(parent, chosen):
                    room = MOST + 1 - len(following)
                    choices = list(islice(self._choices(branch, values), room))
                # The first goes on with what is already chosen, so that little is ever copied.
                copies = [chosen, *(dict(chosen) for _ in choices[1:])]
                for (option, found), copy in zip(choices, copies, strict=True):
                    if option is not None:
                        copy[place(branch)] = option
                    following.append((found, copy))
                if len(following) > MOST:
                    return None
            states = following
        return [chosen for _, chosen in states]

    def extreme(self, given: _Values, weights: Weights, most: bool) -> Chosen:
        """A combination that can be sent and weighs little, or much: the best option of each branch
        if the branches before it leave it to be chosen.
        """
        totals = self._totals(weights, most)
        values, chosen = given, Chosen()
        for branch, parent in zip(self._branches, self._parents, strict=True):
            if not _is_sent(parent, chosen):
                continue
            at = place(branch)
            wanted = sorted(
                (*range(len(branch.options)), None),
                key=lambda option: totals.get((at, option), 0),
                reverse=most,
            )
            found = (self._choice(branch, option, values) for option in wanted[:_MOST_TRIES])
            option, values = next(filter(None, found), None) or next(self._choices(branch, values))
            if option is not None:
                chosen[at] = option
        return chosen

    def _choices(self, branch: Branch, values: _Values) -> Iterator[_Choice]:
        """The options that can be chosen, None for none of them, each with the values for it."""
        open_: list[_Values] = [values]
        for number, option in enumerate(branch.options):
            still_open: list[_Values] = []
            for each in open_:
                for found in solutions(option.condition, True, each, self._domains):
                    yield number, found
                still_open += islice(
                    solutions(option.condition, False, each, self._domains), MOST + 1
                )
            # More than can be listed: whoever asks for all gives up.
            open_ = still_open[: MOST + 1]
            if not open_:
                return
        for each in open_:
            yield None, each

    def _choice(self, branch: Branch, option: int | None, values: _Values) -> _Choice | None:
        """Values by which an option is chosen, if they are found at once."""
        number = len(branch.options) if option is None else option
        found: _Values | None = values
        if option is not None:
            wanted = branch.options[option].condition
            found = next(solutions(wanted, True, values, self._domains), None)
        for earlier in branch.options[:number]:
            if found is None:
                return None
            found = next(solutions(earlier.condition, False, found, self._domains), None)
        return (option, found) if found is not None else None

    def _totals(self, weights: Weights, most: bool) -> dict[tuple[Span, int | None], int]:
        """What each option weighs with the best of the branches in it."""
        totals: dict[tuple[Span, int | None], int] = {}
        totals.update(weights.items())
        best = max if most else min
        for branch, parent in zip(reversed(self._branches), reversed(self._parents), strict=True):
            at = place(branch)
            options = [totals.get((at, number), 0) for number in range(len(branch.options))]
            if branch.options[-1].condition is not True:
                options.append(0)
            if parent:
                totals[parent] = totals.get(parent, 0) + best(options)
        return totals


def place(branch: Branch) -> Span:
    """What a branch is known by: where in the file it stands."""
    return Span(branch.start, branch.end)


_Parent = tuple[Span, int]


def _parents(branches: Sequence[Branch]) -> Iterator[_Parent | None]:
    """For each branch the option that it stands in."""
    around: list[Branch] = []
    for branch in branches:
        while around and around[-1].end < branch.end:
            around.pop()
        inside = None
        if around:
            options = enumerate(around[-1].options)
            starts = (number for number, option in options if branch.start <= option.end)
            inside = (place(around[-1]), next(starts, 0))
        yield inside
        around.append(branch)


def _is_sent(parent: _Parent | None, chosen: Chosen) -> bool:
    return parent is None or chosen.get(parent[0]) == parent[1]

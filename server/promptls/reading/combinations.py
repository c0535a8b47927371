"""The fewest and the most tokens of all texts that a template's conditions let be sent.

The text is gone through from left to right, with all that can have been sent so far as states. What
is sent up to a safe cut is counted and forgotten, and so is a value that is not tested any more;
states that are the same then are one, with the fewest and the most tokens of both. That finds the
true ends, and takes few states for conditions that don't depend on each other.

Where there are too many states, those that are neither among the shortest nor among the longest are
merged into one that forgets in what they differ, so that it can go on as each of them and more
(a relaxed decision diagram: Bergman, Cire, van Hoeve, Hooker, "Discrete Optimization with Decision
Diagrams", 2016). An end that comes of it is a bound: no text has fewer, or more, but it may be that
none has so few, or so many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from subword.cuts import Cutter

from ..conditions import Domains, Subject, holds, solutions, subjects, tests
from ..prompt import Branch
from ..source_map import Span
from .drafts import Edges, Place, Step, place

# So many states go on at most, and so many once there was too much work.
_WIDTH, _NARROW = 256, 8
# That is when so many states, and ways to give them values, were looked at.
_MOST_WORK = 1 << 15
# How many ways to give values are tried for one state and one branch.
_MOST_TRIES = 1 << 12
# How much text is counted once for each state, and is held before it is, in characters.
_MOST_TEXT = 1 << 20

_Values = dict[Subject, object]
_Choice = tuple[int | None, _Values]
_Tail = tuple[str, int, bool]


class _State(NamedTuple):
    """What texts have in common that can have been sent so far."""

    values: _Values
    chosen: dict[Span, int | None]
    """The number of the option that is sent, None for none, by the branch's place."""
    fewest: tuple[int, bool] = (0, False)
    """The tokens up to the last cut, and whether that is only a bound."""
    most: tuple[int, bool] = (0, False)
    """The same of the most, with the tokens negative: here, too, what is less is better."""
    tail: str | None = ""
    """What was sent since the last cut; None where that is forgotten."""
    kept: int = 0
    """How much of the tail stands before a value."""
    is_blank: bool = False
    """Whether there is no value yet, and nothing but whitespace."""

    @property
    def key(self) -> Hashable:
        # By identity: `1` and `true` are not the same, and not every value can be hashed.
        values = frozenset((subject, id(value)) for subject, value in self.values.items())
        return values, frozenset(self.chosen.items()), self.tail, self.kept, self.is_blank

    def plus(self, low: int, high: int) -> _State:
        """With so many more tokens: at least, and at most."""
        (fewest, is_low_bound), (most, is_high_bound) = self.fewest, self.most
        return self._replace(fewest=(fewest + low, is_low_bound), most=(most - high, is_high_bound))

    def doubted(self) -> _State:
        """With ends that are only bounds."""
        return self._replace(fewest=(self.fewest[0], True), most=(self.most[0], True))

    def without_tail(self) -> _State:
        """With bounds of what the tail and what follows it have up to the next cut."""
        bounded = self.plus(0, _most_tokens(self.tail or "")).doubted()
        return bounded._replace(tail=None, kept=0, is_blank=False)


def extent(
    texts: Sequence[tuple[Edges, Sequence[Step]]],
    known: Domains,
    given: _Values,
    count: Callable[[str], int],
    cutter: Cutter,
) -> tuple[int, int, bool]:
    """The fewest and the most tokens of texts together, and whether these are only bounds."""
    every = [step for _, steps in texts for step in steps]
    last_uses = {key: number for number, step in enumerate(every) for key in _uses(step, known)}
    dying: list[set[Hashable]] = [set() for _ in every]
    for key, number in last_uses.items():
        dying[number].add(key)
    sweep, forgotten = _Sweep(known, given, count, cutter), iter(dying)
    for edges, steps in texts:
        sweep.begin(edges)
        for step in steps:
            sweep.go_on(step, edges, next(forgotten))
        sweep.end(edges)
    fewest, most = min(s.fewest for s in sweep.states), min(s.most for s in sweep.states)
    return fewest[0], -most[0], (fewest[1] or most[1]) and fewest[0] != -most[0]


def _uses(step: Step, known: Domains) -> Iterator[Hashable]:
    """What of a state is asked for in a step."""
    if step.around:
        yield step.around[0]
    if step.branch:
        yield place(step.branch)
        yield from subjects((option.condition for option in step.branch.options), known)


class _Sweep:
    """The states of all texts, from left to right."""

    def __init__(
        self, known: Domains, given: _Values, count: Callable[[str], int], cutter: Cutter
    ) -> None:
        self.states = [_State(given, {})]
        self._known, self._count, self._cutter = known, count, cutter
        self._work, self._room = _MOST_WORK, _MOST_TEXT
        self._counted: dict[str, int] = {}

    def begin(self, edges: Edges) -> None:
        """Go on with another text."""
        is_blank = bool(edges.left or edges.needs_text)
        self.states = [s._replace(tail="", kept=0, is_blank=is_blank) for s in self.states]

    def end(self, edges: Edges) -> None:
        """Count what is left of a text."""
        ended: list[_State] = []
        for state in self.states:
            tail = state.tail or ""
            tail = tail[: state.kept] + tail[state.kept :].rstrip(edges.right)
            tokens = 0 if edges.needs_text and state.is_blank else self._tokens(tail)
            ended.append(state.plus(tokens, tokens)._replace(tail="", kept=0, is_blank=False))
        self.states = self._merged(ended)

    def go_on(self, step: Step, edges: Edges, dying: set[Hashable]) -> None:
        """Take one step, and forget what is not asked for any more."""
        following: Iterable[_State]
        if step.branch:
            following = self._decided(step.branch, step.around)
        elif step.text is None:
            following = self._with_value(step.around)
        else:
            following = self._with_text(step.text, step.around, edges)
        self.states = self._merged(_without(each, dying) if dying else each for each in following)

    def _decided(self, branch: Branch, around: Place | None) -> Iterator[_State]:
        """With one of a branch's options chosen, or none."""
        at = place(branch)
        asked = set(_asked(branch))
        known: dict[Hashable, tuple[bool, list[_Choice]]] = {}
        for state in self.states:
            if at in state.chosen:
                yield state
                continue
            for is_sent in _is_sent(around, state):
                if not is_sent:
                    yield state._replace(chosen={**state.chosen, at: None})
                    continue
                values = {key: value for key, value in state.values.items() if key in asked}
                key = frozenset((subject, id(value)) for subject, value in values.items())
                is_sure, choices = known.get(key) or known.setdefault(
                    key, self._choices(branch, values)
                )
                start = state if is_sure else state.doubted()
                for option, found in choices:
                    chosen = {**state.chosen, at: option}
                    yield start._replace(values={**state.values, **found}, chosen=chosen)

    def _choices(self, branch: Branch, values: _Values) -> tuple[bool, list[_Choice]]:
        """The options that can be chosen, None for none of them, each with the values for it.

        Not sure, and without new values, where there are too many ways to give them.
        """
        most = _MOST_TRIES if self._work > 0 else 2 * len(branch.options)
        tries = list(islice(_tries(branch, values, self._known), most + 1))
        self._work -= len(tries) // 4
        if len(tries) > most:
            return False, [(option, values) for option in _open(branch, values)]
        return True, [choice for choice in tries if choice]

    def _with_value(self, around: Place | None) -> Iterator[_State]:
        """With a value, so that what stands before it is not taken off."""
        for state in self.states:
            for is_sent in _is_sent(around, state):
                kept = len(state.tail or "")
                yield state._replace(kept=kept, is_blank=False) if is_sent else state

    def _with_text(self, text: str, around: Place | None, edges: Edges) -> Iterator[_State]:
        """With some more text, counted as far as its count is known whatever follows."""
        first = self._cutter.unharmed(text, 0, 0)[1]
        last = self._cutter.unharmed(text, len(text), len(text))[0]
        is_cut = first <= last
        head, rest = (text[:first], text[last:]) if is_cut else (text, "")
        middle = self._count(text[first:last]) if is_cut else 0

        @cache
        def joined(tail: str, kept: int, is_blank: bool) -> tuple[int, _Tail]:
            whole = (tail + head).lstrip(edges.left) if is_blank else tail + head
            if is_cut:
                return self._tokens(whole) + middle, (rest, 0, False)
            cut = self._cutter.unharmed(whole, len(whole), len(whole))[0]
            is_blank = is_blank and not whole.strip()
            return self._tokens(whole[:cut]), (whole[cut:], max(kept - cut, 0), is_blank)

        tails = {state.tail for state in self.states if state.tail is not None}
        if self._room < 0 or sum(map(len, tails)) + len(tails) * len(head) > _MOST_TEXT:
            self.states = [state.without_tail() for state in self.states]
        for state in self.states:
            for is_sent in _is_sent(around, state):
                if not is_sent:
                    yield state
                elif state.tail is None:
                    bounded = state.plus(middle, middle + _most_tokens(head))
                    yield bounded._replace(tail=rest if is_cut else None)
                else:
                    tokens, tail = joined(state.tail, state.kept, state.is_blank)
                    yield state.plus(tokens, tokens)._replace(
                        tail=tail[0], kept=tail[1], is_blank=tail[2]
                    )

    def _tokens(self, text: str) -> int:
        """The tokens of a text that one state has and others may have, too."""
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._counted[text] = self._count(text)
            self._room -= len(text)
        return tokens

    def _merged(self, states: Iterable[_State]) -> list[_State]:
        """States without those that are the same, and not more of them than may go on."""
        found: dict[Hashable, _State] = {}
        for state in states:
            self._work -= 1
            key = state.key
            if other := found.get(key):
                fewest, most = min(state.fewest, other.fewest), min(state.most, other.most)
                state = state._replace(fewest=fewest, most=most)
            found[key] = state
        return _narrowed(list(found.values()), _WIDTH if self._work > 0 else _NARROW)


def _is_sent(around: Place | None, state: _State) -> Sequence[bool]:
    """Whether what stands in an option is sent; both where the choice is forgotten."""
    if around is None:
        return (True,)
    branch, number = around
    return (state.chosen[branch] == number,) if branch in state.chosen else (True, False)


def _without(state: _State, keys: set[Hashable]) -> _State:
    """A state that has forgotten some values and choices."""
    values = {key: value for key, value in state.values.items() if key not in keys}
    chosen = {key: option for key, option in state.chosen.items() if key not in keys}
    return state._replace(values=values, chosen=chosen)


def _asked(branch: Branch) -> Iterator[Subject]:
    """What decides a branch: what is tested, and all that it stands below."""
    for test in tests(option.condition for option in branch.options):
        yield from (test.subject[: length + 1] for length in range(len(test.subject)))


def _tries(branch: Branch, values: _Values, known: Domains) -> Iterator[_Choice | None]:
    """The ways to choose one of the options, or none of them; None for what is none yet."""
    open_ = [values]
    for number, option in enumerate(branch.options):
        still_open: list[_Values] = []
        for each in open_:
            for found in solutions(option.condition, True, each, known):
                yield None if found is None else (number, found)
            for found in solutions(option.condition, False, each, known):
                still_open += () if found is None else (found,)
                yield None
        open_ = still_open
    for each in open_:
        yield None, each


def _open(branch: Branch, values: _Values) -> Iterator[int | None]:
    """The options that values alone don't rule out, None for none of them."""
    for number, option in enumerate(branch.options):
        held = holds(option.condition, values)
        if held is not False:
            yield number
        if held:
            return
    yield None


def _narrowed(states: list[_State], width: int) -> list[_State]:
    """Not many more states than `width`: some are merged, neither the shortest nor the longest."""
    if len(states) <= width:
        return states
    few = width // 4

    def guess(state: _State) -> int:
        return len(state.tail or "") // 4

    shortest = sorted(states, key=lambda state: state.fewest[0] + guess(state))[:few]
    longest = sorted(states, key=lambda state: state.most[0] - guess(state))[:few]
    stay = {id(state): state for state in (*shortest, *longest)}
    rest = [state for state in states if id(state) not in stay]
    if len({(state.tail, state.kept, state.is_blank) for state in rest}) > few:
        rest = [state.without_tail() for state in rest]
    groups = defaultdict[Hashable, list[_State]](list)
    for state in rest:
        groups[state.tail, state.kept, state.is_blank].append(state)
    return [*stay.values(), *map(_merge, groups.values())]


def _merge(states: list[_State]) -> _State:
    """A state that can go on as each of these, and more."""
    first, *others = states
    values, chosen = dict(first.values), dict(first.chosen)
    for other in others:
        values = {k: v for k, v in values.items() if other.values.get(k, other) is v}
        chosen = {k: v for k, v in chosen.items() if other.chosen.get(k, -1) == v}
    fewest, most = min(s.fewest for s in states), min(s.most for s in states)
    merged = first._replace(values=values, chosen=chosen, fewest=fewest, most=most)
    return merged.doubted() if others else first


def _most_tokens(text: str) -> int:
    """More tokens than a text can have: none has less than a byte."""
    return len(text.encode("utf-8", "surrogatepass"))

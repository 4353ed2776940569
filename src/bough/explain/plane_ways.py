"""The ways of a case through a tree of planes, if its values could change: what each asks, and where it ends.

Which values are known is settled beforehand, so that it is clear at each node whether its test knows the case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bough.model.asked import Asked
from bough.model.features import Cell, Unknown
from bough.model.features.feature import Every, Net, Number, Property, Side, Sum, Value
from bough.model.routing import MISSING
from bough.model.tests import Test, conditions
from bough.model.ways import Ends, nowhere, rule_for
from bough.table import UNSEEN

__all__ = ["Among", "Between", "Demand", "Way", "ways_to"]


@dataclass(frozen=True)
class Between:
    """A sum of columns, or one column, above one number and up to another."""

    expression: Sum | Value
    above: Number | None
    below: Number | None
    side: Side

    def has(self, number: Number) -> bool:
        """Whether a number lies there."""
        closed = self.side == "le"  # a number on an edge lies below it
        if self.above is not None and not (number > self.above if closed else number >= self.above):
            return False
        return self.below is None or (number <= self.below if closed else number < self.below)


@dataclass(frozen=True)
class Among:
    """A column has one of some levels."""

    column: int
    codes: frozenset[int]


Demand: TypeAlias = Between | Among


@dataclass(frozen=True)
class Way:
    """All that must hold for a case to end in some nodes, by shares."""

    demands: tuple[Demand, ...]
    ends: Ends
    filled: frozenset[int]


def ways_to(asked: Asked, cells: Sequence[Cell], filled: frozenset[int]) -> Iterator[Way]:
    """All ways of a case of which the unknown values of some columns are filled in, and others stay."""
    stays = {
        place: "missing" if cell is None else "unseen"
        for place, cell in enumerate(cells)
        if place not in filled and (cell is None or (cell == UNSEEN and asked.columns[place].kind != "numeric"))
    }
    reader = _Reader(asked, stays)
    todo: list[tuple[Ends, Ends, tuple[Demand, ...]]] = [(((0, 1.0),), (), ())]
    while todo:
        parts, ends, demands = todo.pop()
        if not parts:
            yield Way(demands, ends, filled)
            continue
        (node, share), rest = parts[-1], parts[:-1]
        if asked.place(node).test is None:
            todo.append((rest, (*ends, (node, share)), demands))
            continue
        for children, more in reader.onward(node):
            on = tuple((child, share * part) for child, part in reversed(children))
            todo.append(((*rest, *on), ends if children else (*ends, (node, share)), (*demands, *more)))


class _Reader:
    def __init__(self, asked: Asked, stays: dict[int, str]) -> None:
        self.asked, self.stays = asked, stays

    def onward(self, node: int) -> Iterator[tuple[Ends, tuple[Demand, ...]]]:
        """The children to which a case goes, none if it ends here, with what that asks."""
        test, children = self.asked.asked_at(node), self.asked.place(node).children
        for state, demands in self._outcomes(test):
            if isinstance(state, int):
                yield ((children[state], 1.0),), demands
                continue
            rule = rule_for(self.asked, test, state)
            if rule != MISSING:
                yield nowhere(self.asked, node, rule), demands
            elif test.missing_branch is not None:
                yield ((children[test.missing_branch], 1.0),), demands
            else:
                left = [demands]
                for other in self.asked.surrogates(node):
                    still = []
                    for each in left:
                        for told, more in self._outcomes(other):
                            if isinstance(told, int):
                                yield ((children[told], 1.0),), (*each, *more)
                            else:
                                still.append((*each, *more))
                    left = still
                for each in left:
                    yield nowhere(self.asked, node, self.asked.tree.routing[1]), each

    def _outcomes(self, test: Test) -> Iterator[tuple[int | Unknown, tuple[Demand, ...]]]:
        """What a test may find, with what that asks."""
        expression = test.feature.expression()
        if isinstance(expression, Every):
            yield from self._all_of(test, expression)
            return
        assert not isinstance(expression, Net)  # noqa: S101 (refused before)
        state = self._state(test, expression)
        if state is not None:
            yield state, ()
            return
        for branch in sorted(set(test.leads)):
            for when in test.conditions(branch):
                yield branch, self._demands(when)
        if test.known_codes is not None:
            column = self.asked.columns[test.column]
            absent = set(range(column.n_levels)) - set(column.unused) - set(test.known_codes.tolist())
            if absent:
                yield "absent", (Among(test.column, frozenset(absent)),)

    def _state(self, test: Test, expression: Sum | Value) -> Unknown | None:
        """Why a test does not know the case; None if it does."""
        gone = [self.stays.get(column) for column in test.columns]
        if isinstance(expression, Value):
            return None if gone[0] is None else "unseen" if gone[0] == "unseen" else "missing"
        if "unseen" in gone and not expression.unseen_is_missing:
            return "unseen"
        known = [state is None for state in gone]
        return None if (all(known) if expression.whole else any(known)) else "missing"

    def _all_of(self, test: Test, every: Every) -> Iterator[tuple[int | Unknown, tuple[Demand, ...]]]:
        """A conjunction: one property that fails decides, else one that is not known."""
        known = [term for term in every.terms if term.column not in self.stays]
        holds = test.low
        assert holds is not None  # noqa: S101
        for number, term in enumerate(known):  # the first that fails
            before = [self._property(one, holds=True) for one in known[:number]]
            yield 1 - holds, (*before, self._property(term, holds=False))
        all_hold = tuple(self._property(term, holds=True) for term in known)
        gone = [self.stays[term.column] for term in every.terms if term.column in self.stays]
        yield (holds if not gone else "unseen" if "unseen" in gone else "missing"), all_hold

    def _property(self, asked: Property, *, holds: bool) -> Demand:
        said = holds != asked.negated
        if asked.asks_level:
            return self._among(asked.column, (asked.code,), negated=not said)
        above, below = (None, asked.edge) if said else (asked.edge, None)
        return Between(Value(asked.column), above, below, asked.side)

    def _among(self, column: int, codes: Sequence[int], *, negated: bool) -> Among:
        about = self.asked.columns[column]
        used = set(range(about.n_levels)) - set(about.unused)
        return Among(column, frozenset(used - set(codes) if negated else used & set(codes)))

    def _demands(self, when: conditions.Condition) -> tuple[Demand, ...]:
        if isinstance(when, conditions.Every):
            return tuple(one for term in when.terms for one in self._demands(term))
        if isinstance(when, conditions.Among):
            return (self._among(when.column, when.codes, negated=when.negated),)
        expression = when.feature.expression()
        assert not isinstance(expression, Every | Net)  # noqa: S101 (a truth value is not cut, a network refused before)
        return (Between(expression, when.above, when.below, when.side),)

"""Counterfactuals of trees that ask weighted sums: a way to an answer is a polyhedron, so that the nearest point of it
is found exactly by mixed-integer programming (HiGHS, by `scipy.optimize.milp`), one program for each way.

First the fewest columns are changed, then they move the least, each by its own unit. A missing value may stay so, and
counts what its terms say, or be filled in.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from bough.errors import ParameterError
from bough.explain.plane_program import Nearest, PlaneProgram
from bough.explain.plane_ways import Way, ways_to
from bough.explain.variables import Case, Variable
from bough.model.features import Cell, network_asked
from bough.model.ways import Ends

__all__ = ["Moved", "PlaneSearch"]

_MOST_WAYS = 500
_SECONDS = 60.0
_MOST_UNKNOWN = 6  # missing values of which every choice to fill them in is tried


class Moved(NamedTuple):
    """New values by column, and how far they are in all."""

    changes: dict[int, Cell]
    distance: float


@dataclass
class PlaneSearch(Case):
    """The search of one case.

    Parameters
    ----------
    accept : callable
        Whether a case that ends in these nodes, by these shares, has the wanted answer.

    Attributes
    ----------
    free : dict
        By column, what may change.
    """

    accept: Callable[[Ends], bool]
    complete: bool = True
    free: dict[int, Variable] = field(default_factory=dict)
    _ways: list[tuple[Way, dict[int, Variable]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + _SECONDS
        self._refuse_networks()
        self.free = variables = self.variables()
        unknown = [place for place, made in variables.items() if made.cell is None]
        most = len(unknown) if len(unknown) <= _MOST_UNKNOWN else 1
        self.complete = most == len(unknown)
        for size in range(most + 1):
            for filled in combinations(unknown, size):
                own = {place: v for place, v in variables.items() if v.cell is not None or place in filled}
                for way in ways_to(self.asked, self.cells, frozenset(filled)):
                    if len(self._ways) == _MOST_WAYS:
                        self.complete = False
                        return
                    if self.accept(way.ends):
                        self._ways.append((way, own))

    def _refuse_networks(self) -> None:
        """The way to an answer is a polyhedron only where planes are asked."""
        node = network_asked(self.asked.tree.arrays)
        if node is not None:
            raise ParameterError(
                f"node {node} asks a network, whose edge is a curve: no search here finds the nearest case behind it. "
                "`explain` tells the way of a row, and Shapley values with a background what each column adds."
            )

    @property
    def limits(self) -> str:
        """What was not searched, in words; empty if all was."""
        if self.complete:
            return ""
        return f"there may be a smaller change: at most {_MOST_WAYS} ways and {_SECONDS:g} s are searched"

    def found(self, told: Sequence[set[int]]) -> Iterator[Moved]:
        """Yield the best change, then the best of other columns than those told, and so on."""
        left_out: list[set[int]] = []  # what the model did not confirm
        while True:
            best: Nearest | None = None
            for way, variables in self._ways:
                seconds = self._end - time.monotonic()
                if seconds <= 0:
                    self.complete = False
                    break
                program = PlaneProgram(way, variables, self.cells, [*told, *left_out])
                nearest = program.nearest(best, seconds)
                self.complete = self.complete and not program.cut_short
                if nearest is not None and (best is None or nearest.cost < best.cost):
                    best = nearest
            if best is None:
                return
            before = len(told)
            yield Moved(best.changes, best.cost[1])
            if len(told) == before:
                left_out.append(set(best.changes))

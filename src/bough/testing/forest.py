"""A tree of a random forest, by its definition alone.

Seeds, draws, cuts, scores, ties and thresholds are those of the decisions "Forests: one definition of a tree, three
ways to find it" and "Forests: more ways to grow". Growth is best-first, which without a limit on the leaves gives the
tree of any other order. The order of three and more levels under three and more classes, a principal component, is left
to the kernel: such a column is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, islice
from math import inf

from bough.testing.forest_cuts import Cuts, Option, Sums, less, level_order
from bough.testing.forest_draws import Words, drawn_columns, forest_bag, mix
from bough.testing.forest_problem import ForestCut, ForestNode, ForestProblem

__all__ = ["ForestCut", "ForestNode", "ForestProblem", "forest_bag", "grow_forest_tree"]

_Bounds = tuple[float, float]


def grow_forest_tree(problem: ForestProblem, seed: int, tree: int, bag: Sequence[int] | None = None) -> ForestNode:
    """One tree of a forest.

    Parameters
    ----------
    problem : ForestProblem
    seed : int
        Of the forest.
    tree : int
        Its number.
    bag : list of int, optional
        How often each row is in the bag; by default its bootstrap.

    Returns
    -------
    ForestNode
        The root.

    Examples
    --------
    >>> from bough.testing import Column, ForestProblem, grow_forest_tree
    >>> problem = ForestProblem([Column("numeric", [1, 2, 3, 4])], [0], [0, 0, 1, 1])
    >>> root = grow_forest_tree(problem, 7, 0, bag=[1, 1, 1, 1])
    >>> root.cut
    ForestCut(column=0, missing_high=False, threshold=2.5, levels=0, high=frozenset())
    >>> [branch.answer for branch in root.branches]
    [(2, 0), (0, 2)]
    """
    times = forest_bag(seed, tree, len(problem.y)) if bag is None else bag
    held = problem.weights or [1] * len(problem.y)
    weight = [w * t for w, t in zip(held, times, strict=True)]
    tree_seed = mix(seed, tree)
    columns = list(range(len(problem.columns)))
    if problem.subspace == "tree":
        columns = list(islice(drawn_columns(columns, Words(mix(tree_seed, 2))), problem.max_features))
    growth = _Growth(problem, weight, columns, _places(problem, held))
    return growth.grow([row for row, w in enumerate(weight) if w > 0], mix(tree_seed, 1))


def _places(problem: ForestProblem, weight: Sequence[int]) -> dict[int, dict[int, int]]:
    """By nominal column: the place of each level of the table in an order that holds for the forest."""
    places: dict[int, dict[int, int]] = {}
    for number, column in enumerate(problem.columns):
        if column.kind != "nominal" or problem.level_order != "forest":
            continue
        rows: dict[int, list[int]] = {}
        for row, cell in enumerate(column.cells):
            if cell is not None and weight[row] > 0:
                rows.setdefault(int(cell), []).append(row)
        sums = Cuts(problem, weight, [], 0, {})
        order = level_order(problem, {level: sums.add(of) for level, of in rows.items()})
        places[number] = {level: place for place, level in enumerate(order)}
    return places


@dataclass
class _Spot:
    """A node while the tree grows."""

    cuts: Cuts
    seed: int
    depth: int
    bounds: _Bounds
    best: Option | None = None
    branches: list[_Spot] = field(default_factory=list)
    cut: ForestCut | None = None  # of the split that was made
    is_half: bool = False  # the second of two splits that part the rows in three

    def read(self) -> ForestNode:
        """The node as it is at the end."""
        if self.cut is None:
            return ForestNode(answer=self.cuts.answer)
        return ForestNode(self.cut, tuple(branch.read() for branch in self.branches))


@dataclass(frozen=True)
class _Growth:
    problem: ForestProblem
    weight: Sequence[int]
    columns: Sequence[int]
    places: Mapping[int, Mapping[int, int]]

    def grow(self, rows: Sequence[int], seed: int) -> ForestNode:
        """Split the leaf of the largest gain, of equal ones the oldest, as long as there may be more leaves."""
        root = self.spot(rows, seed, 0, (-inf, inf))
        age = count()
        waiting: list[tuple[float, int, _Spot]] = []
        if root.best is not None:
            heappush(waiting, (-root.cuts.gain(root.best), next(age), root))
        leaves = 1
        while waiting and leaves < (self.problem.max_leaf_nodes or inf):
            worth, _, spot = heappop(waiting)
            leaves += 1
            if spot.best is not None:
                self.split(spot, spot.best)
            for branch in spot.branches:
                if branch.best is not None:
                    # The second half of a split in three is worth what the whole is.
                    of_branch = worth if branch.is_half else -branch.cuts.gain(branch.best)
                    heappush(waiting, (of_branch, next(age), branch))
        return root.read()

    def spot(self, rows: Sequence[int], seed: int, depth: int, bounds: _Bounds) -> _Spot:
        """A new leaf with the cut that it would be split by."""
        spot = _Spot(Cuts(self.problem, self.weight, rows, seed, self.places), seed, depth, bounds)
        best = None if self.closed(spot) else self.best(spot)
        if best is not None and spot.cuts.gain(best) >= self.problem.min_decrease * float(sum(self.weight)):
            spot.best = best
        return spot

    def closed(self, spot: _Spot) -> bool:
        problem, weight = self.problem, spot.cuts.weight
        too_deep = problem.max_depth is not None and spot.depth >= problem.max_depth
        return spot.cuts.pure or too_deep or weight < problem.min_split or weight < 2 * problem.min_leaf

    def best(self, spot: _Spot) -> Option | None:
        """The best cut of the columns looked at: what is equally good and comes later does not win."""
        cuts = spot.cuts
        words = Words(spot.seed)
        looked = 0
        best, most = None, None
        for column in drawn_columns(self.columns, words):
            groups = cuts.groups(column)
            constant = cuts.is_constant(groups)
            if not constant:
                for option in cuts.options(column, groups, words):
                    if not self.allows(spot, option):
                        continue
                    score = cuts.score(option)
                    if most is None or score > most:
                        best, most = option, score
            looked += not constant or self.problem.constants_count
            if looked == self.problem.max_features:
                break
        return best

    def sides(self, cuts: Cuts, option: Option) -> tuple[Sums, Sums]:
        return option.low, less(cuts.total, option.low, option.apart)

    def allows(self, spot: _Spot, option: Option) -> bool:
        """Whether branches are heavy enough, and their answers within the bounds and in order."""
        cuts, least = spot.cuts, self.problem.min_leaf
        scored = option.scored_low, less(option.scored, option.scored_low)
        if min(cuts.weight_of(side) for side in scored) < least:
            return False
        if option.apart is not None and cuts.weight_of(option.apart) < least:
            return False
        if not self.problem.monotone:
            return True
        low, high = (cuts.mean(side) for side in self.sides(cuts, option))
        answers = [low, high] if option.apart is None else [low, high, cuts.mean(option.apart)]
        sign = self.problem.monotone[option.cut.column] if option.values else 0
        within = all(spot.bounds[0] <= answer <= spot.bounds[1] for answer in answers)
        return within and sign * (low - high) <= 0

    def split(self, spot: _Spot, option: Option) -> None:
        """Split a leaf."""
        cuts, depth = spot.cuts, spot.depth + 1
        cells = self.problem.columns[option.cut.column].cells
        if option.apart is not None:
            # Two splits: what is known against what is missing, then the cut of what is known.
            missing, seed = [row for row in cuts.rows if cells[row] is None], mix(spot.seed, 0)
            known = Cuts(self.problem, self.weight, sorted(set(cuts.rows) - set(missing)), seed, self.places)
            levels = option.cut.levels
            spot.cut = ForestCut(option.cut.column, missing_high=True, threshold=0.0 if levels else inf, levels=levels)
            second = Option(option.cut, option.low, option.low, option.scored)
            rest = _Spot(known, seed, spot.depth, spot.bounds, second, is_half=True)
            spot.branches = [rest, self.spot(missing, mix(spot.seed, 1), depth, spot.bounds)]
            return
        rows: tuple[list[int], list[int]] = ([], [])
        for row in cuts.rows:
            rows[option.cut.is_high(cells[row])].append(row)
        spot.cut = option.cut
        low, high = (cuts.mean(cuts.add(side)) for side in rows)
        bounds = self.bounds_below(spot.bounds, option, (low + high) / 2)
        spot.branches = [
            self.spot(side, mix(spot.seed, branch), depth, bounds[branch]) for branch, side in enumerate(rows)
        ]

    def bounds_below(self, bounds: _Bounds, option: Option, middle: float) -> tuple[_Bounds, _Bounds]:
        sign = self.problem.monotone[option.cut.column] if self.problem.monotone and option.values else 0
        if sign == 0:
            return bounds, bounds
        below, above = (bounds[0], middle), (middle, bounds[1])
        return (below, above) if sign > 0 else (above, below)

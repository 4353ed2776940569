"""Tests that cut the numbers of a feature, or ordered levels by their codes: what thresholds and intervals share."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence

from bough.model.features import ColumnValue, Feature, Number, Side, Unknown
from bough.model.tests.cells import Cells, Cut, Grid
from bough.model.tests.conditions import Among, Between, Rule
from bough.model.tests.test import Test

__all__ = ["Ordered"]

_SIGNS: dict[Side, tuple[str, str, str, str]] = {
    # what bounds from above, from below, and from below read from the left; brackets
    "le": ("<=", ">", "<", "(]"),
    "lt": ("<", ">=", "<=", "[)"),
}


class Ordered(Test):
    """Rising edges and the branch of each interval between them, lowest first.

    Parameters
    ----------
    feature : Feature
    edges : sequence of numbers
        As the kernel compares them, each in its own type: 0 and 0.0 differ.
    branches : sequence of int
        One more than edges.
    on : {"le", "lt"}
        Where a value equal to an edge belongs: "le" below it.
    missing_branch : int or None
    """

    partition = "threshold"

    def __init__(
        self,
        feature: Feature,
        edges: Sequence[Number],
        branches: Sequence[int],
        on: Side = "le",
        missing_branch: int | None = None,
    ) -> None:
        super().__init__(feature, missing_branch)
        self.numbers = tuple(edges)
        self.branches = tuple(branches)
        self.on: Side = on

    @property
    def leads(self) -> tuple[int, ...]:
        """The branch of each interval."""
        return self.branches

    @property
    def _n_parting(self) -> int:
        return len(self.numbers)

    def _branch_of(self, value: Number) -> int | Unknown:
        place = bisect_right(self.numbers, value) if self.on == "lt" else bisect_left(self.numbers, value)
        return self.branches[place]

    def _words(
        self, branch: int, *, exact: bool, short: bool, quoted: bool, most_levels: int | None, ellipsis: str
    ) -> str:
        """The intervals of a branch; short, those with two ends in brackets."""
        below, above, first, brackets = _SIGNS[self.on]
        name = "" if short else self.feature.words(exact=exact, quoted=quoted)
        lead = "" if short else f"{name} "
        texts = []
        for begin, end in self._runs(branch):
            low, high = (self._text(edge, exact=exact, quoted=quoted) for edge in (begin - 1, end))
            if low is not None and high is not None:
                between = f"{low} {first} {name} {below} {high}"
                texts.append(f"{brackets[0]}{low}, {high}{brackets[1]}" if short else between)
            elif high is not None:
                texts.append(f"{lead}{below} {high}")
            elif low is not None:
                texts.append(f"{lead}{above} {low}")
            else:
                texts.append("known" if short else f"{name} is known")
        return " or ".join(texts) or f"{lead}in {{}}"

    def around(self, branch: int) -> tuple[str, str] | None:
        """The bounds of a branch that is one interval, with short numbers."""
        runs = [] if self.asks_missing else self._runs(branch)
        if len(runs) != 1:
            return None
        below, above, first, _ = _SIGNS[self.on]
        low, high = (self._text(edge, exact=False, quoted=False) for edge in (runs[0][0] - 1, runs[0][1]))
        if high is None:
            return None if low is None else ("", f"{above} {low}")
        return "" if low is None else f"{low} {first}", f"{below} {high}"

    def _runs(self, branch: int) -> list[tuple[int, int]]:
        """The intervals of a branch, neighbours together."""
        runs: list[tuple[int, int]] = []
        for number, own in enumerate(self.branches):
            if own != branch:
                continue
            if runs and runs[-1][1] == number - 1:
                runs[-1] = (runs[-1][0], number)
            else:
                runs.append((number, number))
        return runs

    def _text(self, edge: int, *, exact: bool, quoted: bool) -> str | None:
        if not 0 <= edge < len(self.numbers):
            return None
        return self.feature.text(self.numbers[edge], self.on, exact=exact, quoted=quoted)

    def number_texts(self) -> list[str]:
        """Its edges."""
        return [self.feature.text(edge, self.on, exact=True) for edge in self.numbers]

    def rules(self) -> list[Rule]:
        """Interval by interval, neighbours of one branch together; of ordered levels, their codes by branch."""
        if isinstance(self.feature, ColumnValue) and self.feature.is_coded:
            by_branch: dict[int, list[int]] = {}
            for code in range(self.feature.column.n_levels):
                branch = self._branch_of(code)
                assert isinstance(branch, int)  # noqa: S101
                by_branch.setdefault(branch, []).append(code)
            return [Rule(Among(self.column, tuple(codes)), b) for b, codes in sorted(by_branch.items())]
        edges = (None, *self.numbers, None)
        rules, first = [], 0
        for end in range(1, len(self.branches) + 1):
            if end == len(self.branches) or self.branches[end] != self.branches[first]:
                rules.append(Rule(Between(self.feature, edges[first], edges[end], self.on), self.branches[first]))
                first = end
        return rules

    @property
    def cuts(self) -> dict[int, list[Cut]]:
        """Its edges, if it asks a column."""
        return {self.column: [Cut(edge, self.on == "le") for edge in self.numbers]} if self.has_cells else {}

    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """The cells between its edges."""
        if not self.has_cells:
            return None
        grid = grids[self.column]
        places = [grid.first_above(edge, strictly=self.on == "lt") for edge in self.numbers]
        bounds = [0, *places, grid.size]
        cells: list[tuple[int, int]] = []
        for number, own in enumerate(self.branches):
            first, last = bounds[number], bounds[number + 1] - 1
            if own != branch or first > last:
                continue
            if cells and cells[-1][1] == first - 1:
                cells[-1] = (cells[-1][0], last)
            else:
                cells.append((first, last))
        return {self.column: tuple(cells)}

    def mapped(self, to: Callable[[int], int | None], missing: int | None) -> Test:
        """The same edges, as far as they still part branches: a threshold if one is left."""
        from bough.model.tests.intervals import Intervals  # these two are made of what they share
        from bough.model.tests.threshold import Threshold

        sides = [to(branch) for branch in self.branches]
        current = next(side for side in sides if side is not None)
        edges: list[Number] = []
        branches = [current]
        for number, side in enumerate(sides):
            if side is None or side == current:
                continue
            edges.append(self.numbers[number - 1])
            branches.append(side)
            current = side
        kind = Threshold if len(edges) == 1 else Intervals
        return kind(self.feature, edges, branches, self.on, missing)

"""Sets of levels: each level of a nominal column that training rows held at the node takes a branch."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.model.features import ColumnValue, Number, Unknown
from bough.model.tests.cells import Box, Cells, Grid, Space, runs_of
from bough.model.tests.conditions import Among, Rule
from bough.model.tests.test import Test
from bough.model.text import among, level_set
from bough.table import Label

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Levels", "set_columns"]

Codes = npt.NDArray[np.int32]


class Levels(Test):
    """Codes of levels and the branch of each; a level in none of them was absent in training.

    Parameters
    ----------
    feature : ColumnValue
    codes, branches : ndarray of int32
    missing_branch : int or None
    """

    kind = "levels"
    number = 1  # as the kernel writes kinds
    partition = "levels"

    feature: ColumnValue

    def __init__(self, feature: ColumnValue, codes: Codes, branches: Codes, missing_branch: int | None = None) -> None:
        super().__init__(feature, missing_branch)
        self.codes = codes
        self.branches = branches

    @classmethod
    def read(cls, arrays: "Arrays", split: int, feature: ColumnValue, missing: int | None) -> "Levels":
        """The sets of levels of a split of the kernel."""
        place = int(arrays.split_payload[split])
        own = slice(arrays.set_begin[place], arrays.set_begin[place + 1])
        return cls(feature, arrays.set_code[own], arrays.set_branch[own], missing)

    @cached_property
    def leads(self) -> tuple[int, ...]:
        """The branches of the levels."""
        return tuple(np.unique(self.branches).tolist())

    @property
    def _n_parting(self) -> int:
        """The levels of all branches but the largest, for which "any other" would do."""
        return len(self.branches) - int(np.bincount(self.branches).max(initial=0))

    @cached_property
    def _of_code(self) -> dict[int, int]:
        return dict(zip(self.codes.tolist(), self.branches.tolist(), strict=True))

    @cached_property
    def _cells(self) -> dict[int, Cells]:
        return {branch: runs_of(self.codes[self.branches == branch].tolist()) for branch in self.leads}

    @property
    def levels(self) -> tuple[tuple[Label, ...], ...]:
        """The levels that lead to each branch."""
        labels = self.feature.column.levels or ()
        by_branch: list[list[Label]] = [[] for _ in range(self.n_branches)]
        for code, branch in zip(self.codes.tolist(), self.branches.tolist(), strict=True):
            by_branch[branch].append(labels[code])
        return tuple(tuple(branch) for branch in by_branch)

    def _branch_of(self, value: Number) -> int | Unknown:
        return self._of_code.get(int(value), "absent")

    def _words(
        self, branch: int, *, exact: bool, short: bool, quoted: bool, most_levels: int | None, ellipsis: str
    ) -> str:
        own = self.codes[self.branches == branch]
        shown = own if most_levels is None or len(own) <= most_levels else own[: max(most_levels, 1)]
        labels = self.feature.column.levels or ()
        named, more = [labels[code] for code in shown.tolist()], len(own) - len(shown)
        if short and len(own) != 1:
            return level_set(named, more, ellipsis, quoted=quoted)[1:-1]
        text = among(named, more, ellipsis, quoted=quoted)
        return text if short else f"{self.feature.words(quoted=quoted)} {text}"

    def n_levels(self, branch: int) -> int:
        """How many levels lead to a branch."""
        return int((self.branches == branch).sum())

    def rules(self) -> list[Rule]:
        """The codes of each branch."""
        return [
            Rule(Among(self.column, tuple(self.codes[self.branches == branch].tolist())), branch)
            for branch in self.leads
        ]

    @property
    def known_codes(self) -> Codes:
        """Those that lead to some branch."""
        return self.codes

    @property
    def code_branches(self) -> Codes:
        """The branch of each."""
        return self.branches

    def cells(self, branch: int, grids: Mapping[int, Grid]) -> dict[int, Cells] | None:
        """The codes of the branch."""
        return {self.column: self._cells.get(branch, ())}

    def outcomes(self, space: Space[Box], box: Box) -> Iterator[tuple[int | Unknown, Box]]:
        """As for other tests of a column; besides, levels that lead to no branch."""
        yield from super().outcomes(space, box)
        absent = space.outside(box, self.column, runs_of(self._of_code))
        if absent is not None:
            yield "absent", absent

    def mapped(self, to: Callable[[int], int | None], missing: int | None) -> Test:
        """The levels whose branches are still asked for."""
        kept = [(code, side) for code, branch in self._of_code.items() if (side := to(branch)) is not None]
        codes = np.array([code for code, _ in kept], dtype=np.int32)
        return Levels(self.feature, codes, np.array([side for _, side in kept], dtype=np.int32), missing)

    def write(self, builder: Any, **more: Any) -> None:
        """As sets of levels."""
        about = self._more(more) | {"found": self.found}
        builder.add_levels(self.column, self.codes.tolist(), self.branches.tolist(), **about)


def set_columns(arrays: Mapping[str, npt.NDArray[Any]]) -> list[int]:
    """The columns of the sets of levels of a tree, in the order of the sets."""
    columns: list[int] = arrays["split_column"][arrays["split_kind"] == 1].tolist()
    return columns

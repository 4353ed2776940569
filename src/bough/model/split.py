"""A split as a user reads it: which column is asked, what leads to which branch, how good it is, how it was found."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.condition import describe, number_text
from bough.table import Column, Label, value_of

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Split", "Term"]

_Codes: TypeAlias = npt.NDArray[np.int32]

ROLES = ("primary", "competitor", "surrogate")
KINDS = ("threshold", "levels", "intervals", "conjunction")
CONJUNCTION = 3
FOUND = ("exact", "ordered", "pca", "superclass", "median_order", "mean_order", "greedy")
SIDES: tuple[Literal["le", "lt"], ...] = ("le", "lt")
VALUE_TYPES = (np.float64, np.int64, np.uint64)


class Term(NamedTuple):
    """One property that a conjunction asks for: the column has the level or, negated, any other."""

    column: str
    level: Label
    negated: bool


class Split:
    """A read-only view of one split of a tree; obtained from a node, never made by hand.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, [0, 0, 0, 1, 1, 1])
    >>> split = clf.tree_.root.split
    >>> split.column, split.threshold, split.side
    ('age', 38.5, 'le')
    >>> split.describe(0), split.describe(1)
    ('age <= 38.5', 'age > 38.5')
    >>> [(other.describe(0), other.gain) for other in clf.tree_.root.competitors]
    [('job in {B}', 0.5)]
    """

    __slots__ = ("_index", "_tree")

    def __init__(self, tree: "Tree", index: int) -> None:
        self._tree = tree
        self._index = index

    @property
    def index(self) -> int:
        """The position among the splits of the tree."""
        return self._index

    @property
    def role(self) -> str:
        """What it is to its node: "primary", "competitor" or "surrogate"."""
        return ROLES[self._tree.arrays.split_role[self._index]]

    @property
    def kind(self) -> str:
        """The form of the test: "threshold", "levels", "intervals" or "conjunction"."""
        return KINDS[self._tree.arrays.split_kind[self._index]]

    @property
    def found(self) -> str:
        """How the search found it: "exact", or the name of the heuristic."""
        return FOUND[self._tree.arrays.split_found[self._index]]

    @property
    def column_index(self) -> int:
        """The position of the column in the schema; of a conjunction, that of its first term."""
        return int(self._tree.arrays.split_column[self._index])

    @property
    def column(self) -> str:
        """The name of the column that is asked; a conjunction asks more than this one, see `terms`."""
        return self.schema_column.name

    @property
    def schema_column(self) -> Column:
        """The column as the schema describes it."""
        return self._tree.schema.columns[self.column_index]

    @property
    def threshold(self) -> Any:
        """The threshold as the column has its values: a number, a date or time, a level; None for other kinds.

        A threshold between two dates is the one that says the same: the earlier for ``<=``, the later for ``<``.
        """
        raw, side = self.raw_threshold, self.side
        return None if raw is None or side is None else value_of(self.schema_column, raw, side=side)

    @property
    def raw_threshold(self) -> float | int | None:
        """The threshold as the kernel compares it: ticks since 1970 of a time, the code of an ordered level."""
        if self.kind != "threshold":
            return None
        arrays = self._tree.arrays
        payload = arrays.split_payload[self._index : self._index + 1]
        value: float | int = payload.view(VALUE_TYPES[arrays.split_value_type[self._index]])[0].item()
        return value

    @property
    def side(self) -> Literal["le", "lt"] | None:
        """Where a value equal to the threshold or an edge belongs: "le" with the lower ones, "lt" with the higher."""
        has_one = self.kind == "threshold" or bool(self.raw_edges)
        return SIDES[self._tree.arrays.split_side[self._index]] if has_one else None

    @property
    def low(self) -> int | None:
        """The branch of the values below the threshold, or of the cases for which a conjunction holds; else None."""
        has_one = self.kind in ("threshold", "conjunction")
        return int(self._tree.arrays.split_low[self._index]) if has_one else None

    @property
    def edges(self) -> tuple[Any, ...] | None:
        """The rising edges between intervals, as the column has its values; None for other kinds."""
        raw = self.raw_edges
        return None if raw is None else tuple(value_of(self.schema_column, x, side=self.side or "le") for x in raw)

    @property
    def raw_edges(self) -> tuple[float | int, ...] | None:
        """The edges as the kernel compares them; see `raw_threshold`."""
        if self.kind != "intervals":
            return None
        arrays = self._tree.arrays
        begin, end, _ = self._edge_range()
        types = arrays.edge_type[begin:end].tolist()
        return tuple(
            arrays.edge_bits[begin + k : begin + k + 1].view(VALUE_TYPES[kind])[0].item()
            for k, kind in enumerate(types)
        )

    @property
    def interval_branches(self) -> tuple[int, ...] | None:
        """The branch of each interval, lowest first, one more than edges; None for other kinds."""
        if self.kind != "intervals":
            return None
        begin, end, number = self._edge_range()
        return tuple(self._tree.arrays.interval_branch[begin + number : end + number + 1].tolist())

    def _edge_range(self) -> tuple[int, int, int]:
        arrays = self._tree.arrays
        number = int(arrays.split_payload[self._index])
        return int(arrays.edge_begin[number]), int(arrays.edge_begin[number + 1]), number

    @property
    def terms(self) -> tuple[Term, ...] | None:
        """The properties that a conjunction asks for together; None for other kinds."""
        if self.kind != "conjunction":
            return None
        columns = self._tree.schema.columns
        return tuple(
            Term(columns[c].name, (columns[c].levels or ())[code], negated) for c, code, negated in self.coded_terms
        )

    @property
    def coded_terms(self) -> list[tuple[int, int, bool]]:
        """The terms as the kernel has them: numbers of columns and levels; none for other kinds."""
        if self.kind != "conjunction":
            return []
        arrays = self._tree.arrays
        number = int(arrays.split_payload[self._index])
        own = slice(arrays.term_begin[number], arrays.term_begin[number + 1])
        negated = arrays.term_negated[own].astype(bool).tolist()
        return list(zip(arrays.term_column[own].tolist(), arrays.term_code[own].tolist(), negated, strict=True))

    @property
    def missing_branch(self) -> int | None:
        """The branch of cases whose value is missing; None if that is left to the routing of the tree."""
        missing = self._tree.arrays.split_missing
        return int(missing[self._index]) if len(missing) and missing[self._index] >= 0 else None

    @property
    def missing_alone(self) -> bool:
        """Whether missing values have a branch to which nothing else leads."""
        branch = self.missing_branch
        return branch is not None and not self._leads_to(branch)

    @property
    def asks_missing(self) -> bool:
        """Whether the test is whether the value is missing: all known values take one branch."""
        return self.missing_alone and self.n_branches == 2

    def reaches(self, branch: int) -> bool:
        """Whether some case takes the branch: a surrogate need not lead to all branches of its node."""
        return self._leads_to(branch) or self.missing_branch == branch

    def _leads_to(self, branch: int) -> bool:
        if self.kind == "levels":
            return bool((self.level_codes[1] == branch).any())
        return branch in (self.interval_branches or (0, 1))

    @property
    def levels(self) -> tuple[tuple[Label, ...], ...] | None:
        """The levels that lead to each branch; None for other kinds. A level in none of them was absent in training."""
        if self.kind != "levels":
            return None
        codes, branches = self.level_codes
        labels = self.schema_column.levels or ()
        by_branch: list[list[Label]] = [[] for _ in range(self.n_branches)]
        for code, branch in zip(codes.tolist(), branches.tolist(), strict=True):
            by_branch[branch].append(labels[code])
        return tuple(tuple(branch) for branch in by_branch)

    @property
    def level_codes(self) -> tuple[_Codes, _Codes]:
        """The codes of a set of levels and their branches, as the kernel has them."""
        arrays = self._tree.arrays
        number = int(arrays.split_payload[self._index])
        begin, end = arrays.set_begin[number], arrays.set_begin[number + 1]
        return arrays.set_code[begin:end], arrays.set_branch[begin:end]

    @property
    def n_branches(self) -> int:
        """The number of branches that the split tells apart, that of missing values included."""
        known = self.level_codes[1].tolist() if self.kind == "levels" else (self.interval_branches or (0, 1))
        missing = self.missing_branch
        return max(*known, -1 if missing is None else missing) + 1

    @property
    def gain(self) -> float | None:
        """The drop of impurity; None for a surrogate."""
        return None if self.role == "surrogate" else float(self._tree.arrays.split_score[self._index])

    @property
    def agreement(self) -> float | None:
        """The share of the rows that a surrogate sends where the primary split does; None for other splits."""
        return float(self._tree.arrays.split_score[self._index]) if self.role == "surrogate" else None

    @property
    def adjusted(self) -> float | None:
        """The agreement of a surrogate beyond that of the majority rule: 0 no better, 1 perfect."""
        adjusted = self._tree.arrays.split_adjusted
        return float(adjusted[self._index]) if self.role == "surrogate" and len(adjusted) else None

    def describe(self, branch: int, *, exact: bool = True, most_levels: int | None = None, ellipsis: str = "…") -> str:
        """The condition that leads to a branch.

        Parameters
        ----------
        branch : int
            The number of the branch, from 0.
        exact : bool, default=True
            Print all digits of a threshold; else a short decimal.
        most_levels : int, optional
            Fold sets with more levels.
        ellipsis : str
            What stands for the folded levels.
        """
        if not 0 <= branch < self.n_branches:
            raise IndexError(f"branch {branch} of a split with {self.n_branches} branches")
        return describe(self, branch, exact=exact, most_levels=most_levels, ellipsis=ellipsis)

    @property
    def threshold_text(self) -> str:
        """The threshold, or the edges, as text with all digits; empty for other kinds."""
        raw = self.raw_threshold
        numbers = (self.raw_edges or ()) if raw is None else (raw,)
        return " | ".join(number_text(self.schema_column, x, self.side or "le", exact=True) for x in numbers)

    def __repr__(self) -> str:
        score = f"gain {self.gain:.6g}" if self.gain is not None else f"agreement {self.agreement:.6g}"
        return f"<{self.role} split: {self.describe(0, exact=False, most_levels=8)}; {score}>"

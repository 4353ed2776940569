"""A split as a user reads it: which column is asked, what leads to which branch, how good it is, how it was found."""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.text import level_set, significant
from bough.table import Column, Label, format_text, format_value, value_of

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["Split"]

_Codes: TypeAlias = npt.NDArray[np.int32]

ROLES = ("primary", "competitor", "surrogate")
KINDS = ("threshold", "levels")
FOUND = ("exact", "ordered", "pca", "superclass", "median_order", "mean_order")
SIDES: tuple[Literal["le", "lt"], ...] = ("le", "lt")
VALUE_TYPES = (np.float64, np.int64, np.uint64)


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
    def role(self) -> str:
        """What it is to its node: "primary", "competitor" or "surrogate"."""
        return ROLES[self._tree.arrays.split_role[self._index]]

    @property
    def kind(self) -> str:
        """The form of the test: "threshold" or "levels"."""
        return KINDS[self._tree.arrays.split_kind[self._index]]

    @property
    def found(self) -> str:
        """How the search found it: "exact", or the name of the heuristic."""
        return FOUND[self._tree.arrays.split_found[self._index]]

    @property
    def column_index(self) -> int:
        """The position of the column in the schema."""
        return int(self._tree.arrays.split_column[self._index])

    @property
    def column(self) -> str:
        """The name of the column that is asked."""
        return self._schema_column.name

    @property
    def _schema_column(self) -> Column:
        return self._tree.schema.columns[self.column_index]

    @property
    def threshold(self) -> Any:
        """The threshold as the column has its values: a number, a date or time, a level; None for sets of levels.

        A threshold between two dates is the one that says the same: the earlier for ``<=``, the later for ``<``.
        """
        raw, side = self.raw_threshold, self.side
        return None if raw is None or side is None else value_of(self._schema_column, raw, side=side)

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
        """Where a value equal to the threshold belongs: "le" with the lower ones, "lt" with the higher ones."""
        return SIDES[self._tree.arrays.split_side[self._index]] if self.kind == "threshold" else None

    @property
    def low(self) -> int | None:
        """The branch of the values below the threshold."""
        return int(self._tree.arrays.split_low[self._index]) if self.kind == "threshold" else None

    @property
    def levels(self) -> tuple[tuple[Label, ...], ...] | None:
        """The levels that lead to each branch; None for a threshold. A level in none of them was absent in training."""
        if self.kind != "levels":
            return None
        codes, branches = self._set()
        labels = self._schema_column.levels or ()
        by_branch: list[list[Label]] = [[] for _ in range(self.n_branches)]
        for code, branch in zip(codes.tolist(), branches.tolist(), strict=True):
            by_branch[branch].append(labels[code])
        return tuple(tuple(branch) for branch in by_branch)

    def _set(self) -> tuple[_Codes, _Codes]:
        arrays = self._tree.arrays
        number = int(arrays.split_payload[self._index])
        begin, end = arrays.set_begin[number], arrays.set_begin[number + 1]
        return arrays.set_code[begin:end], arrays.set_branch[begin:end]

    @property
    def n_branches(self) -> int:
        """The number of branches that the split tells apart."""
        return 2 if self.kind == "threshold" else int(self._set()[1].max()) + 1

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
        name = format_text(self.column)
        if self.kind == "levels":
            return f"{name} in {self._describe_set(branch, most_levels, ellipsis)}"
        low_sign, high_sign = ("<=", ">") if self.side == "le" else ("<", ">=")
        return f"{name} {low_sign if branch == self.low else high_sign} {self._threshold_text(exact=exact)}"

    @property
    def threshold_text(self) -> str:
        """The threshold as text, with all digits; empty for sets of levels."""
        return self._threshold_text(exact=True) if self.kind == "threshold" else ""

    def _threshold_text(self, *, exact: bool) -> str:
        value, side = self.raw_threshold, self.side
        assert value is not None and side is not None  # noqa: S101, PT018
        digits = significant(value) if isinstance(value, float) and not exact else None
        return format_value(self._schema_column, value, side=side, digits=digits)

    def _describe_set(self, branch: int, most: int | None, ellipsis: str) -> str:
        codes, branches = self._set()
        own = codes[branches == branch]
        shown = own if most is None or len(own) <= most else own[: max(most, 1)]
        labels = self._schema_column.levels or ()
        return level_set((labels[code] for code in shown.tolist()), len(own) - len(shown), ellipsis)

    def __repr__(self) -> str:
        score = f"gain {self.gain:.6g}" if self.gain is not None else f"agreement {self.agreement:.6g}"
        return f"<{self.role} split: {self.describe(0, exact=False, most_levels=8)}; {score}>"

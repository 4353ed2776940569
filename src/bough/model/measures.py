"""How large a tree is, and what of it is due to which column: nodes, tests, values written in tests, bytes.

Texts measure the size of a tree by its nodes and by how complex their tests are: a tree of few nodes whose tests each
weigh ten columns is not small. Columns asked near the root matter for most rows. And a tree keeps no rows, so that it
should take far less room than they do.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.model.features import columns_asked
from bough.model.frame import as_frame
from bough.model.text import plain_number, share

if TYPE_CHECKING:
    from bough.model.tree import Tree
    from bough.table import Column

__all__ = ["Measures", "measures"]

_CODE_BYTES = 4  # of a level


@dataclass(frozen=True)
class Measures:
    """What can be counted in a tree; `Tree.measures` returns it. Print it, or take `to_frame()` for the columns.

    Attributes
    ----------
    n_nodes, n_leaves, depth : int
    mean_tests : float
        How many tests a training row meets on average.
    n_tests : int
        Nodes that ask something.
    n_values : int
        The numbers and levels written in all tests together, how complex they are: a threshold has one value, B
        intervals have B - 1, a set of levels those of all branches but the largest, a conjunction one a property, and a
        sum of columns one a term and its threshold.
    n_bytes : int
        Of the tree in memory, with the class counts of its nodes and the competitors and surrogates of its tests.
    rows : int
        Training rows.
    table_bytes : int
        Of those rows as the tree was grown on them: a number in the type of its column, a level in four bytes.
    columns : dict of str to list
        One entry a column of the table, those asked nearest to the root first: `column`, the number of `tests` that ask
        it, its `least_depth` and its `mean_depth` over these tests (0 at the root); NaN where it is never asked.
    """

    n_nodes: int
    n_leaves: int
    depth: int
    mean_tests: float
    n_tests: int
    n_values: int
    n_bytes: int
    rows: int
    table_bytes: int
    columns: dict[str, Any] = field(repr=False)

    @property
    def values_per_test(self) -> float:
        """How many values a test has on average; 0 without tests."""
        return self.n_values / self.n_tests if self.n_tests else 0.0

    @property
    def bytes_per_row(self) -> float:
        """The bytes of the tree for each training row."""
        return self.n_bytes / self.rows if self.rows else np.nan

    def to_frame(self) -> Any:
        """Return the columns as a data frame: pandas, else polars, else a dict, as installed."""
        return as_frame(self.columns)

    def __str__(self) -> str:
        ratio = self.n_bytes / self.table_bytes if self.table_bytes else 0.0
        size = "" if not ratio else f", {share(ratio)} of them" if ratio <= 1 else f", {ratio:.3g} times as many"
        asked = [
            f"  {name}: {count:,} {'test' if count == 1 else 'tests'}, mean depth {plain_number(depth)}"
            for name, count, depth in zip(
                self.columns["column"], self.columns["tests"], self.columns["mean_depth"], strict=True
            )
            if count
        ]
        lines = [
            f"nodes: {self.n_nodes:,}, leaves: {self.n_leaves:,}, depth: {self.depth:,}",
            f"tests met by a training row: {plain_number(self.mean_tests)} on average",
            f"values in its tests: {self.n_values:,}, {plain_number(self.values_per_test)} a test",
            f"bytes: {self.n_bytes:,} for {self.rows:,} rows of {self.table_bytes:,} bytes{size}",
            f"columns asked: {len(asked):,} of {len(self.columns['column']):,}",
        ]
        return "\n".join(lines + asked)


def measures(tree: "Tree") -> Measures:
    """Count what the tree is made of: nodes, values in tests, bytes, and how deep each column is asked.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.CARTClassifier(pruning=0.01).fit(X, y).tree_.measures()
    >>> found.n_tests, found.n_values
    (3, 3)
    >>> found.to_frame()[["column", "tests", "mean_depth"]].head(3)
                  column  tests  mean_depth
    0  flipper_length_mm      1         0.0
    1             island      1         1.0
    2     bill_length_mm      1         1.0
    """
    arrays = tree.arrays
    rows = int(arrays.rows[0])
    tests = [node.split.test for node in tree.nodes if node.split is not None]
    return Measures(
        n_nodes=tree.n_nodes,
        n_leaves=tree.n_leaves,
        depth=tree.depth,
        mean_tests=tree.mean_tests,
        n_tests=len(tests),
        n_values=sum(test.n_values for test in tests),
        n_bytes=sum(int(array.nbytes) for array in tree.kernel.to_arrays().values()),
        rows=rows,
        table_bytes=rows * sum(_cell_bytes(column) for column in tree.inputs.schema.columns),
        columns=_columns(tree),
    )


def _cell_bytes(column: "Column") -> int:
    if column.levels is not None:
        return _CODE_BYTES
    try:
        return np.dtype(column.dtype).itemsize
    except TypeError:
        return np.dtype(np.int64).itemsize  # dates and times are counted in ticks


def _columns(tree: "Tree") -> dict[str, Any]:
    """How often and how deep each column is asked."""
    arrays, names = tree.arrays, tree.schema.names
    first = arrays.split_begin[:-1][np.diff(arrays.child_begin) > 0]  # the test of a node is its first split
    depth = np.zeros(len(arrays.split_column))
    depth[first] = tree.kernel.depths()[np.diff(arrays.child_begin) > 0]
    asked, splits, _ = columns_asked(arrays, first)
    both = np.unique(np.stack([asked, splits]), axis=1)  # a test may ask a column twice
    count = np.bincount(both[0], minlength=len(names))
    total = np.bincount(both[0], weights=depth[both[1]], minlength=len(names))
    mean: npt.NDArray[np.float64] = np.divide(total, count, out=np.full(len(names), np.nan), where=count > 0)
    least = np.full(len(names), np.inf)
    np.minimum.at(least, both[0], depth[both[1]])
    order = np.lexsort((np.arange(len(names)), -count, mean))  # NaN comes last
    return {
        "column": [names[k] for k in order.tolist()],
        "tests": count[order].tolist(),
        "least_depth": np.where(count > 0, least, np.nan)[order].tolist(),
        "mean_depth": mean[order].tolist(),
    }

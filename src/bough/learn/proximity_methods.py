"""Methods of forests that compare rows by the leaves they share: proximity, neighbours, outlier scores.

They are plain functions here, bound in `ForestEstimator`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.learn.classifier import classes_of_rows
from bough.learn.forest_replay import Replay, replay
from bough.recipe import parameters as check

if TYPE_CHECKING:
    from bough.explain.proximity import Leaves, Proximities
    from bough.learn.forest_estimator import ForestEstimator

__all__ = ["neighbours", "outlier_scores", "proximity"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def proximity(
    self: "ForestEstimator",
    X: Any,
    Z: Any = None,
    *,
    out_of_bag: bool = False,
    y: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    max_pairs: int = 5 * 10**7,
) -> Any:
    """Return how alike rows are to the forest: the share of trees in which two of them end in the same leaf.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
    Z : table, optional
        The rows to compare with; by default those of X.
    out_of_bag : bool, default=False
        Whether a tree counts for two rows only if neither is in its bag: honest for the rows of the fit, which draw
        their own kind near in the trees that were grown on them. X, `y`, `sample_weight` and `groups` are then those of
        the fit, and there is no Z. Pairs that no tree has both not seen are 0.
    y, sample_weight, groups
        With `out_of_bag`.
    max_pairs : int, default=50,000,000
        A DataError if more pairs than these share a leaf; a pair takes 12 bytes.

    Returns
    -------
    scipy.sparse.csr_matrix of shape (n_rows, n_rows of Z)

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=50).fit(X, y)
    >>> near = clf.proximity(X, out_of_bag=True, y=y)
    >>> near.shape, bool(near.max() <= 1)
    ((344, 344), True)
    """
    from bough.explain.proximity import proximity_matrix

    most = check.whole("max_pairs", max_pairs, 1)
    return proximity_matrix(_proximities(self, X, Z, out_of_bag, y, sample_weight, groups), most)


def neighbours(
    self: "ForestEstimator",
    X: Any,
    Z: Any = None,
    *,
    k: int = 10,
    out_of_bag: bool = False,
    y: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
) -> tuple[Ints, Floats]:
    """Return the rows that are most alike to each row: those that share its leaf in the most trees.

    Parameters
    ----------
    X, Z, out_of_bag, y, sample_weight, groups
        As for `proximity`. Without Z a row is not its own neighbour.
    k : int, default=10
        How many.

    Returns
    -------
    numbers, proximities : ndarrays of shape (n_rows, k)
        The nearest first, of equal ones the first row; -1 and 0 where fewer rows share a leaf with it.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=50).fit(X, y)
    >>> rows, near = clf.neighbours(X[:2], X, k=3)
    >>> rows[:, 0].tolist(), near[:, 0].tolist()
    ([0, 1], [1.0, 1.0])
    """
    from bough.explain.proximity import nearest

    wanted = check.whole("k", k, 1)
    return nearest(_proximities(self, X, Z, out_of_bag, y, sample_weight, groups), wanted, itself=Z is None)


def outlier_scores(
    self: "ForestEstimator",
    X: Any,
    y: Any,
    *,
    out_of_bag: bool = False,
    sample_weight: Any = None,
    groups: Any = None,
) -> Floats:
    """Return how far each row is from the others of its class, as the forest sees it.

    The measure is Breiman's: one over the sum of squared proximities to the rows of the class, less the median of the
    class, over the mean absolute deviation from it. Above 10 or so a row may be called an outlier.

    Parameters
    ----------
    X, y : table and classes
    out_of_bag, sample_weight, groups
        As for `proximity`.

    Returns
    -------
    ndarray of shape (n_rows,)
        NaN for rows that are in the bag of every tree, with `out_of_bag`.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=50).fit(X, y)
    >>> clf.outlier_scores(X, y).shape
    (344,)
    """
    from bough.explain.proximity import outlying

    found = _proximities(self, X, None, out_of_bag, y if out_of_bag else None, sample_weight, groups)
    return outlying(found, classes_of_rows(y, len(found.rows), None, declared=False).codes)


def _proximities(
    self: "ForestEstimator", X: Any, Z: Any, out_of_bag: bool, y: Any, sample_weight: Any, groups: Any
) -> "Proximities":
    from bough.explain.proximity import Proximities

    if check.flag("out_of_bag", out_of_bag):
        if Z is not None:
            raise ParameterError(
                "Z, the second argument: out of bag the rows of the fit are compared with each other; leave Z out, as "
                "in proximity(X, y=y, out_of_bag=True), or set out_of_bag=False to compare with other rows."
            )
        rows = _out_of_bag_leaves(replay(self, X, y, sample_weight, groups))
        return Proximities(rows, rows)
    given = {"y": y, "sample_weight": sample_weight, "groups": groups}
    idle = [name for name, value in given.items() if value is not None]
    if idle:
        raise ParameterError(f"{idle[0]} tells the bags of the fit, which out_of_bag=True asks for: leave one out.")
    rows = _leaves(self, X)
    return Proximities(rows, rows if Z is None else _leaves(self, Z))


def _leaves(self: "ForestEstimator", X: Any) -> "Leaves":
    from bough.explain.proximity import Leaves

    rows = self._rows(X)
    kernel = self.model_.kernel
    number = _core.forest_leaves(kernel, rows.columns, self._threads_for(rows), 0, len(kernel))
    return Leaves(number, kernel.begin.astype(np.int64))


def _out_of_bag_leaves(again: Replay) -> "Leaves":
    from bough.explain.proximity import Leaves

    again.need_out_of_bag("out_of_bag=True")
    number = again.leaves()
    out = np.empty(number.shape, dtype=bool)
    for tree in range(len(again.model)):
        out[:, tree] = again.bags.counts(tree) == 0
    return Leaves(number, again.model.kernel.begin.astype(np.int64), out)

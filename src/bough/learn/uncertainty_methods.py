"""Methods of regression forests that say how far an answer may be off: quantiles, intervals, standard errors.

They are plain functions here, bound in `ForestRegressor`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough.errors import DataError, ParameterError
from bough.learn.forest_replay import replay
from bough.learn.leaf_rows import LeafRows, as_shares
from bough.learn.out_of_bag import OutOfBag
from bough.recipe import parameters as check
from bough.table import warn

if TYPE_CHECKING:
    from bough.learn.forest_estimator import ForestRegressor

__all__ = ["leaf_rows", "predict_interval", "predict_quantiles", "predict_standard_error"]

Floats = npt.NDArray[np.float64]


def leaf_rows(self: "ForestRegressor", X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> LeafRows:
    """Return the rows of the fit by the leaves that they are in: what `keep_rows=True` keeps as `leaf_rows_`.

    Parameters
    ----------
    X, y, sample_weight, groups
        As in the fit.

    Returns
    -------
    LeafRows
        For `predict_quantiles` and `predict_standard_error`.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=50).fit(X, y)
    >>> rows = reg.leaf_rows(X, y)
    >>> reg.predict_quantiles(X[:2], [0.1, 0.9], leaf_rows=rows).shape
    (2, 2)
    """
    return LeafRows.of(replay(self, X, y, sample_weight, groups))


def predict_quantiles(
    self: "ForestRegressor", X: Any, quantiles: Any = (0.05, 0.5, 0.95), *, leaf_rows: LeafRows | None = None
) -> Floats:
    """Return quantiles of the target given the inputs: those of the training rows in the leaves of each row.

    A training row weighs its share of the leaf, mean over the trees, so that the mean under these weights is what
    `predict` answers. The quantiles are targets of training rows; they need no constant spread, but nothing promises
    that a share of new rows lies below them (`predict_interval` does), and leaves of few rows make them too narrow.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or one row
    quantiles : float or array, default=(0.05, 0.5, 0.95)
        From 0 to 1.
    leaf_rows : LeafRows, optional
        What the method `leaf_rows` returns; by default `leaf_rows_`, which a fit with `keep_rows=True` leaves.

    Returns
    -------
    ndarray of shape (n_rows, n_quantiles), or (n_rows,) for a single one

    References
    ----------
    N. Meinshausen, Quantile regression forests, Journal of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=50, min_samples_leaf=5, keep_rows=True).fit(X, y)
    >>> low, middle, high = reg.predict_quantiles(X)[0]
    >>> bool(low < middle < high)
    True
    """
    rows = self._rows(X)
    found = _kept(self, leaf_rows).quantiles(self.model_, rows, as_shares(quantiles), self._threads_for(rows))
    return found[:, 0] if np.ndim(quantiles) == 0 else found


def predict_interval(
    self: "ForestRegressor", X: Any, coverage: float = 0.9, *, out_of_bag: OutOfBag | None = None
) -> Floats:
    """Return an interval for the target of each row: the prediction and the out-of-bag errors of the training rows.

    The interval is as wide for every row, and covers the given share of new rows that are drawn like those of the fit,
    whatever the errors are distributed like. It follows the prediction up and down.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or one row
    coverage : float, default=0.9
        The share of targets that are to lie inside; as much is left below as above.
    out_of_bag : OutOfBag, optional
        What the method `out_of_bag` returns; by default `out_of_bag_`, which a fit with `oob_score=True` leaves.

    Returns
    -------
    ndarray of shape (n_rows, 2)
        The lower and the upper end.

    References
    ----------
    H. Zhang, J. Zimmerman, D. Nettleton, D. J. Nordman, Random forest prediction intervals, The American Statistician
    74, 2020.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=50, oob_score=True).fit(X, y)
    >>> reg.predict_interval(X[:3], coverage=0.8).shape
    (3, 2)
    """
    check_is_fitted(self)
    inside = check.inside("coverage", coverage)
    told = getattr(self, "out_of_bag_", None) if out_of_bag is None else out_of_bag
    if not isinstance(told, OutOfBag) or told.classes is not None:
        lost = _was_set(self, "oob_score", out_of_bag)
        had = "here, as files do not keep them: " if lost else "kept: fit with oob_score=True, or "
        raise ParameterError(
            f"out_of_bag: the errors of the training rows out of bag are not {had}give "
            "out_of_bag=reg.out_of_bag(X, y) with the X and y of the fit."
        )
    known = told.known
    if not known.any():
        raise DataError("every row is in the bag of every tree: no out-of-bag error is known. Grow more trees.")
    off = told.truth[known] - told.prediction[known]
    weights = np.ones(len(off)) if told.weights is None else told.weights[known]
    ends = _weighted_quantiles(off, weights, np.array([(1 - inside) / 2, (1 + inside) / 2]))
    interval: Floats = self.predict(X)[:, None] + ends
    return interval


def predict_standard_error(self: "ForestRegressor", X: Any, *, leaf_rows: LeafRows | None = None) -> Floats:
    """Return the standard error of each prediction: how far it would move with other training rows.

    By the infinitesimal jackknife, corrected for the finite number of trees. It tells the spread of the mean, not that
    of a new target: for that ask `predict_interval`. Many trees are needed, several times as many as there are training
    rows; where the correction takes all, the answer is NaN, and a warning counts them.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or one row
    leaf_rows : LeafRows, optional
        What the method `leaf_rows` returns; by default `leaf_rows_`, which a fit with `keep_rows=True` leaves.

    Returns
    -------
    ndarray of shape (n_rows,)

    References
    ----------
    S. Wager, T. Hastie, B. Efron, Confidence intervals for random forests: the jackknife and the infinitesimal
    jackknife, Journal of Machine Learning Research 15, 2014.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=2000, keep_rows=True).fit(X[:40], y[:40])
    >>> one = X.iloc[1]                        # far from the others, so that its error is told from chance
    >>> bool(1 < reg.predict_standard_error(one)[0] < 3)
    True
    """
    rows = self._rows(X)
    variance = _kept(self, leaf_rows).variances(self.model_, rows, self._threads_for(rows))
    lost = int((variance <= 0).sum())
    if lost:
        warn(
            f"{lost:,} of {len(variance):,} standard errors are NaN: what {len(self):,} trees differ by chance is all "
            "that is seen there. Grow more trees, several times as many as there are training rows."
        )
    errors: Floats = np.sqrt(np.where(variance > 0, variance, np.nan))
    return errors


def _kept(self: "ForestRegressor", given: LeafRows | None) -> LeafRows:
    kept = getattr(self, "leaf_rows_", None) if given is None else given
    if not isinstance(kept, LeafRows):
        lost = _was_set(self, "keep_rows", given)
        had = "here, as files do not keep them: " if lost else "kept: fit with keep_rows=True, or "
        raise ParameterError(
            f"leaf_rows: the training rows in the leaves are not {had}give leaf_rows=reg.leaf_rows(X, y) with "
            "the X and y of the fit."
        )
    return kept


def _was_set(self: "ForestRegressor", parameter: str, given: Any) -> bool:
    """Whether the fit kept what is not here any more, and nothing else was given in its place."""
    return given is None and self.fitted_.params.get(parameter, False) is not False


def _weighted_quantiles(values: Floats, weights: Floats, shares: Floats) -> Floats:
    """The smallest values at or below which these shares of the weight lie."""
    order = np.argsort(values, kind="stable")
    mass = np.cumsum(weights[order])
    at = np.searchsorted(mass, shares * mass[-1] * (1 - 1e-12))
    found: Floats = values[order][np.minimum(at, len(values) - 1)]
    return found

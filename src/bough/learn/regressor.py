"""A regression tree: numbers to learn from and to predict."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from bough.learn.target import Target, check_lengths, check_range, read_numbers
from bough.learn.texts import of_rows
from bough.learn.tree_estimator import TreeEstimator

__all__ = ["RegressionTree"]

Floats = npt.NDArray[np.float64]


class RegressionTree(RegressorMixin, TreeEstimator):
    """A regressor behind scikit-learn's conventions; subclasses say how its tree is grown."""

    @of_rows
    def predict(self, X: Any) -> Floats:
        """Return the answer for each row: the mean, or under absolute error the median, of the node where it ends.

        {rows}
        ndarray of shape (n_rows,)
        """
        return self._predict(X)

    def _read_y(self, y: Any, n_rows: int, weights: Floats | None, who: str) -> Floats:
        value = read_numbers(y, who)
        check_lengths(n_rows, value)
        check_range(value, weights, squares=self._recipe().value_error == "squared")
        return value

    def _target(self, read: Floats, weights: Floats | None, name: str) -> Target:
        return Target({"classes": 0, "value": read}, name=name)

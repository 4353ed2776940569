"""What any classifier of bough answers to rows: classes, probabilities, and what its model says of the classes.

Plain functions, which the classifiers of trees and of rules bind.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.learn.estimator import Estimator
from bough.learn.texts import of_rows

__all__ = ["class_facts", "predict", "predict_log_proba", "predict_proba"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@of_rows
def predict(self: Estimator, X: Any) -> Array:
    """Return the class of each row: the most probable one, or the one of least expected cost.

    {rows}
    ndarray of shape (n_rows,)
    """
    return self._predict(X)


@of_rows
def predict_proba(self: Estimator, X: Any) -> Floats:
    """Return the probability of each class: its share where a row ends, under priors, never costs.

    {rows}
    ndarray of shape (n_rows, n_classes)
    """
    rows = self._rows(X)
    shares: Floats = self.model_.predict_proba(rows, n_threads=self._threads_for(rows))
    return shares


@of_rows
def predict_log_proba(self: Any, X: Any) -> Floats:
    """Return the logarithms of `predict_proba`.

    {rows}
    ndarray of shape (n_rows, n_classes)
    """
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(self.predict_proba(X))
    return logs


def class_facts(model: Any) -> dict[str, Any]:
    """The attributes of a fitted classifier that its classes are."""
    classes = np.sort(np.asarray(model.classes))
    return {"classes_": classes, "n_classes_": len(classes)}

"""What fitted estimators say about single answers: the methods of `bough.explain`, for rows as a user has them."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough.learn.growth import thread_count

if TYPE_CHECKING:
    from bough.model import Tree

__all__ = ["Explained"]

Floats = npt.NDArray[np.float64]


class Explained:
    """Methods for why a row got its answer; the estimator brings `tree_` and `_columns`."""

    tree_: "Tree"

    def _columns(self, X: Any) -> Any:
        raise NotImplementedError

    def shap_values(self, X: Any) -> Floats:
        """Return the exact Shapley values of each row: what each column adds to its answer.

        Those of a row sum to its prediction less `expected_value_`. The game: a node that asks a column outside the
        coalition passes the case on to all its branches by their training weight; one that asks a column inside it
        sends the case where the model sends it, be that by surrogates, which count for the column of the split, or in
        parts. The columns of a conjunction ("a and b") are asked together and share what the pair adds equally.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_features) or (n_rows, n_features, n_classes)
            For values, or for the probabilities of the classes in the order of `predict_proba`.

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.CARTClassifier().fit(X, y)
        >>> values = clf.shap_values(X[:2])
        >>> values.shape
        (2, 6, 3)
        >>> bool(abs(values.sum(axis=1) + clf.expected_value_ - clf.predict_proba(X[:2])).max() < 1e-9)
        True
        """
        from bough.explain.shapley import shapley_values

        columns = self._columns(X)
        return shapley_values(self.tree_, columns, thread_count(getattr(self, "n_jobs", None)))[0]

    @property
    def expected_value_(self) -> Any:
        """The answer to a row of which nothing is known, which `shap_values` add to.

        A number, or an array with the probability of each class: the mean over the leaves, by training weight.
        """
        check_is_fitted(self)
        from bough.explain.shapley import shapley_values

        types = [np.float64 if kind == 0 else np.int32 for kind in self.tree_.schema.kind_codes]
        columns = [
            (np.empty(0, kind), None, code) for kind, code in zip(types, self.tree_.schema.kind_codes, strict=True)
        ]
        base = shapley_values(self.tree_, columns)[1]
        return float(base) if base.ndim == 0 else base

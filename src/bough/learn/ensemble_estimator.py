"""An ensemble estimator: fitted trees that answer together behind scikit-learn's conventions.

Subclasses have a docstring, parameters and `fit`; `members.py` grows the trees.
"""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import check_is_fitted

from bough.errors import ParameterError
from bough.learn.fit import as_fitted, recipe_to_fit
from bough.learn.importance import column_importance
from bough.learn.many_trees import ManyTrees, ManyTreesClassifier, ManyTreesRegressor
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Ensemble
from bough.recipe import parameters as check

__all__ = ["EnsembleClassifier", "EnsembleEstimator", "EnsembleRegressor"]

Floats = npt.NDArray[np.float64]


class EnsembleEstimator(ManyTrees):
    """Fitted trees that answer together; subclasses say how they are grown."""

    model_kind: ClassVar[type[Ensemble]] = Ensemble
    nested: ClassVar[tuple[str, ...]] = ("estimator",)

    elsewhere: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("importance", "shap_values"),
            "RandomForestClassifier and RandomForestRegressor have it; "
            "here feature_importances_ tells of all trees, and member(0) has it for one.",
        ),
        **dict.fromkeys(
            ("proximity", "neighbours", "outlier_scores", "representative_tree"),
            "RandomForestClassifier and its kin have it.",
        ),
    }

    # Parameters that every subclass has.
    estimator: Any
    n_estimators: Any
    random_state: Any
    n_jobs: Any
    verbose: Any

    # Set by fit.
    model_: Ensemble

    def _default_member(self) -> TreeEstimator:
        """The estimator of the trees, if none is given."""
        raise NotImplementedError

    def _member(self) -> TreeEstimator:
        """The estimator of the trees."""
        given = self._default_member() if self.estimator is None else self.estimator
        if not isinstance(given, TreeEstimator):
            raise ParameterError(
                f"estimator must grow a tree and be one of bough's, such as C45Classifier(); got {given!r:.80}."
            )
        if is_classifier(given) != is_classifier(self):
            what = "classes" if is_classifier(self) else "numbers"
            raise ParameterError(f"estimator must learn {what}, as {type(self).__name__} does; got {given!r:.80}.")
        return given

    def _check(self) -> None:
        """Refuse parameters that no fit could use."""
        check.whole("n_estimators", self.n_estimators, 1)
        recipe_to_fit(self._member())

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to learn."""
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", self.random_state)
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member = self._default_member() if self.estimator is None else self.estimator
        if isinstance(member, TreeEstimator):
            tags.input_tags = member.__sklearn_tags__().input_tags
        return tags

    def _held(self, name: str) -> Any:
        """The members have parameters even if none is given."""
        value = super()._held(name)
        return self._default_member() if name == "estimator" and self.estimator is None else value

    # The trees

    @property
    def ensemble_(self) -> Ensemble:
        """The fitted model: trees and how they vote."""
        check_is_fitted(self)
        return self.model_

    def member(self, place: int) -> TreeEstimator:
        """Return one of the trees as a fitted estimator of its own, which explains, prunes and draws.

        Parameters
        ----------
        place : int

        Returns
        -------
        estimator of the class of `estimator`

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.BaggedTreesClassifier(bough.C45Classifier(), n_estimators=3).fit(X, y)
        >>> clf.member(0).tree_ is clf[0]
        True
        """
        check_is_fitted(self)
        given = self.fitted_.params["estimator"]
        made: TreeEstimator = clone(self._default_member() if given is None else given)
        as_fitted(made, self.model_[place], self.fitted_.provenance)
        return made

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the impurity drops of the splits, mean over the trees."""
        check_is_fitted(self)
        size = len(self.model_.inputs.schema)
        total = np.zeros(size)
        for tree, share in zip(self.model_, self.model_.shares, strict=True):
            gained = column_importance(tree.kernel, size, surrogates=False)
            total += share * gained / (gained.sum() or 1.0)
        shares: Floats = total / (total.sum() or 1.0)
        return shares


class EnsembleClassifier(ManyTreesClassifier, EnsembleEstimator):
    """An ensemble of classification trees behind scikit-learn's conventions."""


class EnsembleRegressor(ManyTreesRegressor, EnsembleEstimator):
    """An ensemble of regression trees behind scikit-learn's conventions."""

"""What estimators whose model is many trees share: they are sequences of trees, and say no single way of an answer.

Subclasses say how the trees are grown and kept: `EnsembleEstimator` in recipes, `ForestEstimator` in a few arrays.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from bough.errors import ParameterError
from bough.learn import class_methods
from bough.learn.fitted import FittedMembers
from bough.learn.nested import NestedEstimator
from bough.learn.texts import of_rows
from bough.model import Tree
from bough.model.text import counted

__all__ = ["ManyTrees", "ManyTreesClassifier", "ManyTreesRegressor"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class ManyTrees(NestedEstimator):
    """Fitted trees that answer together behind scikit-learn's conventions."""

    # What others have, and where it is to be found here; subclasses add to it.
    elsewhere: ClassVar[dict[str, str]] = {
        "estimators_": "the trees are model[0], model[1] and so on, and list(model) has all of them.",
        "tree_": "there are many trees; one of them is model[0].",
        "to_html": "there are many trees; one of them is drawn by model[0].to_html().",
        "draw": "there are many trees; one of them is drawn by bough.draw(model[0]).",
        "rules": "there are many trees; member(0).rules() has those of one.",
    }

    # Set by fit.
    fitted_: FittedMembers

    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.model_)

    def __iter__(self) -> Iterator[Tree]:
        check_is_fitted(self)
        return iter(self.model_)

    def __getitem__(self, place: int) -> Tree:
        check_is_fitted(self)
        tree: Tree = self.model_[place]
        return tree

    if not TYPE_CHECKING:  # which is to find what is misspelt

        def __getattr__(self, name: str) -> Any:
            """Say of what others have under this name where it is to be found."""
            for kind in type(self).__mro__:
                if name in kind.__dict__.get("elsewhere", ()):
                    what = f"{type(self).__name__!r} object has no attribute {name!r}"
                    raise AttributeError(f"{what}: {kind.elsewhere[name]}")
            return object.__getattribute__(self, name)  # which fails as it did before

    def explain(self, X: Any, **how: Any) -> NoReturn:
        """Refuse: an answer of many trees has no single way that could be told; those of `member(i)` have."""
        self._refuse("explain")

    def counterfactual(self, row: Any, to: Any = None, **how: Any) -> NoReturn:
        """Refuse, as `explain` does."""
        self._refuse("counterfactual")

    def _refuse(self, method: str) -> NoReturn:
        raise ParameterError(
            f"the answer of {counted(len(self), 'tree')} has no single way that could be told: ask one of them, "
            f"member(0).{method}(...), or feature_importances_ for all."
        )


class ManyTreesClassifier(ClassifierMixin, ManyTrees):
    """Trees that vote on classes."""

    # Set by fit.
    classes_: Array
    n_classes_: int

    predict = class_methods.predict
    predict_log_proba = class_methods.predict_log_proba

    @of_rows
    def predict_proba(self, X: Any) -> Floats:
        """Return the mean vote of the trees for each class, under priors, never costs.

        {rows}
        ndarray of shape (n_rows, n_classes)
        """
        return class_methods.predict_proba(self, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _facts(self, model: Any) -> dict[str, Any]:
        return {**super()._facts(model), **class_methods.class_facts(model)}


class ManyTreesRegressor(RegressorMixin, ManyTrees):
    """Trees whose numbers are averaged."""

    @of_rows
    def predict(self, X: Any) -> Floats:
        """Return the mean of what the trees answer.

        {rows}
        ndarray of shape (n_rows,)
        """
        return self._predict(X)

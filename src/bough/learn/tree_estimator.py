"""A tree estimator: a fitted tree behind scikit-learn's conventions, and what only trees have.

`fit.py` says how it is fitted, `named.py` how parameters are read as answers, `explain_methods.py` how predictions are
explained, `pruning_methods.py` how the fitted tree is pruned; their functions are bound here.
"""

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bough.learn import explain_methods, named, pruning_methods
from bough.learn import fit as fitting
from bough.learn.estimator import Estimator, without_nan
from bough.learn.expert import expert_options, name_fault
from bough.learn.fitted import Fitted
from bough.learn.target import Target
from bough.learn.texts import of_rows
from bough.learn.training import Training
from bough.model import PruningLog, Tree
from bough.model.bins import Bins
from bough.model.texts import of_model
from bough.model.validation_log import ValidationLog
from bough.model.writing import hand_over
from bough.recipe import CostComplexity, Part, Refuse
from bough.recipe import parameters as check
from bough.recipe.parameters import is_number
from bough.recipe.recipe import Recipe
from bough.table import Schema

__all__ = ["TreeEstimator"]

Floats = npt.NDArray[np.float64]
AnyPart = TypeVar("AnyPart", bound=Part)


class TreeEstimator(Estimator):
    """A fitted tree behind scikit-learn's conventions; subclasses have a docstring, parameters and `_recipe`."""

    model_kind: ClassVar[type[Tree]] = Tree

    # Set by fit.
    model_: Tree
    fitted_: Fitted
    cp_: float
    pruning_log_: PruningLog
    validation_log_: ValidationLog

    # The answers that an estimator named after an algorithm knows, each with the part that its name stands for.
    # Questions without a parameter, which the algorithm answers in one way, are among them: others name who has it.
    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.answers and cls.__module__.startswith("bough."):
            named.add_named(cls)

    def __new__(cls, *_: Any, **parameters: Any) -> Self:
        """Say of a parameter that belongs to a part where it goes."""
        named.refuse_arguments(cls, parameters)
        made: Self = super().__new__(cls)
        return made

    @property
    def tree_(self) -> Tree:
        """The fitted model, which is a tree."""
        check_is_fitted(self)
        return self.model_

    # How it is fitted

    fit = fitting.fit
    _check_for = fitting.check_for
    _slot = named.slot
    _filled = named.filled
    _reading = named.reading

    def _recipe(self) -> Recipe:
        """The answers to the six questions, made of the parameters."""
        raise NotImplementedError

    def _part(self, kind: type[AnyPart], *same: str, **other: str) -> AnyPart:
        """A part made of parameters of the estimator, by whose names its errors speak: "max_depth", level="alpha"."""
        parameters = {**{name: name for name in same}, **other}
        made = kind(**{argument: getattr(self, parameter) for argument, parameter in parameters.items()})
        return made.called(**parameters)

    def _read_y(self, y: Any, n_rows: int, weights: Floats | None, who: str) -> Any:
        """What is to be learned, row by row, once the table and the weights are read: classes or numbers.

        `who` is the class of the estimator that the user fits, for errors.
        """
        raise NotImplementedError

    def _target(self, read: Any, weights: Floats | None, name: str) -> Target:
        """The same as the kernel takes it, for rows of these weights."""
        raise NotImplementedError

    def _prepare(self, training: Training, target: Target) -> tuple[Training, Bins | None]:
        """The table as it is grown on, and the bins that its numbers were cut into, if any."""
        return training, None

    def _expert(self, schema: Schema) -> dict[str, Any]:
        """Options of the kernel that are answers to none of the questions."""
        asked = [getattr(self, name, None) for name in ("forced_splits", "allowed_columns", "initial_tree")]
        return expert_options(schema, *asked) if any(given is not None for given in asked) else {}

    def _fault(self, fault: str, schema: Schema) -> str:
        """What the kernel refuses, in the user's words."""
        expert = self._expert(schema)
        named = name_fault(fault, expert, schema) if expert else None
        return named or f"these arguments of {type(self).__name__} do not go together: {fault}."

    def _advice(self) -> str:
        """What to do about a missing value that is refused."""
        return "missing='refuse' takes none; fill it in, or choose another answer to missing, such as 'surrogates'."

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to grow; judged even where this fit does not ask them."""
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", getattr(self, "random_state", None))
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        missing = getattr(self, "missing", None)
        refuses = isinstance(missing, Refuse) or (isinstance(missing, str) and missing.startswith("refuse"))
        return without_nan(tags) if refuses else tags

    def _meant(self, slot: str, given: Any) -> Any:
        if slot == "pruning" and is_number(given):
            return CostComplexity(given)
        if isinstance(given, str) and slot in self.answers:
            known = self.answers[slot].get(given)
            return None if known is None else copy.copy(known)
        return super()._meant(slot, given)

    # Why a row is answered as it is

    explain = explain_methods.explain
    counterfactual = explain_methods.counterfactual
    shap_values = explain_methods.shap_values
    importance = explain_methods.importance
    expected_value_ = property(explain_methods.expected_value)

    # The tree

    @of_rows
    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the number of the node in which each row ends.

        Mostly a leaf; a case may also stop at an inner node, if a value is missing and nothing decides.

        {rows}
        ndarray of shape (n_rows,)
        """
        rows = self._rows(X)
        return self.model_.apply(rows, n_threads=self._threads_for(rows)).astype(np.int64)

    @of_rows
    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes.

        {rows}
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
        """
        rows = self._rows(X)
        indptr, indices = self.model_.decision_path(rows, n_threads=self._threads_for(rows))
        ones = np.ones(len(indices), dtype=np.int64)
        return sparse.csr_matrix((ones, indices, indptr), shape=(len(indptr) - 1, self.model_.n_nodes))

    def get_depth(self) -> int:
        """Return the largest number of tests between the root and a leaf."""
        check_is_fitted(self)
        return int(self.tree_.depth)

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return int(self.tree_.n_leaves)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each column in the impurity drops of the tree's splits."""
        shares: Floats = self.importance("splits")
        return shares

    # Pruning what is fitted

    pruning_path_ = property(pruning_methods.pruning_frame)
    cp_table = pruning_methods.cp_table
    pruned = pruning_methods.pruned
    cross_validate_path = pruning_methods.cross_validate_path
    pruning_curve = pruning_methods.pruning_curve

    # The page

    @of_model
    def to_html(self, path: Any = None, X: Any = None, y: Any = None) -> str:
        """Write the fitted tree as a page: one file that needs no network, to look at, search and ask.

        {page_with_rows}

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.CARTClassifier().fit(X, y)
        >>> clf.to_html(X=X, y=y)[:15]
        '<!doctype html>'
        """
        check_is_fitted(self)
        from bough.view.page import page

        rows = None if X is None else self._rows(X, every=True)
        return hand_over(page(self.tree_, rows, y, name=type(self).__name__), path, "page")

    def _repr_html_inner(self) -> str:
        """What notebooks show: the box of scikit-learn with the parameters, and below it the page of a fitted tree."""
        box = str(super()._repr_html_inner())
        if not self.__sklearn_is_fitted__():
            return box
        from bough.view.page import frame

        return box + frame(self.tree_, type(self).__name__)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle and self.__sklearn_is_fitted__():
            bundle["text/html"] = self._repr_html_inner()
        return bundle
